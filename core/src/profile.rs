//! Account profile: customer details, preferences and password changes.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::language::Language;
use crate::place;
use crate::rule::Rule;
use crate::time::is_time_zone;
use crate::web_address::WebAddress;
use serde::{Deserialize, Serialize};

pub const PASSWORD_MIN_LENGTH: usize = 10;
pub const PASSWORD_MAX_LENGTH: usize = 128;

pub const NAME_MAX_LENGTH: usize = 80;
pub const COMPANY_MAX_LENGTH: usize = 120;
pub const ADDRESS_MAX_LENGTH: usize = 200;
pub const POSTAL_CODE_MAX_LENGTH: usize = 16;
pub const TAX_NUMBER_MAX_LENGTH: usize = 32;
pub const MESSENGER_MAX_LENGTH: usize = 80;

/// The number of digits of a telephone number with its country code.
pub const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

/// The minimum score of a new password, on zxcvbn's scale from 0 (guessed immediately) to 4.
pub const PASSWORD_MIN_SCORE: u8 = 3;

/// The digits and signs that zxcvbn reads as letters, by letter: a, b, c, e, g, i, l, o, s, t, x, z.
const STAND_FOR_LETTERS: [&str; 12] = ["4@", "8", "({[<", "3", "69", "1!|", "1|7", "0", "$5", "+7", "%", "2"];

/// The maximum cube of the length of the estimated part, times its combinations of letters.
const MOST_ESTIMATED: usize = 100_000;

/// The customer's details, as shown on invoices. All fields may be empty.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct AccountDetails {
    pub first_name: String,
    pub last_name: String,
    pub company_name: String,
    /// Stored as `+` and digits.
    pub phone: String,
    pub tax_number: String,
    /// An http or https address.
    pub website: String,
    /// The customer's messenger contact, as free text: `Telegram @ann`.
    pub messenger: String,
    pub address: String,
    pub city: String,
    /// The two-letter code.
    pub country: String,
    pub postal_code: String,
}

impl AccountDetails {
    /// The person's name in the order of its script: `Ann Lee`, but `王伟` for the first name `伟` and the last name `王`. Empty without a name.
    pub fn full_name(&self) -> String {
        let (first, last) = (self.first_name.as_str(), self.last_name.as_str());
        if is_han(first) && is_han(last) { [last, first].concat() } else { [first, last].join(" ").trim().to_owned() }
    }

    /// The name to show: the company, otherwise the person; empty without either.
    pub fn display_name(&self) -> String {
        if self.company_name.is_empty() { self.full_name() } else { self.company_name.clone() }
    }
}

/// Whether a text consists of Chinese characters.
fn is_han(text: &str) -> bool {
    let is_han_char = |c| matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}');
    !text.is_empty() && text.chars().all(is_han_char)
}

/// Validates the details and returns them as stored.
pub fn validate_account_details(form: &AccountDetails) -> Result<AccountDetails, FieldErrors> {
    let mut checks = Checks::default();
    let details = AccountDetails {
        first_name: checks.line("FirstName", &form.first_name, NAME_MAX_LENGTH),
        last_name: checks.line("LastName", &form.last_name, NAME_MAX_LENGTH),
        company_name: checks.line("CompanyName", &form.company_name, COMPANY_MAX_LENGTH),
        phone: check_phone(&form.phone, &mut checks),
        tax_number: check_tax_number(&form.tax_number, &mut checks),
        website: check_website(&form.website, &mut checks),
        messenger: checks.line("Messenger", &form.messenger, MESSENGER_MAX_LENGTH),
        address: checks.line("Address", &form.address, ADDRESS_MAX_LENGTH),
        city: checks.line("City", &form.city, NAME_MAX_LENGTH),
        country: check_country(&form.country, &mut checks),
        postal_code: check_postal_code(&form.postal_code, &mut checks),
    };
    checks.finish(details)
}

/// A plus and 7 to 15 digits; spaces, hyphens, dots and parentheses in between are dropped.
fn check_phone(text: &str, checks: &mut Checks) -> String {
    let text = text.trim();
    let kept: String = text.chars().filter(|character| !matches!(character, ' ' | '-' | '.' | '(' | ')')).collect();
    let digits = kept.strip_prefix('+').unwrap_or_default();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit())
        && PHONE_DIGITS.contains(&digits.len())
        && !digits.starts_with('0');
    if !text.is_empty() && !is_number {
        checks.broken("Phone", Rule::Phone, &[]);
    }
    kept
}

