//! The calls of the group `Traffic`.
use crate::accounts::queries::terms_of;
use crate::coupons;
use crate::customers::customer;
use crate::db::RowLock;
use crate::error::AppError;
use crate::fulfilment::types::OrderView;
use crate::fulfilment::views;
use crate::fulfilment::views::OrderRelations;
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::order_rows::limits;
use crate::payments::begin::{self, PaymentContext};
use crate::state::App;
use crate::traffic::prices::traffic_for_sale;
use crate::traffic::purchase::{insert_order, line_of_quote, priced};
use crate::traffic::types::*;
use crate::traffic::{queries, reorders};
use actix_web::{HttpRequest, post, web};
use postern_core::order::PaymentMethod;
use postern_core::reorder::ReorderForm;
use postern_core::traffic::{TRAFFIC_PRODUCT, TrafficCatalogue, TrafficQuote};
use serde_json::Value;

type AppData = web::Data<App>;

/// Returns the shop's prices of residential traffic: none while the shop has no residential proxy server, as it could not carry any.
#[utoipa::path(responses((status = 200, body = Answer<TrafficCatalogue>)))]
#[post("/Traffic/GetTrafficCatalogue")]
pub async fn get_traffic_catalogue(app: AppData, _who: SignedIn) -> Answered<TrafficCatalogue> {
    answer(app.db.read(traffic_for_sale).await?)
}

/// Quotes the price of traffic.
#[utoipa::path(request_body = QuoteTraffic, responses((status = 200, body = Answer<TrafficQuote>)))]
#[post("/Traffic/QuoteTraffic")]
pub async fn quote_traffic(app: AppData, who: SignedIn, Body(asked): Body<QuoteTraffic>) -> Answered<TrafficQuote> {
    let now = app.clock.now();
    let QuoteTraffic { request, coupon } = asked;
    let has_code = coupon.is_some();
    let quoted = app.db.read(move |conn| {
        let granted = terms_of(conn, who.account_id)?;
        priced(conn, who.account_id, granted, &request, (coupon.as_deref(), RowLock::None), now)
    });
    answer(coupons::counting_guesses(&app, who.account_id, has_code, quoted).await?.0)
}

/// Creates an order of traffic. Its validity period begins when it is paid: at once with `PayFromWallet`, or else within 15 minutes with
/// `Order/PayOrder`.
///
/// Refused with 4004 if the total differs from `ExpectedTotal`, because the prices or the account's discount have changed; with 3333 if the account
/// has too many unpaid orders; and with `PayFromWallet` with 4001 if the balance is too low. An unusable coupon is an error at the field `Coupon`. An
/// order that a coupon makes free is delivered at once.
#[utoipa::path(request_body = CreateTrafficOrder, responses((status = 200, body = Answer<OrderView>)))]
#[post("/Traffic/CreateTrafficOrder")]
pub async fn create_traffic_order(
    app: AppData,
    request: HttpRequest,
    who: SignedIn,
    write: Write<CreateTrafficOrder>,
) -> Answered<Value> {
    let now = app.clock.now();
    let (config, key, language) = (app.config.clone(), app.key.clone(), language_of(&request));
    let person = who.person();
    let has_code = write.body.coupon.is_some();
    let created = app.db.write(move |conn| {
        let CreateTrafficOrder { request, coupon, expected_total, pay_from_wallet } = &write.body;
        let wallet = lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let customer = customer(conn, who.account_id, Some(TRAFFIC_PRODUCT))?;
            let (quote, coupon) =
                priced(conn, who.account_id, customer.terms, request, (coupon.as_deref(), RowLock::ForUpdate), now)?;
            if quote.total != *expected_total {
                return Err(AppError::price_changed(*expected_total, quote.total, quote.currency));
            }
            let is_bought = *pay_from_wallet || quote.total.is_zero();
            if !is_bought {
                wallet.refuse_owing()?;
                limits::check_unpaid(conn, who.account_id, now)?;
            }
            let order = insert_order(conn, who.account_id, &quote, coupon.as_deref(), now)?;
            let lines = vec![line_of_quote(&order, &quote)?];
            if is_bought {
                let method = PaymentMethod::Wallet;
                let paying =
                    PaymentContext { method, use_wallet: true, language, person, config: &config, key: &key, now };
                let nothing_held = |_: &mut _| Ok(Vec::new());
                return begin::buy(conn, wallet, customer, &order, lines, &paying, nothing_held)?.issue(conn, now);
            }
            views::view(order, &lines, OrderRelations::default(), now)
        })
    });
    answer(coupons::counting_guesses(&app, who.account_id, has_code, created).await?)
}

/// Returns the account's traffic: the remaining bytes, and its batches.
#[utoipa::path(responses((status = 200, body = Answer<TrafficView>)))]
#[post("/Traffic/GetTraffic")]
pub async fn get_traffic(app: AppData, who: SignedIn) -> Answered<TrafficView> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| queries::view(conn, who.account_id, now)).await?)
}

/// Sets the automatic reorder, or turns it off. Turning it on is the customer's consent to be charged: whenever all batches together fall below the
/// threshold, including now, another order is paid from the wallet at the current price. The cost per calendar month (UTC) is limited.
#[utoipa::path(request_body = ReorderForm, responses((status = 200, body = Answer<TrafficView>)))]
#[post("/Traffic/SetReorder")]
pub async fn set_reorder(app: AppData, who: SignedIn, write: Write<ReorderForm>) -> Answered<Value> {
    let now = app.clock.now();
    let set = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            reorders::set(conn, who.account_id, &write.body, now)?;
            queries::view(conn, who.account_id, now)
        })
    });
    answer(set.await?)
}
