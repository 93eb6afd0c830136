//! Confirms bank transfers, as reported by an operator.
use crate::audit::{self, Actor, Entry};
use crate::charges::payments::{self, PaymentRow};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::fulfilment::payment_views;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Operator, Write, once};
use crate::ledger::lock_wallet;
use crate::order_rows::types::PaymentView;
use crate::payments::{settle, stored};
use crate::schema::{orders, payments as payment_rows};
use crate::security::SecretKey;
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::money::Money;
use postern_core::operator_forms::validate_received;
use postern_core::order::{GatewayReport, PaymentMethod, PaymentState, Verdict};
use postern_core::rule::Rule;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SettlePayment {
    /// A payment by bank transfer: its id, or its order number, which customers put on the transfer.
    pub payment_id: String,
    /// The amount received, as typed, such as `100` or `100.00`: it must equal the amount due, unless `AcceptDifference` is set.
    pub amount: String,
    /// Credits what has arrived, less or more than the amount due: the top-up becomes one of this amount.
    #[serde(default)]
    #[schema(required = false)]
    pub accept_difference: bool,
}

/// Confirms that a bank transfer has arrived, and credits the top-up to the customer's wallet. For operators.
///
/// Refused at the field `Amount` if it differs from the payment's amount and `AcceptDifference` is not set. Settling again changes nothing.
#[utoipa::path(request_body = SettlePayment, responses((status = 200, body = Answer<PaymentView>)))]
#[post("/Order/SettlePayment")]
pub async fn settle_payment(app: web::Data<App>, operator: Operator, write: Write<SettlePayment>) -> Answered<Value> {
    let (now, key, by) = (app.clock.now(), app.key.clone(), (operator.email.clone(), operator.actor.clone()));
    let told = write.body.clone();
    let settled = app.db.write({
        let (key, by) = (key.clone(), by.clone());
        move |conn| {
            once(conn, operator.account_id, &write.repeat, now, |conn| {
                settle(conn, &key, &write.body, &by, now)?.payment()
            })
        }
    });
    let settled = settled.await;
    if settled.as_ref().is_err_and(|error| error.breaks(Rule::AmountDue)) {
        // Rolled back with the key, which keeps no refusal; the callback is kept without one.
        app.db.write(move |conn| settle(conn, &key, &told, &by, now)).await?;
    }
    answer(settled?)
}

/// The outcome of a confirmation.
pub struct Settled {
    pub verdict: Verdict,
    pub payment: PaymentView,
}

impl Settled {
    /// The payment after settling, or the error.
    pub fn payment(self) -> Result<PaymentView, AppError> {
        if self.verdict == Verdict::WrongAmount {
            let due = self.payment.amount.to_string();
            return Err(FieldErrors::one("Amount", Rule::AmountDue, &[("Amount", due)]).into());
        }
        Ok(self.payment)
    }
}

/// Settles a transfer for the command line, with errors as text.
pub fn settle_from_cli(app: &App, told: &SettlePayment) -> anyhow::Result<PaymentView> {
    let now = app.clock.now();
    let settled = app.db.write_blocking(|conn| {
        settle(conn, &app.key, told, &("postern order settle".to_owned(), Actor::command()), now)
    });
    let settled = settled.map_err(|error| match &error {
        AppError::Answer(refusal) if refusal.code == Code::NotFound => {
            anyhow::anyhow!("there is no payment by bank transfer {}", told.payment_id)
        }
        AppError::Answer(refusal) if refusal.code == Code::InvalidFields => {
            anyhow::anyhow!("`{}` is not an amount of money", told.amount)
        }
        _ => anyhow::anyhow!("{error}"),
    })?;
    let PaymentView { amount, currency, .. } = &settled.payment;
    let is_wrong = settled.verdict == Verdict::WrongAmount;
    anyhow::ensure!(
        !is_wrong,
        "the amount due is {amount} {}, not {}: nothing was settled",
        currency.as_str(),
        told.amount
    );
    Ok(settled.payment)
}

/// Settles a payment by transfer. The confirmation is stored among the callbacks with the operator who gave it, even if refused.
pub fn settle(
    conn: &mut Conn,
    key: &SecretKey,
    told: &SettlePayment,
    (by, actor): &(String, Actor),
    now: NaiveDateTime,
) -> Result<Settled, AppError> {
    let name = told.payment_id.trim();
    let transfer = PaymentMethod::Transfer;
    let by_id = payments::by_public_id(conn, name)?.filter(|payment| payment.payment_method == transfer);
    let payment = match by_id {
        Some(payment) => Some(payment),
        None => {
            let order = orders::table.filter(orders::order_number.eq(name)).select(orders::id);
            let of_order = payment_rows::table.filter(payment_rows::order_id.eq_any(order));
            let transfers = of_order.filter(payment_rows::payment_method.eq(transfer));
            transfers.order(payment_rows::id.desc()).select(PaymentRow::as_select()).first(conn).optional()?
        }
    };
    let payment = payment.ok_or_else(|| AppError::code(Code::NotFound))?;
    let amount = match told.accept_difference {
        true => validate_received(&told.amount)?,
        false => Money::read(&told.amount).map_err(|_| FieldErrors::one("Amount", Rule::Amount, &[]))?,
    };
    let due = Money::from_minor(payment.amount_minor);
    let body = json!({
        "PaymentId": payment.public_id,
        "Amount": amount,
        "AmountDue": due,
        "Currency": payment.currency,
        "By": by,
    });
    let kept = stored::store(conn, transfer, body.to_string().as_bytes(), "", "", now)?;
    lock_wallet(conn, payment.account_id)?;
    let state = payments::by_public_id(conn, &payment.public_id)?.map(|payment| payment.state);
    let verdict = if state == Some(PaymentState::Succeeded) {
        // Confirmed before: a person who confirms twice does not mean two transfers.
        Verdict::Duplicate
    } else if due != amount && !told.accept_difference {
        Verdict::WrongAmount
    } else {
        // The operator knows of the difference, so there is no case for one.
        payments::set_amount(conn, payment.id, amount)?;
        let report = GatewayReport::of(true, amount, payment.currency.as_str());
        settle::settle(conn, key, payment.id, &report, None, now)?
    };
    stored::record_verdict(conn, kept.id, Some(payment.id), verdict, now)?;
    let payment = payments::by_public_id(conn, &payment.public_id)?;
    let payment = payment.ok_or_else(|| AppError::internal("a payment is gone"))?;
    let (order_number, account_id): (String, i64) =
        orders::table.find(payment.order_id).select((orders::order_number, orders::account_id)).first(conn)?;
    let entry = Entry::new(AuditAction::PaymentSettled).account(account_id).subject(order_number);
    let shown = |money: Money| money.display(payment.currency);
    let change = match due == amount {
        true => AuditChange::new(AuditField::Amount, shown(amount)),
        false => AuditChange { field: AuditField::Amount, before: Some(shown(due)), after: Some(shown(amount)) },
    };
    let entry = entry.reason(verdict.as_str()).changes([change]);
    audit::record(conn, actor, entry, now)?;
    Ok(Settled { verdict, payment: payment_views::one(conn, payment)? })
}
