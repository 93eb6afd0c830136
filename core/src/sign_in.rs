//! Sign-up and sign-in: e-mail addresses and the forms.
use crate::field_errors::FieldErrors;
use crate::profile::{PASSWORD_MAX_LENGTH, check_new_password};
use crate::rule::Rule;
use crate::wallet_forms::check_invite_code;
use serde::{Deserialize, Serialize};

pub const EMAIL_MAX_LENGTH: usize = 254;

/// An e-mail address in canonical form, which identifies a user: trimmed and in lower case.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct EmailAddress(String);

impl EmailAddress {
    pub fn parse(text: &str) -> Option<EmailAddress> {
        let text = text.trim().to_ascii_lowercase();
        let (local, domain) = text.rsplit_once('@')?;
        let local_is_fine = local.len() <= 64
            && local.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte))
            && local.split('.').all(|part| !part.is_empty());
        let label_is_fine = |label: &str| {
            !label.is_empty()
                && label.len() <= 63
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let domain_is_fine = domain.as_bytes().contains(&b'.') && domain.split('.').all(label_is_fine);
        (text.len() <= EMAIL_MAX_LENGTH && local_is_fine && domain_is_fine).then_some(EmailAddress(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address that names the inbox: without the `+tag` of an alias, and at Gmail without dots. Aliases of one inbox share its limits.
    ///
    /// ```
    /// use postern_core::sign_in::EmailAddress;
    /// let inbox = |text: &str| EmailAddress::parse(text).expect("an address").inbox();
    /// assert_eq!(inbox("Ann+shop@example.com"), "ann@example.com");
    /// assert_eq!(inbox("a.n.n+1@googlemail.com"), "ann@gmail.com");
    /// ```
    pub fn inbox(&self) -> String {
        let (local, domain) = self.0.rsplit_once('@').unwrap_or((&self.0, ""));
        let untagged = local.split('+').next().filter(|untagged| !untagged.is_empty()).unwrap_or(local);
        match domain {
            "gmail.com" | "googlemail.com" => format!("{}@gmail.com", untagged.replace('.', "")),
            _ => format!("{untagged}@{domain}"),
        }
    }
}

/// The inbox of an address as stored: see [`EmailAddress::inbox`].
pub fn inbox_of(email: &str) -> String {
    EmailAddress::parse(email).map_or_else(|| email.to_owned(), |email| email.inbox())
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

/// Sign-in only checks that both fields are filled, because the password rules may have changed since sign-up.
pub fn validate_login(form: &LoginForm) -> Result<EmailAddress, FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = check_email(&form.email, &mut errors);
    check_entered_password(&form.password, &mut errors);
    finish(email, errors)
}

/// The password that the mailed link of a sign-up asks for: the one entered at the sign-up.
pub fn validate_sign_up_password(password: &str) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    check_entered_password(password, &mut errors);
    errors.into_result(())
}

fn check_entered_password(password: &str, errors: &mut FieldErrors) {
    if password.is_empty() {
        errors.add("Password", Rule::Required, &[]);
    } else if password.chars().count() > PASSWORD_MAX_LENGTH {
        errors.add("Password", Rule::MaxLength, &[("Max", PASSWORD_MAX_LENGTH.to_string())]);
    }
}

/// A request to reset a password has only an e-mail address.
pub fn validate_reset_request(email: &str) -> Result<EmailAddress, FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = check_email(email, &mut errors);
    finish(email, errors)
}

/// Validates a user's new e-mail address, which must differ from `current`.
pub fn validate_email_change(email: &str, current: &str) -> Result<EmailAddress, FieldErrors> {
    let mut errors = FieldErrors::default();
    let email = check_email(email, &mut errors);
    if email.as_ref().is_some_and(|email| email.as_str() == current) {
        errors.add("Email", Rule::EmailSame, &[]);
    }
    finish(email, errors)
}

pub fn validate_new_password(password: &str, email: &str) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    check_new_password("Password", password, email, &mut errors);
    errors.into_result(())
}

fn check_email(email: &str, errors: &mut FieldErrors) -> Option<EmailAddress> {
    let parsed = EmailAddress::parse(email);
    if email.trim().is_empty() {
        errors.add("Email", Rule::Required, &[]);
    } else if parsed.is_none() {
        errors.add("Email", Rule::Email, &[]);
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
    use crate::checks::rule_keys as rules;

    #[test]
    fn invalid_addresses_are_rejected() {
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
    fn a_new_address_must_differ() {
        let check = |email: &str| validate_email_change(email, "ann@example.com").map_err(rules);
        assert_eq!(check(" ANN@example.com"), Err(vec!["Email:emailSame".into()]));
        assert_eq!(check("ann"), Err(vec!["Email:email".into()]));
        assert_eq!(check(""), Err(vec!["Email:required".into()]));
        assert!(check("ann.lee@example.com").is_ok());
    }

    #[test]
    fn addresses_are_compared_without_case_and_surrounding_spaces() {
        assert_eq!(
            EmailAddress::parse("  Ann.Lee+shop@Example.COM ").map(|email| email.as_str().to_owned()),
            Some("ann.lee+shop@example.com".into())
        );
    }

    #[test]
    fn every_invalid_field_of_a_sign_up_is_reported() {
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
}
