//! The call that closes an account.
use crate::closing::queries;
use crate::closing::queries::refuse_losses;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::ledger::lock_wallet;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::users::attempts::check_password;
use crate::users::entered::{read_entered_code, still_current};
use crate::users::two_factor;
use actix_web::{post, web};
use postern_core::permission::Level;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CloseAccount {
    /// The user's password.
    pub password: String,
    /// With two-factor authentication: six digits of the authenticator app, or a recovery code.
    #[serde(default)]
    pub code: String,
    /// Accepts the loss of any remaining balance, proxies, traffic and commissions.
    #[serde(default)]
    pub give_up_balance: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Closed {
    /// Always true: the account is closed, and its token no longer works.
    pub closed: bool,
}

/// Closes the account immediately and permanently. Its proxies, traffic, sessions and links end, and personal data is deleted except where invoices
/// and the ledger need it. The e-mail address can sign up again.
///
/// Refused with code 3333 and the key `closingUnpaidOrders` while orders are unpaid; `closingLeaves` if a balance, proxies, traffic or commissions
/// remain and `GiveUpBalance` is not true, with `Balance`, `Currency`, `Proxies`, `Gigabytes` and `Commissions`;
/// `closingOperator` for operators; `wrongPassword`, `twoFactorNeeded` and `twoFactorWrong`.
#[utoipa::path(request_body = CloseAccount, responses((status = 200, body = Answer<Closed>)))]
#[post("/User/CloseAccount")]
pub async fn close_account(
    app: web::Data<App>,
    who: SignedIn,
    visitor: Visitor,
    Body(form): Body<CloseAccount>,
) -> Answered<Closed> {
    if who.level == Level::Operator {
        return Err(AppError::in_place("closingOperator"));
    }
    let hash = check_password(&app, &who, form.password).await?;
    let now = app.clock.now();
    // Check for refusals before the code is used up.
    let (asked, gives_up) = (who.clone(), form.give_up_balance);
    app.db.read(move |conn| refuse_losses(conn, asked.account_id, gives_up, now)).await?;
    if who.has_two_factor && form.code.trim().is_empty() {
        return Err(AppError::in_place("twoFactorNeeded"));
    }
    let entered = read_entered_code(&app, &who, &form.code).await?;
    let closed = app.db.write(move |conn| {
        // Transactions that move money or create orders lock the wallet first.
        let wallet = lock_wallet(conn, who.account_id)?;
        still_current(conn, who.user_id, &hash)?;
        if two_factor::in_force(conn, who.user_id)?.is_some() {
            entered.use_up(conn, &who, &visitor, now)?;
        }
        refuse_losses(conn, who.account_id, gives_up, now)?;
        queries::close(conn, who.account_id, wallet, now)
    });
    closed.await?;
    answer(Closed { closed: true })
}
