//! The first operator of a shop: an account that is made one, or a new one with a link to choose its password.
use crate::accounts::queries::{account_of, set_terms_of, terms_of};
use crate::audit::Actor;
use crate::catalogue::catalogue;
use crate::db::Conn;
use crate::error::{AppError, Refusal};
use crate::state::App;
use crate::users::queries::{PendingSignUp, find_credentials, insert_account, insert_reset};
use crate::users::recovery::NO_PASSWORD;
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::operator_forms::AccountTermsForm;
use postern_core::permission::Level;
use postern_core::staff::StaffRole;

/// What was done for the operator.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Made {
    pub is_new_account: bool,
    pub was_operator: bool,
    /// The token of a link with which a user without a password chooses one.
    pub reset_token: Option<String>,
}

/// Makes the account of this address an operator. An address without an account gets one, whose user has no password yet.
pub fn make_operator(conn: &mut Conn, email: &str, now: NaiveDateTime) -> Result<Made, AppError> {
    let mut made = Made::default();
    if find_credentials(conn, email)?.is_none() {
        let newcomer = PendingSignUp {
            email: email.to_owned(),
            password_hash: NO_PASSWORD.to_owned(),
            invite_code: String::new(),
            marketing: "{}".to_owned(),
            language: Language::En,
            time_zone: "UTC".to_owned(),
            accepted_texts: Vec::new(),
        };
        let currency = catalogue(conn)?.currency;
        made.is_new_account = insert_account(conn, &newcomer, Level::Customer, currency, now)?.is_some();
    }
    let account_id = account_of(conn, email)?;
    made.was_operator = terms_of(conn, account_id)?.role_in_force() == Some(StaffRole::Operator);
    if !made.was_operator {
        appoint(conn, email, now)?;
    }
    let credentials = find_credentials(conn, email)?.filter(|found| found.password_hash == NO_PASSWORD);
    made.reset_token = credentials.map(|found| insert_reset(conn, found.user_id, now)).transpose()?;
    Ok(made)
}

/// Raises the account's level, as `postern account level` does.
fn appoint(conn: &mut Conn, email: &str, now: NaiveDateTime) -> Result<(), AppError> {
    let form =
        AccountTermsForm { level: Level::Operator.number(), discount: String::new(), role: Some(StaffRole::Operator) };
    set_terms_of(conn, email, &form, &Actor::command(), now).map(drop)
}

/// Says what to do if no user has this address yet.
pub fn ensure_user(app: &App, email: &str, level: Level) -> anyhow::Result<()> {
    match app.db.read_blocking(|conn| account_of(conn, email)) {
        Err(AppError::Answer(Refusal { code: Code::NotFound, .. })) => {
            let or_init = if level == Level::Operator {
                format!(", or create the account with `postern init --operator {}`", email.trim())
            } else {
                String::new()
            };
            anyhow::bail!(
                "no user has the address {}: sign up with it at {}/sign-up first{or_init}",
                email.trim(),
                app.config.public_url
            )
        }
        // What else is wrong, the change itself tells.
        _ => Ok(()),
    }
}
