//! Display of usage: bytes in a suitable unit, and the change from the previous period.

const UNITS: [&str; 6] = ["B", "KB", "MB", "GB", "TB", "PB"];

/// Bytes in the largest decimal unit that gives at least 1, with three digits and rounded down: `12.3 MB`. One GB is 10^9 bytes.
pub fn display_bytes(bytes: u64) -> String {
    let mut unit = 0;
    let mut size = 1_u64;
    while unit + 1 < UNITS.len() && bytes / size >= 1_000 {
        size *= 1_000;
        unit += 1;
    }
    let whole = bytes / size;
    let places = match whole {
        _ if unit == 0 => 0,
        0..=9 => 2,
        10..=99 => 1,
        _ => 0,
    };
    let part = (u128::from(bytes % size) * 10_u128.pow(places) / u128::from(size)) as u64;
    let digits = format!("{part:0width$}", width = places as usize);
    let part = digits.trim_end_matches('0');
    let point = if places == 0 || part.is_empty() { "" } else { "." };
    let part = if places == 0 { "" } else { part };
    format!("{whole}{point}{part} {}", UNITS[unit])
}

/// The change of usage from the previous period, in hundredths of a percent, rounded towards zero. `None` if nothing was used before, or if
/// the result does not fit into 32 bits (a factor of about 200,000).
pub fn change_basis_points(bytes: u64, before: u64) -> Option<i32> {
    if before == 0 {
        return None;
    }
    let change = (i128::from(bytes) - i128::from(before)) * 10_000 / i128::from(before);
    i32::try_from(change).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_a_suitable_unit_and_rounded_down() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1 KB"),
            (1_239, "1.23 KB"),
            (1_009, "1 KB"),
            (1_050, "1.05 KB"),
            (999_999, "999 KB"),
            (12_340_000, "12.3 MB"),
            (50_000_000_000, "50 GB"),
            (49_999_999_999, "49.9 GB"),
            (1_500_000_000, "1.5 GB"),
            (100_000_000_000_000, "100 TB"),
            (u64::MAX, "18446 PB"),
        ] {
            assert_eq!(display_bytes(bytes), text, "{bytes}");
        }
    }

    #[test]
    fn a_change_is_relative_to_the_previous_period() {
        for (bytes, before, change) in [
            (0, 0, None),
            (5, 0, None),
            (0, 5, Some(-10_000)),
            (5, 5, Some(0)),
            (3, 2, Some(5_000)),
            (2, 3, Some(-3_333)),
            (u64::MAX, 1, None),
            (u64::MAX, u64::MAX, Some(0)),
        ] {
            assert_eq!(change_basis_points(bytes, before), change, "{bytes} {before}");
        }
    }
}
