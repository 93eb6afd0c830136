//! Top-ups: an order whose payment goes into the wallet.
use crate::error::AppError;
use crate::fulfilment::types::OrderView;
use crate::fulfilment::views;
use crate::gateways;
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::request::{SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::order_rows::types::PaymentView;
use crate::order_rows::{limits, rows};
use crate::payments::begin::{self, PaymentContext};
use crate::state::App;
use actix_web::{HttpRequest, post, web};
use postern_core::field_errors::{FieldErrors, both};
use postern_core::order::{OrderKind, PaymentMethod, accepts};
use postern_core::rule::Rule;
use postern_core::top_up::{MAX_TOP_UP, MIN_TOP_UP, validate_top_up};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CreateTopUp {
    /// As typed, such as `100` or `100.00`.
    pub amount: String,
    #[schema(value_type = PaymentMethod)]
    pub payment_method: String,
}

/// A top-up's order and its payment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TopUpStarted {
    pub order: OrderView,
    pub payment: PaymentView,
}

/// Creates a top-up and begins its payment: redirect the customer to `Payment.PayUrl`. Refused with 3333 if too many
/// top-ups are open.
#[utoipa::path(request_body = CreateTopUp, responses((status = 200, body = Answer<TopUpStarted>)))]
#[post("/Wallet/CreateTopUp")]
pub async fn create_top_up(
    app: web::Data<App>,
    request: HttpRequest,
    who: SignedIn,
    write: Write<CreateTopUp>,
) -> Answered<serde_json::Value> {
    let method = PaymentMethod::from_wire(&write.body.payment_method)
        .filter(|method| accepts(OrderKind::TopUp, *method) && gateways::is_offered(&app.config, *method))
        .ok_or_else(|| FieldErrors::one("PaymentMethod", Rule::UnknownPaymentMethod, &[]));
    let (amount, method) = both(validate_top_up(&write.body.amount, MIN_TOP_UP, MAX_TOP_UP), method)?;
    let now = app.clock.now();
    let (config, key, language) = (app.config.clone(), app.key.clone(), language_of(&request));
    let person = who.person();
    let started = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            limits::check_top_ups(conn, who.account_id, now)?;
            let order = rows::insert_top_up(conn, who.account_id, amount, method, now)?;
            let paying =
                PaymentContext { method, use_wallet: false, language, person, config: &config, key: &key, now };
            let payment = begin::begin(conn, &order, amount, &paying)?;
            let order = views::find(conn, who.account_id, order.id, now)?;
            Ok::<_, AppError>(TopUpStarted { order, payment })
        })
    });
    answer(started.await?)
}
