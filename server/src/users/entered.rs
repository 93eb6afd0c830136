//! A code or password that a signed-in user entered again, consumed in the transaction that it authorises.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::request::SignedIn;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::users::queries;
use crate::users::two_factor::{self, ReadCode, TwoFactor};
use chrono::NaiveDateTime;
use postern_core::security_log::SecurityKind;
use postern_core::two_factor::{CodeBuckets, validate_entered_code};

/// The key of the refusal of a wrong code.
pub const WRONG_CODE: &str = "twoFactorWrong";

/// A code entered in a session: counted and compared, but not consumed yet.
pub struct Entered {
    /// Absent if two-factor authentication is off.
    code: Option<ReadCode>,
    buckets: CodeBuckets,
}

/// Reads a code that a signed-in user entered.
pub async fn read_entered_code(app: &App, who: &SignedIn, text: &str) -> Result<Entered, AppError> {
    let user_id = who.user_id;
    let two_factor: Option<TwoFactor> = app.db.read(move |conn| two_factor::in_force(conn, user_id)).await?;
    let buckets = CodeBuckets::of_session(who.session_id()?);
    let code = match two_factor {
        Some(two_factor) => {
            validate_entered_code(text)?;
            let share = app.costly.passwords.of_account(who.account_id);
            Some(two_factor::read_code(app, &share, &buckets, &two_factor, text).await?)
        }
        None => None,
    };
    Ok(Entered { code, buckets })
}

impl Entered {
    /// Whether the code is certain to be refused.
    pub fn is_wrong(&self) -> bool {
        self.code.as_ref().is_none_or(|code| matches!(code, ReadCode::Wrong))
    }

    /// Consumes the code in the transaction that it authorises, or refuses it.
    pub fn use_up(
        &self,
        conn: &mut Conn,
        who: &SignedIn,
        visitor: &Visitor,
        now: NaiveDateTime,
    ) -> Result<(), AppError> {
        let code = self.code.as_ref().ok_or_else(|| AppError::in_place("twoFactorOff"))?;
        if !two_factor::use_code(conn, who.user_id, code, &self.buckets, now)? {
            return Err(AppError::in_place(WRONG_CODE));
        }
        note_recovery_code(conn, who.user_id, code, visitor, now)
    }
}

/// Logs the use of a recovery code, and how many are left.
pub fn note_recovery_code(
    conn: &mut Conn,
    user_id: i64,
    code: &ReadCode,
    visitor: &Visitor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    if !matches!(code, ReadCode::Recovery(_)) {
        return Ok(());
    }
    let left = two_factor::recovery_codes_left(conn, user_id)?.to_string();
    security_log::note(conn, user_id, SecurityKind::RecoveryCodeUsed, visitor, &left, now)
}

/// Locks the user; refused if the password has changed since it was checked.
pub fn still_current(conn: &mut Conn, user_id: i64, hash: &str) -> Result<(), AppError> {
    let is_current = queries::lock_user(conn, user_id)? == hash;
    is_current.then_some(()).ok_or_else(|| AppError::in_place("wrongPassword"))
}