/// Letters, digits, and the separators used in tax numbers; stored in upper case.
fn check_tax_number(text: &str, checks: &mut Checks) -> String {
    let text = text.trim().to_ascii_uppercase();
    let is_number = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -./".contains(&byte));
    if text.len() > TAX_NUMBER_MAX_LENGTH {
        checks.broken("TaxNumber", Rule::MaxLength, &[("Max", TAX_NUMBER_MAX_LENGTH.to_string())]);
    } else if !is_number {
        checks.broken("TaxNumber", Rule::TaxNumber, &[]);
    }
    text
}

fn check_website(text: &str, checks: &mut Checks) -> String {
    let text = text.trim();
    let is_fine = WebAddress::parse(text).is_ok_and(|address| !address.has_credentials);
    if !text.is_empty() && !is_fine {
        checks.broken("Website", Rule::Website, &[]);
    }
    text.to_owned()
}

fn check_country(text: &str, checks: &mut Checks) -> String {
    let text = text.trim().to_ascii_uppercase();
    if !text.is_empty() && !place::is_country(&text) {
        checks.broken("Country", Rule::Country, &[]);
    }
    text
}

fn check_postal_code(text: &str, checks: &mut Checks) -> String {
    let text = text.trim().to_ascii_uppercase();
    let is_code = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -".contains(&byte));
    if text.len() > POSTAL_CODE_MAX_LENGTH {
        checks.broken("PostalCode", Rule::MaxLength, &[("Max", POSTAL_CODE_MAX_LENGTH.to_string())]);
    } else if !is_code {
        checks.broken("PostalCode", Rule::PostalCode, &[]);
    }
    text
}

/// A user's language and time zone.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Preferences {
    /// The language of screens and mails.
    pub language: Language,
    /// An IANA time zone, such as `Asia/Shanghai`. The cycles of proxy users' limits follow it.
    pub time_zone: String,
}

/// Validates preferences.
pub fn validate_preferences(form: &Preferences) -> Result<Preferences, FieldErrors> {
    let mut checks = Checks::default();
    let time_zone = form.time_zone.trim();
    if !is_time_zone(time_zone) {
        checks.broken("TimeZone", Rule::TimeZone, &[]);
    }
    checks.finish(Preferences { language: form.language, time_zone: time_zone.to_owned() })
}

/// A password change by a signed-in user.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct PasswordChangeForm {
    pub current_password: String,
    pub new_password: String,
}

/// Validates a password change for this e-mail address. Only the server can check the current password; the strength of the new one is
/// checked by `validate_password_score`.
pub fn validate_password_change(form: &PasswordChangeForm, email: &str) -> Result<(), FieldErrors> {
    let mut checks = Checks::default();
    check_entered_password("CurrentPassword", &form.current_password, &mut checks);
    check_new_password("NewPassword", &form.new_password, email, &mut checks.0);
    if !form.new_password.is_empty() && form.new_password == form.current_password {
        checks.broken("NewPassword", Rule::PasswordSame, &[]);
    }
    checks.finish(())
}

/// Validates the current password, re-entered by a signed-in user. Only the server can check whether it is correct.
pub fn validate_entered_password(password: &str) -> Result<(), FieldErrors> {
    let mut checks = Checks::default();
    check_entered_password("Password", password, &mut checks);
    checks.finish(())
}

fn check_entered_password(field: &str, password: &str, checks: &mut Checks) {
    if password.is_empty() {
        checks.broken(field, Rule::Required, &[]);
    } else if password.chars().count() > PASSWORD_MAX_LENGTH {
        checks.broken(field, Rule::MaxLength, &[("Max", PASSWORD_MAX_LENGTH.to_string())]);
    }
}

/// Checks a new password, except its strength. `field` is the field's name on the wire.
pub(crate) fn check_new_password(field: &str, password: &str, email: &str, errors: &mut FieldErrors) {
    let length = password.chars().count();
    let first = password.chars().next();
    if password.is_empty() {
        errors.add(field, Rule::Required, &[]);
    } else if length < PASSWORD_MIN_LENGTH {
        errors.add(field, Rule::MinLength, &[("Min", PASSWORD_MIN_LENGTH.to_string())]);
    } else if length > PASSWORD_MAX_LENGTH {
        errors.add(field, Rule::MaxLength, &[("Max", PASSWORD_MAX_LENGTH.to_string())]);
    } else if password.chars().all(|character| Some(character) == first) {
        errors.add(field, Rule::PasswordTooSimple, &[]);
    } else if !email.is_empty() && password.eq_ignore_ascii_case(email.trim()) {
        errors.add(field, Rule::PasswordIsEmail, &[]);
    }
}

