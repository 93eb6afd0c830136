//! Bank transfer: a page that says where to send the money, and an operator who says that it has come. Nobody can be asked, so a
//! payment ends with its order.
use super::{Gateway, Reading};
use crate::answer::{Answer, Answered, answer, language_of};
use crate::config::Config;
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::payments::{self, PaymentRow, StoredCallback};
use crate::orders::types::PaymentView;
use crate::pages;
use crate::request::{SignedIn, Write, once};
use crate::schema::{orders, payments as payment_rows};
use crate::security::SecretKey;
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{GatewayReport, PaymentMethod, PaymentState, Verdict};
use postern_core::time::to_wire;
use postern_core::validate::FieldErrors;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

pub struct Transfer;

impl Gateway for Transfer {
    fn method(&self) -> PaymentMethod {
        PaymentMethod::Transfer
    }

    fn is_offered(&self, config: &Config) -> bool {
        config.transfer_details.is_some()
    }

    fn pay_path(&self, public_id: &str, language: Language) -> String {
        format!("/pay/transfer/{public_id}?lang={}", language.as_str())
    }

    fn can_be_asked(&self) -> bool {
        false
    }

    fn query<'a>(&'a self, _: &'a App, _: &'a PaymentRow) -> super::Answer<'a> {
        Box::pin(async { Ok(None) })
    }

    fn signature_header(&self) -> Option<&'static str> {
        None
    }

    /// No callbacks come: an operator's word is judged with the call that brings it.
    fn read_callback(&self, _: &Config, _: &SecretKey, _: &StoredCallback) -> Reading {
        Reading::NoInterest
    }

    fn configure(&self, config: &mut web::ServiceConfig) {
        config.service(pay_page);
    }
}

pub fn configure_calls(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(settle_payment);
}

/// A payment by transfer with what its page says of its order.
struct Transferred {
    payment: PaymentRow,
    order_number: String,
    expires_at: NaiveDateTime,
    return_path: String,
}

fn find(conn: &mut Conn, public_id: &str) -> Result<Option<Transferred>, AppError> {
    let payment = payments::by_public_id(conn, public_id)?;
    let Some(payment) = payment.filter(|payment| payment.payment_method == PaymentMethod::Transfer.as_str()) else {
        return Ok(None);
    };
    let order = orders::table.find(payment.order_id).select((orders::order_number, orders::expires_at));
    let (order_number, expires_at) = order.first(conn)?;
    Ok(Some(Transferred { return_path: payments::return_path(conn, &payment)?, payment, order_number, expires_at }))
}

#[get("/pay/transfer/{public_id}")]
async fn pay_page(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let found = app.db.read(move |conn| find(conn, &public_id)).await?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("pay:{key}"), parameters);
    let none = Value::Null;
    let title = text("transfer.title", &none);
    let (Some(found), Some(details)) = (found, &app.config.transfer_details) else {
        let body = pages::notice(&text("unknown", &none), &text("unknownHint", &none));
        return Ok(pages::page(StatusCode::NOT_FOUND, language, &title, &body));
    };
    let back = [(text("back", &none), found.return_path)];
    let state = found.payment.state()?;
    if state != PaymentState::Pending {
        let key = if state == PaymentState::Succeeded { "transfer.done" } else { "ended" };
        let body = pages::notice_with(&text(key, &none), &text(&format!("{key}Hint"), &none), &back);
        return Ok(pages::page(StatusCode::OK, language, &title, &body));
    }
    let currency = Currency::from_code(&found.payment.currency).unwrap_or_default();
    let amount = Money::from_minor(found.payment.amount_minor).display(currency);
    let until = json!({ "Time": to_wire(found.expires_at) });
    let body = pages::instructions(&pages::Instructions {
        title: &title,
        amount: &amount,
        rows: &[
            (text("transfer.details", &none), details.clone()),
            (text("transfer.reference", &none), found.order_number),
        ],
        steps_title: &text("transfer.next", &none),
        steps: &[text("transfer.send", &none), text("transfer.wait", &none), text("transfer.until", &until)],
        links: &back,
    });
    Ok(pages::page(StatusCode::OK, language, &title, &body))
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SettlePayment {
    /// A payment by bank transfer, by its id or by the number of its order, which customers write on the transfer.
    pub payment_id: String,
    /// What came, as typed, such as `100` or `100.00`: it must be what is to be paid.
    pub amount: String,
}

