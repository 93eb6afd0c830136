//! Bank transfer: a page with the bank details, and an operator who confirms arrival. It cannot be polled, so a
//! payment ends with its order.
use crate::brand::pages;
use crate::charges::checkout;
use crate::charges::payments::PaymentRow;
use crate::config::Config;
use crate::error::AppError;
use crate::gateways::gateway::{Callbacks, Gateway, Reading, StoredCallback};
use crate::http::answer::language_of;
use crate::security::SecretKey;
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use chrono::NaiveDateTime;
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::order::{PaymentMethod, PaymentState};
use postern_core::time::to_wire;
use serde_json::{Value, json};

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

    fn supports_polling(&self) -> bool {
        false
    }

    fn query<'a>(&'a self, _: &'a App, _: &'a PaymentRow) -> crate::gateways::gateway::QueryAnswer<'a> {
        Box::pin(async { Ok(None) })
    }

    fn callbacks(&self) -> Callbacks {
        Callbacks::None
    }

    fn is_signed(&self, _: &Config, _: &SecretKey, _: &[u8], _: &str, _: NaiveDateTime) -> bool {
        false
    }

    /// There are no callbacks: the operator's confirmation is processed with the call that brings it.
    fn read_callback(&self, _: &Config, _: &SecretKey, _: &StoredCallback) -> Reading {
        Reading::Irrelevant
    }
}

#[get("/pay/transfer/{public_id}")]
async fn pay_page(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let found = app.db.read(move |conn| checkout::find(conn, &public_id, PaymentMethod::Transfer)).await?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("pay:{key}"), parameters);
    let none = Value::Null;
    let title = text("transfer.title", &none);
    let (Some(found), Some(details)) = (found, &app.config.transfer_details) else {
        let to_shop = [(text("back", &none), "/".to_owned())];
        let body = pages::notice(&text("unknown", &none), &text("unknownHint", &none), &to_shop);
        return Ok(pages::page(&app.letterhead, StatusCode::NOT_FOUND, language, &title, &body));
    };
    let back = [(text("back", &none), found.return_path)];
    let state = found.payment.state;
    if state != PaymentState::Pending {
        let key = if state == PaymentState::Succeeded { "transfer.done" } else { "ended" };
        let body = pages::notice(&text(key, &none), &text(&format!("{key}Hint"), &none), &back);
        return Ok(pages::page(&app.letterhead, StatusCode::OK, language, &title, &body));
    }
    let amount = Money::from_minor(found.payment.amount_minor).display(found.payment.currency);
    let until = json!({ "Time": to_wire(found.order_expires_at) });
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
    Ok(pages::page(&app.letterhead, StatusCode::OK, language, &title, &body))
}

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(pay_page);
}
