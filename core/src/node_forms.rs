//! Forms for nodes: credentials, groups, notes, reasons for switching.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use crate::switch::REASON_MAX_LENGTH;
use serde::{Deserialize, Serialize};

pub const NODE_USER_NAME_LENGTH: std::ops::RangeInclusive<usize> = 4..=32;
pub const NODE_PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=64;
pub const NOTE_MAX_LENGTH: usize = 256;
pub const GROUP_NAME_MAX_LENGTH: usize = 40;

/// The maximum number of groups per account.
pub const MAX_GROUPS: u32 = 200;

/// The credentials of nodes. An empty field leaves each node's value unchanged; at least one is required.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct NodeAccountForm {
    pub user_name: String,
    pub password: String,
}

/// Validates credentials of nodes. Valid ones need no escaping in any endpoint format, URL or spreadsheet.
pub fn validate_node_account(form: &NodeAccountForm) -> Result<NodeAccountForm, FieldErrors> {
    let mut checks = Checks::default();
    let (user_name, password) = (form.user_name.trim(), form.password.as_str());
    if user_name.is_empty() && password.is_empty() {
        checks.broken("UserName", Rule::CredentialsEmpty, &[]);
    }
    if !user_name.is_empty() {
        check_user_name("UserName", user_name, &mut checks);
    }
    if !password.is_empty() {
        check_password("Password", password, user_name, &mut checks);
    }
    checks.finish(NodeAccountForm { user_name: user_name.to_owned(), password: password.to_owned() })
}

/// Lower-case letters, digits and `_`, starting with a letter: a valid name in the grammar of user names.
pub(super) fn check_user_name(field: &str, user_name: &str, checks: &mut Checks) {
    let is_name = user_name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && user_name.starts_with(|first: char| first.is_ascii_lowercase());
    if !check_length(field, user_name, NODE_USER_NAME_LENGTH, checks) {
    } else if !is_name {
        checks.broken(field, Rule::UserName, &[]);
    }
}

/// Letters, digits and `.`, `_`, `~`, `-`, starting with a letter or digit; at least one letter and one digit; must not contain the user
/// name.
pub(super) fn check_password(field: &str, password: &str, user_name: &str, checks: &mut Checks) {
    let is_plain = password.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte))
        && password.starts_with(|first: char| first.is_ascii_alphanumeric());
    let has = |kind: fn(&u8) -> bool| password.bytes().any(|byte| kind(&byte));
    if !check_length(field, password, NODE_PASSWORD_LENGTH, checks) {
    } else if !is_plain {
        checks.broken(field, Rule::ProxyPassword, &[]);
    } else if !has(u8::is_ascii_alphabetic) || !has(u8::is_ascii_digit) {
        checks.broken(field, Rule::ProxyPasswordKinds, &[]);
    } else if !user_name.is_empty() && contains_ignoring_case(password, user_name) {
        checks.broken(field, Rule::PasswordHasUserName, &[]);
    }
}

fn check_length(field: &str, text: &str, limits: std::ops::RangeInclusive<usize>, checks: &mut Checks) -> bool {
    let length = text.chars().count();
    if length < *limits.start() {
        checks.broken(field, Rule::MinLength, &[("Min", limits.start().to_string())]);
    } else if length > *limits.end() {
        checks.broken(field, Rule::MaxLength, &[("Max", limits.end().to_string())]);
    }
    limits.contains(&length)
}

/// A group of nodes.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct PlanGroupForm {
    pub name: String,
    /// `#` and six hexadecimal digits; empty for none. Stored in lower case.
    pub colour: String,
    pub note: String,
}

/// Validates a group and returns it as stored. Only the server can check that its `plan_group_key` is unique in the account.
pub fn validate_plan_group(form: &PlanGroupForm) -> Result<PlanGroupForm, FieldErrors> {
    let mut checks = Checks::default();
    let name = checks.required_line("Name", &form.name, GROUP_NAME_MAX_LENGTH);
    let colour = form.colour.trim().to_ascii_lowercase();
    let is_colour = colour
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if !colour.is_empty() && !is_colour {
        checks.broken("Colour", Rule::Colour, &[]);
    }
    let note = checks.line("Note", &form.note, NOTE_MAX_LENGTH);
    checks.finish(PlanGroupForm { name, colour, note })
}

/// The key that must be unique among an account's groups: names that differ only in spaces or in the case of letters have the same key.
/// Through the upper case, as `ß` is `SS` there.
pub fn plan_group_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().to_uppercase().to_lowercase()
}

/// A node's note: one line. Empty removes it.
pub fn validate_node_note(note: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let note = checks.line("Note", note, NOTE_MAX_LENGTH);
    checks.finish(note)
}

/// The reason for a switch, as free text: one line, may be empty.
pub fn validate_switch_reason(reason: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let reason = checks.line("Reason", reason, REASON_MAX_LENGTH);
    checks.finish(reason)
}

