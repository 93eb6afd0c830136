//! Which fields on the wire are times. Every other text is free text, even if it looks like a time.

/// How the names of time fields end.
const ENDINGS: [&str; 2] = ["At", "Until"];

/// Names of other time fields. `Since` of a finding is none: its text says that it is in UTC.
const NAMES: [&str; 8] =
    ["DownSince", "EndTime", "FailingSince", "From", "StartTime", "Time", "ValidFrom", "WaitingSince"];

/// Whether the field of this name is a time.
pub fn is_time_field(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending)) || NAMES.contains(&name)
}
