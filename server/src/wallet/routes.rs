//! The calls of the group `Wallet`.
use super::ledger;
use super::types::{CreateTopUp, TopUpStarted, Transaction};
use crate::answer::{Answer, Answered, answer, language_of};
use crate::error::AppError;
use crate::gateways;
use crate::list::{ListRequest, Page};
use crate::orders::payments::{self, Paying};
use crate::orders::queries as orders;
use crate::request::{Body, SignedIn, Write, once};
use crate::state::App;
use actix_web::{HttpRequest, post, web};
use postern_core::order::{OrderKind, PaymentMethod, accepts};
use postern_core::validate::{FieldErrors, MAX_TOP_UP, MIN_TOP_UP, validate_top_up};

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(create_top_up).service(get_transaction_list);
}

/// Orders money for the wallet and begins to pay for it: `Payment.PayUrl` is where the customer pays.
#[utoipa::path(
    tag = "Wallet", request_body = CreateTopUp, responses((status = 200, body = Answer<TopUpStarted>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Wallet/CreateTopUp")]
async fn create_top_up(
    app: web::Data<App>,
    request: HttpRequest,
    who: SignedIn,
    write: Write<CreateTopUp>,
) -> Answered<serde_json::Value> {
    let amount = validate_top_up(&write.body.amount, MIN_TOP_UP, MAX_TOP_UP)?;
    let method = PaymentMethod::from_wire(&write.body.payment_method)
        .filter(|method| accepts(OrderKind::TopUp, *method) && gateways::is_offered(&app.config, *method))
        .ok_or_else(|| FieldErrors::one("PaymentMethod", "unknownPaymentMethod", &[]))?;
    let now = app.clock.now();
    let (config, key, language) = (app.config.clone(), app.key.clone(), language_of(&request));
    let started = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let order_id = orders::insert_top_up(conn, who.account_id, amount, now)?;
            let paying = Paying { method, use_wallet: false, language, config: &config, key: &key, now };
            let payment = payments::begin(conn, order_id, amount, &paying)?;
            let order = orders::find(conn, who.account_id, order_id, now)?;
            Ok::<_, AppError>(TopUpStarted { order, payment })
        })
    });
    answer(started.await?)
}

/// The movements of the wallet, newest first. Filters by `Kind` and time; sorts by `CreatedAt`.
#[utoipa::path(tag = "Wallet", request_body = ListRequest, responses((status = 200, body = Answer<Page<Transaction>>)), security(("Token" = [])))]
#[post("/Wallet/GetTransactionList")]
async fn get_transaction_list(
    app: web::Data<App>,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<Transaction>> {
    answer(app.db.read(move |conn| ledger::transaction_list(conn, who.account_id, &list)).await?)
}