/// Whether `text` contains `part`, ignoring the case of ASCII letters. Compares bytes: the standard library's search would add a kilobyte
/// to the wasm file.
fn contains_ignoring_case(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;
    use crate::network::validate_whitelist_label;

    #[test]
    fn credentials_that_need_escaping_or_are_weak_are_rejected() {
        for (user_name, password, broken) in [
            ("", "", vec!["UserName:credentialsEmpty"]),
            ("ann", "", vec!["UserName:minLength 4"]),
            (&"a".repeat(33), "", vec!["UserName:maxLength 32"]),
            ("Anna", "", vec!["UserName:userName"]),
            ("4nna", "", vec!["UserName:userName"]),
            ("an-na", "", vec!["UserName:userName"]),
            ("", "abc1234", vec!["Password:minLength 8"]),
            ("", &"a1".repeat(33), vec!["Password:maxLength 64"]),
            ("", "pass:word1", vec!["Password:proxyPassword"]),
            ("", "-password1", vec!["Password:proxyPassword"]),
            ("", "pass word1", vec!["Password:proxyPassword"]),
            ("", "密码密码密码密码1", vec!["Password:proxyPassword"]),
            ("", "passwords", vec!["Password:proxyPasswordKinds"]),
            ("", "123456789", vec!["Password:proxyPasswordKinds"]),
            ("anna", "xANNAx1234", vec!["Password:passwordHasUserName"]),
        ] {
            let form = NodeAccountForm { user_name: user_name.into(), password: password.into() };
            assert_eq!(rules(validate_node_account(&form).expect_err("errors")), broken, "{form:?}");
        }
    }

    #[test]
    fn generated_credentials_are_valid() {
        for byte in 0..=255_u8 {
            let form = NodeAccountForm {
                user_name: crate::account::node_user_name([byte; 8]),
                password: crate::account::node_password(std::array::from_fn(|index| {
                    (index as u8 * 2).wrapping_add(byte)
                })),
            };
            let has_both = form.password.bytes().any(|byte| byte.is_ascii_digit())
                && form.password.bytes().any(|byte| byte.is_ascii_alphabetic());
            assert_eq!(validate_node_account(&form).is_ok(), has_both, "{form:?}");
        }
        let form = NodeAccountForm { user_name: " anna_1 ".into(), password: "k3y.of_anne~-".into() };
        assert_eq!(validate_node_account(&form).map(|kept| kept.user_name), Ok("anna_1".into()));
    }

    #[test]
    fn a_group_has_a_name_and_optionally_a_colour_and_a_note() {
        let check = |name: &str, colour: &str, note: &str| {
            let form = PlanGroupForm { name: name.into(), colour: colour.into(), note: note.into() };
            validate_plan_group(&form).map_err(rules)
        };
        assert_eq!(check(" ", "", ""), Err(vec!["Name:required".into()]));
        assert_eq!(check(&"n".repeat(41), "", ""), Err(vec!["Name:maxLength 40".into()]));
        assert_eq!(check("a\tb", "", ""), Err(vec!["Name:invisibleCharacters".into()]));
        assert_eq!(check("a", "red", ""), Err(vec!["Colour:colour".into()]));
        assert_eq!(check("a", "#12345g", ""), Err(vec!["Colour:colour".into()]));
        assert_eq!(check("a", "", &"n".repeat(257)), Err(vec!["Note:maxLength 256".into()]));
        let kept = check(" 店铺 A ", "#AABBCC", " two ").expect("a group");
        assert_eq!([&kept.name, &kept.colour, &kept.note], ["店铺 A", "#aabbcc", "two"]);
        assert_eq!(plan_group_key(" Shop   A "), plan_group_key("shop a"));
        assert_ne!(plan_group_key("shop a"), plan_group_key("shopa"));
        for (one, other) in [
            ("ÉCOLE", "école"),
            ("МАГАЗИН", "магазин"),
            ("ΣΟΦΟΣ", "σοφος"),
            ("σοφος", "σοφοσ"),
            ("Straße", "STRASSE"),
            ("ẞ", "ß"),
        ] {
            assert_eq!(plan_group_key(one), plan_group_key(other));
        }
        assert_ne!(plan_group_key("école"), plan_group_key("ecole"));
    }

    #[test]
    fn notes_are_one_line_of_limited_length() {
        assert_eq!(validate_node_note(" mine ").map_err(rules), Ok("mine".into()));
        assert_eq!(validate_node_note("a\nb").map_err(rules), Err(vec!["Note:invisibleCharacters".into()]));
        assert_eq!(validate_whitelist_label(&"n".repeat(41)).map_err(rules), Err(vec!["Label:maxLength 40".into()]));
        assert_eq!(validate_whitelist_label("办公室").map_err(rules), Ok("办公室".into()));
        assert_eq!(validate_switch_reason(&"r".repeat(201)).map_err(rules), Err(vec!["Reason:maxLength 200".into()]));
        assert_eq!(validate_switch_reason("").map_err(rules), Ok(String::new()));
    }
}