/// Notes that a bank transfer has come: the top-up is in the customer's wallet. For operators.
///
/// Refused at the field `Amount` when it is not the payment's; settling again changes nothing.
#[utoipa::path(
    tag = "Order", request_body = SettlePayment, responses((status = 200, body = Answer<PaymentView>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Order/SettlePayment")]
async fn settle_payment(app: web::Data<App>, operator: SignedIn, write: Write<SettlePayment>) -> Answered<PaymentView> {
    let (now, key) = (app.clock.now(), app.key.clone());
    let settled = app.db.write(move |conn| {
        once(conn, operator.account_id, &write.repeat, now, |conn| {
            settle(conn, &key, &write.body, &operator.email, now)
        })
    });
    answer(serde_json::from_value::<Settled>(settled.await?)?.payment()?)
}

/// What became of an operator's word.
#[derive(Serialize, Deserialize)]
pub struct Settled {
    verdict: Verdict,
    payment: PaymentView,
}

impl Settled {
    /// The payment as it stands now, or what was wrong.
    pub fn payment(self) -> Result<PaymentView, AppError> {
        if self.verdict == Verdict::WrongAmount {
            let due = self.payment.amount.to_string();
            return Err(FieldErrors::one("Amount", "amountDue", &[("Amount", due)]).into());
        }
        Ok(self.payment)
    }
}

/// The same from the command line, with what was wrong in words.
pub fn settle_at_desk(app: &App, told: &SettlePayment) -> anyhow::Result<PaymentView> {
    let now = app.clock.now();
    let settled = app.db.write_blocking(|conn| settle(conn, &app.key, told, "postern order settle", now));
    let settled = settled.map_err(|error| match &error {
        AppError::Answer(refusal) if refusal.code == Code::NotFound => {
            anyhow::anyhow!("there is no payment by transfer {}", told.payment_id)
        }
        AppError::Answer(refusal) if refusal.code == Code::InvalidFields => {
            anyhow::anyhow!("`{}` is no amount of money", told.amount)
        }
        _ => anyhow::anyhow!("{error}"),
    })?;
    let PaymentView { amount, currency, .. } = &settled.payment;
    let is_wrong = settled.verdict == Verdict::WrongAmount;
    anyhow::ensure!(!is_wrong, "{amount} {currency} is to be paid, not {}: nothing was settled", told.amount);
    Ok(settled.payment)
}

/// Settles a payment by transfer at somebody's word, which is kept among the callbacks with who gave it, refused or not.
pub fn settle(
    conn: &mut Conn,
    key: &SecretKey,
    told: &SettlePayment,
    by: &str,
    now: NaiveDateTime,
) -> Result<Settled, AppError> {
    let name = told.payment_id.trim();
    let transfer = PaymentMethod::Transfer.as_str();
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
    let amount = Money::parse(told.amount.trim()).map_err(|_| FieldErrors::one("Amount", "amount", &[]))?;
    let body = json!({ "PaymentId": payment.public_id, "Amount": amount, "Currency": payment.currency, "By": by });
    let gateway = PaymentMethod::Transfer.as_str();
    let stored = payments::store_callback(conn, gateway, body.to_string(), String::new(), now)?;
    let report = GatewayReport { succeeded: true, amount, currency: payment.currency };
    let verdict = payments::settle(conn, key, payment.id, &report, None, now)?;
    payments::note_verdict(conn, stored.id, Some(payment.id), verdict, now)?;
    let payment = payments::by_public_id(conn, &payment.public_id)?;
    let payment = payment.ok_or_else(|| AppError::internal("a payment is gone"))?;
    Ok(Settled { verdict, payment: payment.view() })
}