/// Validates a new password's strength by its score, 0 to 4, as estimated by the crate `zxcvbn`. The estimator's dictionaries are too large
/// for a browser, so the server computes the score (with `password_context` as the estimator's user inputs) after the form has passed
/// validation. `field` is the password's field on the wire: `Password`, or `NewPassword` for a change.
pub fn validate_password_score(field: &str, score: u8) -> Result<(), FieldErrors> {
    if score < PASSWORD_MIN_SCORE { Err(FieldErrors::one(field, Rule::PasswordTooSimple, &[])) } else { Ok(()) }
}

/// The beginning of a new password, whose strength is estimated for the whole: what follows can only make it harder to guess. The estimator tries all
/// combinations of the letters that its digits and signs may stand for on all parts of the text, which takes seconds for a hundred of them. Here a text of
/// words is up to 46 characters long, and one of many such signs at least ten: a few milliseconds.
pub fn estimated_part(password: &str) -> &str {
    let ends = password.char_indices().map(|(index, character)| index + character.len_utf8());
    let is_short = |(index, end): &(usize, usize)| {
        let length = index + 1;
        length <= PASSWORD_MIN_LENGTH || length.pow(3) * combinations(&password[..*end]) <= MOST_ESTIMATED
    };
    let end = ends.enumerate().take_while(is_short).last().map_or(0, |(_, end)| end);
    &password[..end]
}

/// How many ways the estimator sees to read the digits and signs of this text as letters.
fn combinations(text: &str) -> usize {
    let ways = |signs: &&str| signs.chars().filter(|sign| text.contains(*sign)).count().max(1);
    STAND_FOR_LETTERS.iter().map(ways).product()
}

