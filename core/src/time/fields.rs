//! Which fields on the wire are times. Every other text is free text, even if it looks like a time.

/// Names of time fields that do not end in `At`.
const NAMES: [&str; 8] =
    ["EndTime", "From", "OldValidUntil", "StartTime", "Time", "ValidFrom", "ValidUntil", "WaitingSince"];

/// Whether the field of this name is a time.
pub fn is_time_field(name: &str) -> bool {
    name.ends_with("At") || NAMES.contains(&name)
}
