//! What the doctor finds, and how it is written.
use serde::Serialize;
use std::fmt::Display;

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Ok,
    /// The shop works, but it is seldom meant.
    Warning,
    /// Customers are hurt, or will be.
    Fault,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Finding {
    pub severity: Severity,
    /// What was examined.
    pub check: &'static str,
    pub found: String,
    /// What to do, naming the setting or the command; empty if all is well.
    pub remedy: String,
}

impl Finding {
    pub fn ok(check: &'static str, found: impl Display) -> Finding {
        Finding::of(Severity::Ok, check, found, "")
    }

    pub fn warning(check: &'static str, found: impl Display, remedy: impl Display) -> Finding {
        Finding::of(Severity::Warning, check, found, remedy)
    }

    pub fn fault(check: &'static str, found: impl Display, remedy: impl Display) -> Finding {
        Finding::of(Severity::Fault, check, found, remedy)
    }

    /// On one line each, whatever the cause of an error looks like.
    pub fn of(severity: Severity, check: &'static str, found: impl Display, remedy: impl Display) -> Finding {
        let line = |text: String| text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let remedy = if severity == Severity::Ok { String::new() } else { line(remedy.to_string()) };
        Finding { severity, check, found: line(found.to_string()), remedy }
    }
}

/// The findings for people: a line each, with its remedy below it, and a last line with their numbers.
pub fn lines(findings: &[Finding]) -> Vec<String> {
    let mut lines = lines_of(findings);
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    lines.push(format!(
        "{} ok, {}, {}",
        count(Severity::Ok),
        counted(count(Severity::Warning), "warning"),
        counted(count(Severity::Fault), "fault")
    ));
    lines
}

/// The same without the last line.
pub fn lines_of(findings: &[Finding]) -> Vec<String> {
    let mut lines = Vec::new();
    for finding in findings {
        let severity = match finding.severity {
            Severity::Ok => "ok",
            Severity::Warning => "warn",
            Severity::Fault => "FAULT",
        };
        lines.push(format!("{severity:<6} {:<16} {}", finding.check, finding.found));
        if !finding.remedy.is_empty() {
            lines.push(format!("{:<23} → {}", "", finding.remedy));
        }
    }
    lines
}

/// Such as "1 fault" and "2 faults".
pub fn counted(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

/// The first of these, and how many more there are.
pub fn first_of(names: &[String], shown: usize) -> String {
    let first = names.iter().take(shown).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(shown) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_aligned_and_counted() {
        let found = [
            Finding::ok("settings", "valid"),
            Finding::fault("mail server", "no answer:\n  refused", "Start it."),
            Finding::warning("stock", "none", "Import nodes."),
        ];
        assert_eq!(
            lines(&found),
            [
                "ok     settings         valid",
                "FAULT  mail server      no answer: refused",
                "                        → Start it.",
                "warn   stock            none",
                "                        → Import nodes.",
                "1 ok, 1 warning, 1 fault",
            ]
        );
    }

    #[test]
    fn of_many_names_the_first_are_told() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        assert_eq!((first_of(&names, 3).as_str(), first_of(&names[..2], 3).as_str()), ("a, b, c and 1 more", "a, b"));
    }
}
