//! Forms: which field breaks which rule. A rule is a key of `locales/{language}/validation.json` with its parameters.
use crate::coupon::CouponError;
use crate::forms::account::check_new_password;
use crate::forms::wallet::check_invite_code;
use crate::money::Money;
use crate::quote::{QuoteError, QuoteRequest, quote};
use crate::tier::Catalogue;
use crate::time::to_wire;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const EMAIL_MAX_LENGTH: usize = 254;
pub const PASSWORD_MIN_LENGTH: usize = 10;
pub const PASSWORD_MAX_LENGTH: usize = 128;
pub const INVITE_CODE_MAX_LENGTH: usize = 16;

/// Top-ups, unless the seller sets other limits.
pub const MIN_TOP_UP: Money = Money::from_minor(500);
pub const MAX_TOP_UP: Money = Money::from_minor(1_000_000);
pub const TOP_UP_PRESETS: [Money; 5] = [
    Money::from_minor(2_000),
    Money::from_minor(5_000),
    Money::from_minor(10_000),
    Money::from_minor(20_000),
    Money::from_minor(50_000),
];

/// One broken rule.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Broken {
    pub rule: String,
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, string>"))]
    pub params: BTreeMap<String, String>,
}

/// The broken rules of each field, by the field's name on the wire. Empty when all is well.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct FieldErrors(
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, Broken[]>"))] pub BTreeMap<String, Vec<Broken>>,
);

impl FieldErrors {
    pub fn one(field: &str, rule: &str, params: &[(&str, String)]) -> FieldErrors {
        let mut errors = FieldErrors::default();
        errors.add(field, rule, params);
        errors
    }

    pub fn add(&mut self, field: &str, rule: &str, params: &[(&str, String)]) {
        let mut broken = Broken { rule: rule.to_owned(), params: BTreeMap::new() };
        // One by one: collecting would sort, and the sort weighs 3 KB in the browser.
        for (name, value) in params {
            broken.params.insert((*name).to_owned(), value.clone());
        }
        self.push(field, broken);
    }

