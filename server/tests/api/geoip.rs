//! A minimal file in MaxMind's format: one IPv4 network and its location.

/// A text, or the key of a map.
fn text(value: &str) -> Vec<u8> {
    assert!(value.len() < 29, "longer texts are written otherwise");
    let mut written = vec![0x40 | value.len() as u8];
    written.extend(value.as_bytes());
    written
}

fn map(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut written = vec![0xe0 | entries.len() as u8];
    for (key, value) in entries {
        written.extend(text(key));
        written.extend(value);
    }
    written
}

fn number(kind: u8, value: u32) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    let digits: Vec<u8> = bytes.into_iter().skip_while(|byte| *byte == 0).collect();
    // Types above 7 are in a byte of their own.
    let mut written = if kind > 7 { vec![digits.len() as u8, kind - 7] } else { vec![kind << 5 | digits.len() as u8] };
    written.extend(digits);
    written
}

/// The file's bytes: this network is in this city and country, with their English and Chinese names.
pub fn file(network: [u8; 4], bits: u32, city: [&str; 2], country: [&str; 2]) -> Vec<u8> {
    let (u16, u32, u64, array) = (5, 6, 9, 11);
    let address = u32::from_be_bytes(network);
    let mut written = Vec::new();
    for node in 0..bits {
        // The branch of the network; nothing is known about the other one.
        let next = if node + 1 == bits { bits + 16 } else { node + 1 };
        let is_right = address >> (31 - node) & 1 == 1;
        for record in if is_right { [bits, next] } else { [next, bits] } {
            written.extend(&record.to_be_bytes()[1..]);
        }
    }
    written.extend([0; 16]);
    let names = |names: [&str; 2]| map(&[("names", map(&[("en", text(names[0])), ("zh-CN", text(names[1]))]))]);
    written.extend(map(&[("city", names(city)), ("country", names(country))]));
    written.extend(b"\xab\xcd\xefMaxMind.com");
    written.extend(map(&[
        ("node_count", number(u32, bits)),
        ("record_size", number(u16, 24)),
        ("ip_version", number(u16, 4)),
        ("database_type", text("Test-City")),
        ("languages", vec![0, array - 7]),
        ("binary_format_major_version", number(u16, 2)),
        ("binary_format_minor_version", number(u16, 0)),
        ("build_epoch", number(u64, 1)),
        ("description", map(&[])),
    ]));
    written
}
