//! What the doctor finds, and how it is written.
use crate::texts::{Texts, filled};
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};
use postern_core::language::Language;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;
use utoipa::ToSchema;

/// The command's texts: it examines shops whose folder of texts is missing, too.
static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| Texts::of_one("doctor", include_str!("../../../locales/en/doctor.json")));

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Finding {
    pub severity: Severity,
    /// What was examined.
    pub check: ShopCheck,
    /// What was found: the key of its text, and of the text that says what to do, unless the severity is `ok`.
    pub diagnosis: Diagnosis,
    /// The values of the texts' placeholders.
    pub params: BTreeMap<&'static str, String>,
}

impl Finding {
    pub fn ok(check: ShopCheck, diagnosis: Diagnosis) -> Finding {
        Finding::of(Severity::Ok, check, diagnosis)
    }

    pub fn warning(check: ShopCheck, diagnosis: Diagnosis) -> Finding {
        Finding::of(Severity::Warning, check, diagnosis)
    }

    pub fn fault(check: ShopCheck, diagnosis: Diagnosis) -> Finding {
        Finding::of(Severity::Fault, check, diagnosis)
    }

    pub fn of(severity: Severity, check: ShopCheck, diagnosis: Diagnosis) -> Finding {
        Finding { severity, check, diagnosis, params: BTreeMap::new() }
    }

    /// With the value of a placeholder, on one line, whatever the cause of an error looks like.
    pub fn with(mut self, name: &'static str, value: impl Display) -> Finding {
        let line = value.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ");
        self.params.insert(name, line);
        self
    }

    /// What was examined, in English.
    pub fn examined(&self) -> &'static str {
        TEXTS.template(Language::En, &format!("doctor:checks.{}", self.check.as_str())).unwrap_or_default()
    }

    /// What was found, in English.
    pub fn found(&self) -> String {
        self.text("found")
    }

    /// What to do, naming the setting or the command; empty if all is well.
    pub fn remedy(&self) -> String {
        if self.severity == Severity::Ok { String::new() } else { self.text("remedies") }
    }

    fn text(&self, group: &str) -> String {
        let param = |(name, text): (&&'static str, &String)| {
            let value = text.parse::<i64>().map_or_else(|_| Value::from(text.as_str()), Value::from);
            ((*name).to_owned(), value)
        };
        let params = Value::Object(self.params.iter().map(param).collect::<Map<String, Value>>());
        let key = format!("doctor:{group}.{}", self.diagnosis.as_str());
        filled(TEXTS.template_for(Language::En, &key, &params).unwrap_or_default(), &params)
    }
}

/// A finding for programs that read the command's output.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Told {
    severity: Severity,
    check: &'static str,
    diagnosis: Diagnosis,
    found: String,
    remedy: String,
}

pub fn told(finding: &Finding) -> Told {
    Told {
        severity: finding.severity,
        check: finding.examined(),
        diagnosis: finding.diagnosis,
        found: finding.found(),
        remedy: finding.remedy(),
    }
}

/// The findings for people: a line each, with its remedy below it, and a last line with their numbers.
pub fn lines(findings: &[Finding]) -> Vec<String> {
    let mut lines = lines_of(findings);
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let counted = |number: usize, word: &str| match number {
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    };
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
        lines.push(format!("{severity:<6} {:<16} {}", finding.examined(), finding.found()));
        let remedy = finding.remedy();
        if !remedy.is_empty() {
            lines.push(format!("{:<23} → {remedy}", ""));
        }
    }
    lines
}

/// The first of these, and how many there are if that is not all, in any language.
pub fn first_of(names: &[String], shown: usize) -> String {
    let first = names.iter().take(shown).cloned().collect::<Vec<_>>().join(", ");
    if names.len() <= shown { first } else { format!("{first}, … ({})", names.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_aligned_and_counted() {
        let found = [
            Finding::ok(ShopCheck::Settings, Diagnosis::SettingsValid),
            Finding::fault(ShopCheck::MailServer, Diagnosis::MailServerFails).with("Cause", "no answer:\n  refused"),
            Finding::ok(ShopCheck::Operators, Diagnosis::OperatorsFound).with("Count", 1),
            Finding::ok(ShopCheck::Operators, Diagnosis::OperatorsFound).with("Count", 2),
        ];
        assert_eq!(
            lines(&found),
            [
                "ok     settings         all settings are valid",
                "FAULT  mail server      no mail can be sent: no answer: refused",
                "                        → Check scheme, host, port, user and password in POSTERN_SMTP_URL; special characters of the password are written as %XX.",
                "ok     operators        1 user",
                "ok     operators        2 users",
                "3 ok, 0 warnings, 1 fault",
            ]
        );
    }

    #[test]
    fn of_many_names_the_first_are_told() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        assert_eq!((first_of(&names, 3).as_str(), first_of(&names[..2], 3).as_str()), ("a, b, c, … (4)", "a, b"));
    }

    #[test]
    fn every_check_and_diagnosis_has_its_text_in_both_languages() {
        let chinese = Texts::of_one("doctor", include_str!("../../../locales/zh/doctor.json"));
        for texts in [&*TEXTS, &chinese] {
            for check in ShopCheck::ALL {
                let key = format!("doctor:checks.{}", check.as_str());
                assert!(texts.template(Language::En, &key).is_some(), "{key}");
            }
            for diagnosis in Diagnosis::ALL {
                let key = format!("doctor:found.{}", diagnosis.as_str());
                assert!(texts.template_for(Language::En, &key, &Value::Null).is_some(), "{key}");
            }
        }
    }
}
