//! Changes of a customer's wallet by an operator, with a reason that the customer sees.
use crate::accounts::queries::{find, terms_of};
use crate::accounts::types::AccountDetail;
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Operator, Write, once};
use crate::ledger::{Movement, lock_wallet, move_money_of};
use crate::mails;
use crate::schema::{accounts, users, wallet_adjustments, wallets};
use crate::security::new_token;
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::account::operator_can_change;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::language::Language;
use postern_core::ledger::Adjustment;
use postern_core::mail::MailTemplate;
use postern_core::money::{Currency, Money};
use postern_core::operator_forms::{ReasonedAmountForm, validate_credit};
use postern_core::rule::Rule;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AdjustWallet {
    pub account_id: i64,
    pub adjustment: Adjustment,
    #[serde(flatten)]
    pub form: ReasonedAmountForm,
}

/// Adds money to a customer's wallet, or takes money from it, and mails the customer the reason. Refused at `Amount` if the wallet has less than is
/// to be taken, with 3003 for operators' accounts, and with `accountClosed` for a closed account.
#[utoipa::path(request_body = AdjustWallet, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/AdjustWallet")]
pub async fn adjust_wallet(app: web::Data<App>, who: Operator, write: Write<AdjustWallet>) -> Answered<Value> {
    let AdjustWallet { account_id, adjustment, form } = write.body.clone();
    let (amount, reason) = validate_credit(&form)?;
    let now = app.clock.now();
    let adjusted = app.db.write(move |conn| {
        terms_of(conn, account_id)?;
        // The second of two concurrent requests finds the first one's answer.
        lock_wallet(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            adjust(conn, account_id, adjustment, (amount, &reason), &who.actor, now)?;
            find(conn, account_id)
        })
    });
    answer(adjusted.await?)
}

/// Moves the money, with the reason, an entry in the audit log, and a mail.
pub fn adjust(
    conn: &mut Conn,
    account_id: i64,
    adjustment: Adjustment,
    (amount, reason): (Money, &str),
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    if !operator_can_change(terms_of(conn, account_id)?.level) {
        return Err(AppError::code(Code::NotPermitted));
    }
    let wallet = lock_wallet(conn, account_id)?;
    let closed_at: Option<NaiveDateTime> = accounts::table.find(account_id).select(accounts::closed_at).first(conn)?;
    if closed_at.is_some() {
        return Err(AppError::in_place("accountClosed"));
    }
    let before = wallet.balance;
    if !adjustment.is_credit() && before < amount {
        return Err(FieldErrors::one("Amount", Rule::AmountMax, &[("Max", before.to_string())]).into());
    }
    let (kind, source) = adjustment.movement();
    let reference = format!("adjustment {}", new_token());
    let movement = Movement { account_id, kind, source, amount, reference, order_id: None };
    let transaction_id = move_money_of(conn, wallet, &movement, now)?;
    let row = (
        wallet_adjustments::id.eq(transaction_id),
        wallet_adjustments::account_id.eq(account_id),
        wallet_adjustments::adjustment.eq(adjustment),
        wallet_adjustments::reason.eq(reason),
    );
    diesel::insert_into(wallet_adjustments::table).values(row).execute(conn)?;
    let of_wallet = wallets::table.find(account_id).select((wallets::balance_minor, wallets::currency));
    let (after, currency): (i64, Currency) = of_wallet.first(conn)?;
    let shown = |money: Money| money.display(currency);
    let after = Money::from_minor(after);
    let (action, template) = match adjustment.is_credit() {
        true => (AuditAction::WalletCredited, MailTemplate::WalletCredited),
        false => (AuditAction::WalletDebited, MailTemplate::WalletDebited),
    };
    let changes = [
        Some(AuditChange::new(AuditField::Adjustment, adjustment.as_str())),
        Some(AuditChange::new(AuditField::Amount, shown(amount))),
        AuditChange::between(AuditField::Balance, shown(before), shown(after)),
    ];
    let entry = Entry::new(action).account(account_id).reason(reason).changes(changes.into_iter().flatten());
    audit::record(conn, actor, entry, now)?;
    let parameters = json!({ "Amount": shown(amount), "Balance": shown(after), "Reason": reason });
    for (email, language) in readers(conn, account_id)? {
        mails::queue(conn, &email, language, template, &parameters, now)?;
    }
    Ok(())
}

fn readers(conn: &mut Conn, account_id: i64) -> Result<Vec<(String, Language)>, AppError> {
    Ok(users::table.filter(users::account_id.eq(account_id)).select((users::email, users::language)).load(conn)?)
}
