//! The low-balance alert: one mail each time the balance falls below the customer's threshold.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::mails;
use crate::schema::wallets;
use crate::state::App;
use crate::wallet::watching;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::{Currency, Money};
use postern_core::wallet_forms::{is_low_balance, validate_low_balance_alert};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LowBalanceAlert {
    /// The threshold; absent if the alert is off.
    pub threshold: Option<Money>,
    pub currency: Currency,
    /// Whether the balance is below the threshold now. The next mail is sent when it has recovered and falls below again.
    pub is_low: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SetLowBalanceAlert {
    /// As typed, such as `20` or `20.00`; empty to turn the alert off.
    #[serde(default)]
    #[schema(required = false)]
    pub threshold: String,
}

/// Returns the low-balance alert.
#[utoipa::path(responses((status = 200, body = Answer<LowBalanceAlert>)))]
#[post("/Wallet/GetLowBalanceAlert")]
pub async fn get_low_balance_alert(app: web::Data<App>, who: SignedIn) -> Answered<LowBalanceAlert> {
    answer(app.db.read(move |conn| find(conn, who.account_id)).await?)
}

/// Sets the low-balance alert: one mail each time the balance falls below the threshold. If the threshold is above the current balance, no mail is
/// sent at first, and `IsLow` is true.
#[utoipa::path(request_body = SetLowBalanceAlert, responses((status = 200, body = Answer<LowBalanceAlert>)))]
#[post("/Wallet/SetLowBalanceAlert")]
pub async fn set_low_balance_alert(
    app: web::Data<App>,
    who: SignedIn,
    write: Write<SetLowBalanceAlert>,
) -> Answered<Value> {
    let threshold = validate_low_balance_alert(&write.body.threshold)?;
    let now = app.clock.now();
    let set = app.db.write(move |conn| {
        let balance = lock_wallet(conn, who.account_id)?.balance;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let settings = (
                wallets::low_balance_minor.eq(threshold.map(Money::minor)),
                wallets::is_told_of_low_balance.eq(is_low_balance(threshold, balance)),
            );
            diesel::update(wallets::table.find(who.account_id)).set(settings).execute(conn)?;
            watching::begin_or_end(conn, who.account_id, now)?;
            find(conn, who.account_id)
        })
    });
    answer(set.await?)
}

fn find(conn: &mut Conn, account_id: i64) -> Result<LowBalanceAlert, AppError> {
    let columns = (wallets::low_balance_minor, wallets::balance_minor, wallets::currency);
    let (threshold, balance, currency): (Option<i64>, i64, Currency) =
        wallets::table.find(account_id).select(columns).first(conn)?;
    let threshold = threshold.map(Money::from_minor);
    let is_low = is_low_balance(threshold, Money::from_minor(balance));
    Ok(LowBalanceAlert { threshold, currency, is_low })
}

/// Mails if the balance has fallen below the threshold, and re-arms the alert once it has recovered. The wallet must be locked.
pub fn update_alert(conn: &mut Conn, account_id: i64, balance: Money, now: NaiveDateTime) -> Result<(), AppError> {
    let wallet = wallets::table.find(account_id);
    let columns = (wallets::low_balance_minor, wallets::is_told_of_low_balance, wallets::currency);
    let (threshold, was_told, currency): (Option<i64>, bool, Currency) = wallet.select(columns).first(conn)?;
    let Some(threshold) = threshold.map(Money::from_minor) else { return Ok(()) };
    let is_low = is_low_balance(Some(threshold), balance);
    if is_low == was_told {
        return Ok(());
    }
    diesel::update(wallet).set(wallets::is_told_of_low_balance.eq(is_low)).execute(conn)?;
    if !is_low {
        return Ok(());
    }
    let data = json!({ "Balance": balance, "Threshold": threshold, "Currency": currency });
    events::record(conn, account_id, EventKind::WalletLow, &data, now)?;
    let parameters = json!({ "Balance": balance.display(currency), "Threshold": threshold.display(currency) });
    mails::queue_for_account(conn, account_id, EventKind::WalletLow, MailTemplate::LowBalance, &parameters, now)
}
