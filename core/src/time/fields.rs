//! Which fields of what crosses the wire are times: every other text is somebody's words, even one that reads as a time.

/// Names of times that do not end with `At`.
const NAMES: [&str; 8] =
    ["EndTime", "From", "OldValidUntil", "StartTime", "Time", "ValidFrom", "ValidUntil", "WaitingSince"];

/// Is the field of this name a time?
pub fn is_time_field(name: &str) -> bool {
    name.ends_with("At") || NAMES.contains(&name)
}