    /// Adds a broken rule to a field.
    pub fn push(&mut self, field: &str, broken: Broken) {
        self.0.entry(field.to_owned()).or_default().push(broken);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_result<T>(self, value: T) -> Result<T, FieldErrors> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}

/// An e-mail address in the form in which accounts are told apart: trimmed and in lower case.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct EmailAddress(String);

impl EmailAddress {
    pub fn parse(text: &str) -> Option<EmailAddress> {
        let text = text.trim().to_ascii_lowercase();
        let (local, domain) = text.rsplit_once('@')?;
        let local_is_fine = !local.is_empty()
            && local.len() <= 64
            && local.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte))
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..");
        let label_is_fine = |label: &str| {
            !label.is_empty()
                && label.len() <= 63
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let domain_is_fine = domain.contains('.') && domain.split('.').all(label_is_fine);
        (text.len() <= EMAIL_MAX_LENGTH && local_is_fine && domain_is_fine).then_some(EmailAddress(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct SignUpForm {
    pub email: String,
    pub password: String,
    pub invite_code: String,
}

pub fn validate_sign_up(form: &SignUpForm) -> Result<EmailAddress, FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = check_email(&form.email, &mut errors);
    check_new_password("Password", &form.password, &form.email, &mut errors);
    check_invite_code(&form.invite_code, &mut errors);
    finish(email, errors)
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct LoginForm {
    pub email: String,
    pub password: String,
}

/// Signing in asks only that both are there: which rules a password had to keep when it was made is nobody's business.
pub fn validate_login(form: &LoginForm) -> Result<EmailAddress, FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = check_email(&form.email, &mut errors);
    if form.password.is_empty() {
        errors.add("Password", "required", &[]);
    } else if form.password.chars().count() > PASSWORD_MAX_LENGTH {
        errors.add("Password", "maxLength", &[("Max", PASSWORD_MAX_LENGTH.to_string())]);
    }
    finish(email, errors)
}

/// Asking for a reset needs an address only.
pub fn validate_reset_request(email: &str) -> Result<EmailAddress, FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = check_email(email, &mut errors);
    finish(email, errors)
}

pub fn validate_new_password(password: &str, email: &str) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    check_new_password("Password", password, email, &mut errors);
    errors.into_result(())
}

/// A top-up's amount, as typed, against the shop's limits.
pub fn validate_top_up(amount: &str, min: Money, max: Money) -> Result<Money, FieldErrors> {
    let text = amount.trim();
    if text.is_empty() {
        return Err(FieldErrors::one("Amount", "required", &[]));
    }
    let amount = Money::parse(text).map_err(|_| FieldErrors::one("Amount", "amount", &[]))?;
    if amount < min {
        return Err(FieldErrors::one("Amount", "amountMin", &[("Min", min.to_string())]));
    }
    if amount > max {
        return Err(FieldErrors::one("Amount", "amountMax", &[("Max", max.to_string())]));
    }
    Ok(amount)
}

/// What stands in the way of ordering this, at the field where it is mended. Lines are named `Lines.0.Quantity`.
pub fn validate_order(request: &QuoteRequest, catalogue: &Catalogue) -> Result<(), FieldErrors> {
    quote(request, catalogue).map(|_| ()).map_err(quote_error_fields)
}

pub fn quote_error_fields(error: QuoteError) -> FieldErrors {
    match error {
        QuoteError::UnknownTier => FieldErrors::one("VerStr", "unknownTier", &[]),
        QuoteError::UnknownPeriod => FieldErrors::one("PeriodDays", "unknownPeriod", &[]),
        QuoteError::NoLines => FieldErrors::one("Lines", "chooseAnIp", &[]),
        QuoteError::TooManyLines { max } => FieldErrors::one("Lines", "tooManyCities", &[("Max", max.to_string())]),
        QuoteError::LineQuantityIsZero { line } => {
            FieldErrors::one(&format!("Lines.{line}.Quantity"), "atLeastOne", &[])
        }
        QuoteError::RepeatedCity { line } => FieldErrors::one(&format!("Lines.{line}.City"), "repeatedCity", &[]),
        QuoteError::RepeatedTier { line } => FieldErrors::one(&format!("Lines.{line}.VerStr"), "repeatedTier", &[]),
        QuoteError::TooManyIps { max } => FieldErrors::one("Lines", "tooManyIps", &[("Max", max.to_string())]),
        QuoteError::Coupon(error) => coupon_error_fields(error),
        QuoteError::Overflow => FieldErrors::one("Lines", "amount", &[]),
    }
}

/// Why a coupon does not lower the order, at the field `Coupon`.
pub fn coupon_error_fields(error: CouponError) -> FieldErrors {
    match error {
        CouponError::Unknown => FieldErrors::one("Coupon", "couponUnknown", &[]),
        CouponError::NotYet { valid_from } => {
            FieldErrors::one("Coupon", "couponNotYet", &[("From", to_wire(valid_from))])
        }
        CouponError::Ended => FieldErrors::one("Coupon", "couponEnded", &[]),
        CouponError::UsedUp { limit } => FieldErrors::one("Coupon", "couponUsedUp", &[("Limit", limit.to_string())]),
        CouponError::OtherProducts => FieldErrors::one("Coupon", "couponOtherProducts", &[]),
        CouponError::BelowMinimum { minimum } => {
            FieldErrors::one("Coupon", "couponMinimum", &[("Min", minimum.to_string())])
        }
    }
}

fn check_email(email: &str, errors: &mut FieldErrors) -> Option<EmailAddress> {
    let parsed = EmailAddress::parse(email);
    if email.trim().is_empty() {
        errors.add("Email", "required", &[]);
    } else if parsed.is_none() {
        errors.add("Email", "email", &[]);
    }
    parsed
}

fn finish(email: Option<EmailAddress>, errors: FieldErrors) -> Result<EmailAddress, FieldErrors> {
    match email {
        Some(email) if errors.is_empty() => Ok(email),
        _ => Err(errors),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(errors: FieldErrors) -> Vec<String> {
        errors
            .0
            .iter()
            .flat_map(|(field, broken)| broken.iter().map(move |rule| format!("{field}:{}", rule.rule)))
            .collect()
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "a",
            "a@",
            "@b.co",
            "a@b",
            "a b@c.de",
            "a@b..co",
            "a@-b.co",
            "a..b@c.de",
            ".a@c.de",
            "a@b.co\n.x",
            "a@b@c.de",
            "ä@b.co",
        ] {
            assert_eq!(EmailAddress::parse(text), None, "{text}");
        }
        assert_eq!(EmailAddress::parse(&format!("{}@b.co", "a".repeat(65))), None);
    }

    #[test]
    fn addresses_are_told_apart_without_case_and_blanks() {
        assert_eq!(
            EmailAddress::parse("  Ann.Lee+shop@Example.COM ").map(|email| email.as_str().to_owned()),
            Some("ann.lee+shop@example.com".into())
        );
    }

    #[test]
    fn sign_up_names_every_field_that_is_wrong() {
        let form = SignUpForm { email: "nobody".into(), password: "short".into(), invite_code: "a b".into() };
        assert_eq!(
            rules(validate_sign_up(&form).expect_err("errors")),
            ["Email:email", "InviteCode:inviteCode", "Password:minLength"]
        );
        let form = SignUpForm {
            email: "ann@example.com".into(),
            password: "ANN@example.com".into(),
            invite_code: String::new(),
        };
        assert_eq!(rules(validate_sign_up(&form).expect_err("errors")), ["Password:passwordIsEmail"]);
        let form =
            SignUpForm { email: "ann@example.com".into(), password: "aaaaaaaaaaaa".into(), ..SignUpForm::default() };
        assert_eq!(rules(validate_sign_up(&form).expect_err("errors")), ["Password:passwordTooSimple"]);
        let form = SignUpForm {
            email: "ann@example.com".into(),
            password: "correct horse".into(),
            invite_code: "AB12CD".into(),
        };
        assert!(validate_sign_up(&form).is_ok());
    }

    #[test]
    fn a_top_up_keeps_the_limits() {
        for (amount, rule) in [
            ("", "required"),
            ("ten", "amount"),
            ("1e2", "amount"),
            ("4.99", "amountMin"),
            ("10000.01", "amountMax"),
            ("-5", "amountMin"),
        ] {
            let errors = validate_top_up(amount, MIN_TOP_UP, MAX_TOP_UP).expect_err("errors");
            assert_eq!(rules(errors), [format!("Amount:{rule}")], "{amount}");
        }
        assert_eq!(validate_top_up(" 100 ", MIN_TOP_UP, MAX_TOP_UP), Ok(Money::from_minor(10_000)));
    }
}