/// Obvious guesses for a user with this e-mail address: the address, its parts, and the shop's name. Lower case, without parts shorter than
/// three characters.
pub fn password_context(email: &str, shop_name: &str) -> Vec<String> {
    let (email, shop_name) = (email.trim().to_lowercase(), shop_name.trim().to_lowercase());
    let mut context = vec![email.clone(), shop_name.clone()];
    let parts = email.split(|character: char| !character.is_alphanumeric());
    context.extend(parts.chain(shop_name.split_whitespace()).map(str::to_owned));
    context.retain(|part| part.chars().count() >= 3);
    context.sort();
    context.dedup();
    context
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    #[test]
    fn implausible_details_are_rejected_at_their_fields() {
        let form = AccountDetails {
            first_name: "a".repeat(81),
            last_name: "Lee\u{202e}".into(),
            company_name: "Two\nlines".into(),
            phone: "0123456".into(),
            tax_number: "DE*1".into(),
            website: "example.com".into(),
            messenger: "\u{7}".into(),
            address: "x".repeat(201),
            city: "c".repeat(81),
            country: "XX".into(),
            postal_code: "12_345".into(),
        };
        assert_eq!(
            rules(validate_account_details(&form).expect_err("errors")),
            [
                "Address:maxLength 200",
                "City:maxLength 80",
                "CompanyName:invisibleCharacters",
                "Country:country",
                "FirstName:maxLength 80",
                "LastName:invisibleCharacters",
                "Messenger:invisibleCharacters",
                "Phone:phone",
                "PostalCode:postalCode",
                "TaxNumber:taxNumber",
                "Website:website",
            ]
        );
    }

    #[test]
    fn details_are_stored_in_canonical_form() {
        let form = AccountDetails {
            first_name: " Ann ".into(),
            phone: "+1 (415) 555-0100".into(),
            tax_number: "de 123456789".into(),
            website: "https://example.com/shop?a=1".into(),
            country: "us".into(),
            postal_code: "sw1a 1aa".into(),
            city: "上海".into(),
            ..AccountDetails::default()
        };
        let kept = validate_account_details(&form).expect("details");
        assert_eq!(
            [&kept.first_name, &kept.phone, &kept.tax_number, &kept.country, &kept.postal_code, &kept.city],
            ["Ann", "+14155550100", "DE 123456789", "US", "SW1A 1AA", "上海"]
        );
        assert_eq!(validate_account_details(&kept), Ok(kept.clone()));
        assert!(validate_account_details(&AccountDetails::default()).is_ok());
    }

    #[test]
    fn a_name_has_the_order_of_its_script() {
        for (first, last, company, full, displayed) in [
            ("Ann", "Lee", "", "Ann Lee", "Ann Lee"),
            ("伟", "王", "", "王伟", "王伟"),
            ("Wei", "王", "", "Wei 王", "Wei 王"),
            ("", "王", "", "王", "王"),
            ("Ann", "", "Ann Trading", "Ann", "Ann Trading"),
            ("", "", "", "", ""),
        ] {
            let details = AccountDetails {
                first_name: first.into(),
                last_name: last.into(),
                company_name: company.into(),
                ..AccountDetails::default()
            };
            assert_eq!((details.full_name().as_str(), details.display_name().as_str()), (full, displayed));
        }
    }

    #[test]
    fn telephone_numbers_have_a_country_code() {
        for (phone, is_fine) in [
            ("+8613800138000", true),
            ("+44 20 7946 0958", true),
            ("13800138000", false),
            ("+0123456789", false),
            ("+123456", false),
            ("+1234567890123456", false),
            ("+12345ext7", false),
            ("+", false),
            ("++4915112345678", false),
        ] {
            let form = AccountDetails { phone: phone.into(), ..AccountDetails::default() };
            assert_eq!(validate_account_details(&form).is_ok(), is_fine, "{phone}");
        }
    }

    #[test]
    fn only_existing_time_zones_are_valid() {
        let check = |time_zone: &str| {
            let form = Preferences { language: Language::Zh, time_zone: time_zone.into() };
            validate_preferences(&form).map(|kept| kept.time_zone).map_err(rules)
        };
        assert_eq!(check(" Asia/Shanghai "), Ok("Asia/Shanghai".to_owned()));
        for wrong in ["", "Asia/Nowhere", "+08:00"] {
            assert_eq!(check(wrong), Err(vec!["TimeZone:timeZone".to_owned()]), "{wrong}");
        }
    }

    #[test]
    fn a_change_needs_the_current_password_and_a_different_new_one() {
        let check = |current: &str, new: &str| {
            let form = PasswordChangeForm { current_password: current.into(), new_password: new.into() };
            validate_password_change(&form, "ann@example.com").map_err(rules)
        };
        assert_eq!(check("", ""), Err(vec!["CurrentPassword:required".into(), "NewPassword:required".into()]));
        assert_eq!(check("old password", "short"), Err(vec!["NewPassword:minLength 10".into()]));
        assert_eq!(check("old password", "old password"), Err(vec!["NewPassword:passwordSame".into()]));
        assert_eq!(check("old password", "ann@EXAMPLE.com"), Err(vec!["NewPassword:passwordIsEmail".into()]));
        assert_eq!(check("old password", "aaaaaaaaaa"), Err(vec!["NewPassword:passwordTooSimple".into()]));
        assert_eq!(check("old password", &"ab".repeat(65)), Err(vec!["NewPassword:maxLength 128".into()]));
        assert_eq!(check("x", "correct horse"), Ok(()));
    }

    #[test]
    fn the_current_password_is_only_checked_for_its_length() {
        let check = |password: &str| validate_entered_password(password).map_err(rules);
        assert_eq!(check(""), Err(vec!["Password:required".into()]));
        assert_eq!(check(&"a".repeat(129)), Err(vec!["Password:maxLength 128".into()]));
        assert_eq!(check("short"), Ok(()));
    }

    #[test]
    fn an_easily_guessed_password_is_rejected() {
        for score in 0..PASSWORD_MIN_SCORE {
            let errors = validate_password_score("NewPassword", score).expect_err("errors");
            assert_eq!(rules(errors), ["NewPassword:passwordTooSimple"]);
        }
        assert!((PASSWORD_MIN_SCORE..=4).all(|score| validate_password_score("Password", score).is_ok()));
    }

    #[test]
    fn less_of_a_password_is_estimated_the_more_ways_there_are_to_read_it() {
        let length = |password: &str| estimated_part(password).chars().count();
        assert_eq!(estimated_part("correct horse battery"), "correct horse battery");
        assert_eq!([length(""), length(&"密码".repeat(60)), length(&"ab".repeat(64))], [0, 46, 46]);
        assert_eq!(length(&"1234567890".repeat(12)), 29, "g, l: two ways each");
        assert_eq!(length("({[<!1|4@69$5+7803%2"), 10, "the shortest password is always estimated as a whole");
    }

    #[test]
    fn the_estimator_gets_the_obvious_guesses() {
        assert_eq!(
            password_context("Ann.Lee@shop.example.co", "Proxy Corner"),
            ["ann", "ann.lee@shop.example.co", "corner", "example", "lee", "proxy", "proxy corner", "shop"]
        );
    }
}
