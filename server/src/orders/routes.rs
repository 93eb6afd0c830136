//! The calls of the group `Order`.
use crate::accounts::queries::terms_of;
use crate::catalogue::catalogue;
use crate::charges::payments;
use crate::customers::customer;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::exchange_rates::rows as exchange_rates;
use crate::fulfilment::fulfil;
use crate::fulfilment::payment_views::view_own;
use crate::fulfilment::types::OrderView;
use crate::fulfilment::views;
use crate::fulfilment::views::OrderRelations;
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::order_rows::rows::NodeChoices;
use crate::order_rows::types::{HoldLimitView, PaymentView};
use crate::order_rows::{limits, rows};
use crate::orders::purchase::{self, Purchase};
use crate::orders::types::*;
use crate::payments::begin::{self, PaymentContext};
use crate::payments::poll;
use crate::state::App;
use crate::static_proxies::groups::lock_group;
use crate::{coupons, gateways};
use actix_web::{HttpRequest, post, web};
use chrono::NaiveDateTime;
use postern_core::coupon::Coupon;
use postern_core::field_errors::FieldErrors;
use postern_core::order::{OrderEvent, OrderKind, PaymentMethod, PaymentState, accepts};
use postern_core::quote::{Quote, QuoteRequest, Terms, quote_form};
use postern_core::reseller::AccountTerms;
use postern_core::rule::Rule;
use postern_core::tier::Tier;
use serde_json::Value;

type AppData = web::Data<App>;

struct Priced {
    quote: Quote,
    tier: Tier,
    coupon: Option<Coupon>,
}

/// Prices a request with the account's terms and, if one is given and usable, its coupon.
fn priced(
    conn: &mut Conn,
    account_id: i64,
    granted: AccountTerms,
    request: &QuoteRequest,
    (coupon, lock): (Option<&str>, RowLock),
    now: NaiveDateTime,
) -> Result<Priced, AppError> {
    let coupon = coupon.map(|typed| coupons::queries::usable(conn, account_id, typed, lock, now)).transpose()?;
    let terms = Terms { reseller_basis_points: granted.discount_in_force(), coupon };
    let mut catalogue = catalogue(conn)?;
    let quote = quote_form(request, &catalogue, &terms)?;
    let tier = catalogue.tiers.iter().position(|tier| tier.ver_str == quote.ver_str);
    let tier = tier.ok_or_else(|| AppError::internal("a quote without a tier"))?;
    Ok(Priced { quote, tier: catalogue.tiers.swap_remove(tier), coupon: terms.coupon })
}

fn distinct(ids: &[i64]) -> Vec<i64> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Quotes the price of an order.
#[utoipa::path(request_body = QuoteOrder, responses((status = 200, body = Answer<Quote>)))]
#[post("/Order/QuoteOrder")]
pub async fn quote_order(app: AppData, who: SignedIn, Body(asked): Body<QuoteOrder>) -> Answered<Quote> {
    let now = app.clock.now();
    let QuoteOrder { request, coupon } = asked;
    let has_code = coupon.is_some();
    let quoted = app.db.read(move |conn| {
        let granted = terms_of(conn, who.account_id)?;
        priced(conn, who.account_id, granted, &request, (coupon.as_deref(), RowLock::None), now)
    });
    answer(coupons::counting_guesses(&app, who.account_id, has_code, quoted).await?.quote)
}

/// Creates an order and holds its nodes for 15 minutes, atomically.
///
/// Refused with 4002 if a city is short of stock; with 4004 if the total differs from `ExpectedTotal`, because the catalogue or the account's
/// discount has changed; at the field `Lines` if the account's unpaid orders would hold too many IPs (`Order/GetHoldLimit`); and with 3333 if it has
/// too many unpaid orders. An unusable coupon is an error at the field `Coupon`. An order that a coupon makes free is fulfilled at once. With
/// `PayFromWallet` the order is paid and fulfilled at once, or refused with 4001 if the balance is too low, and then not created.
#[utoipa::path(request_body = CreateOrder, responses((status = 200, body = Answer<OrderView>)))]
#[post("/Order/CreateOrder")]
pub async fn create_order(
    app: AppData,
    request: HttpRequest,
    who: SignedIn,
    write: Write<CreateOrder>,
) -> Answered<Value> {
    let now = app.clock.now();
    let (config, key, language) = (app.config.clone(), app.key.clone(), language_of(&request));
    let person = who.person();
    let has_code = write.body.coupon.is_some();
    let created = app.db.write(move |conn| {
        let CreateOrder { request, node_ids, coupon, expected_total, pay_from_wallet, group_id, auto_renew } =
            &write.body;
        let wallet = lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let mut request = request.clone();
            let chosen = distinct(node_ids);
            if !chosen.is_empty() {
                request.lines = purchase::lines_of(conn, &request.ver_str, &chosen)?;
            }
            let customer = customer(conn, who.account_id, Some(&request.ver_str))?;
            let Priced { quote, tier, coupon } =
                priced(conn, who.account_id, customer.terms, &request, (coupon.as_deref(), RowLock::ForUpdate), now)?;
            if quote.total != *expected_total {
                return Err(AppError::price_changed(*expected_total, quote.total, quote.currency));
            }
            if let Some(group_id) = *group_id {
                lock_group(conn, who.account_id, group_id)?;
            }
            let of = Purchase {
                target: request.target.as_deref(),
                chosen: &chosen,
                coupon: coupon.as_ref().map(|coupon| coupon.code.as_str()),
                choices: NodeChoices { group_id: *group_id, auto_renew: *auto_renew },
            };
            let is_bought = *pay_from_wallet || quote.total.is_zero();
            if !is_bought {
                wallet.refuse_owing()?;
                limits::check_hold(conn, who.account_id, quote.quantity, now)?;
            }
            let order = purchase::insert_purchase(conn, who.account_id, &quote, &of, now)?;
            let lines = purchase::lines_of_quote(&order, &quote, &tier)?;
            let hold = |conn: &mut Conn| purchase::hold(conn, order.id, &quote, &of);
            if is_bought {
                let method = PaymentMethod::Wallet;
                let paying =
                    PaymentContext { method, use_wallet: true, language, person, config: &config, key: &key, now };
                return begin::buy(conn, wallet, customer, &order, lines, &paying, hold)?.issue(conn, now);
            }
            hold(conn)?;
            views::view(order, &lines, OrderRelations::default(), now)
        })
    });
    answer(coupons::counting_guesses(&app, who.account_id, has_code, created).await?)
}

/// Lists the unpaid orders.
#[utoipa::path(responses((status = 200, body = Answer<Vec<OrderView>>)))]
#[post("/Order/GetUnpaidOrderList")]
pub async fn get_unpaid_order_list(app: AppData, who: SignedIn) -> Answered<Vec<OrderView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| views::unpaid(conn, who.account_id, now)).await?)
}

/// Lists all orders, newest first. `Search` matches part of the number; filters by `State`, `Kind`, time; sorts by `CreatedAt`, `Total`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<OrderView>>)))]
#[post("/Order/GetOrderList")]
pub async fn get_order_list(app: AppData, who: SignedIn, Body(list): Body<ListRequest>) -> Answered<Page<OrderView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| views::list(conn, who.account_id, &list, now)).await?)
}

/// Returns an order with its lines, payments, refunds, invoices and events.
#[utoipa::path(request_body = OrderRef, responses((status = 200, body = Answer<OrderView>)))]
#[post("/Order/GetOrder")]
pub async fn get_order(app: AppData, who: SignedIn, Body(order): Body<OrderRef>) -> Answered<OrderView> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| views::find(conn, who.account_id, order.order_id, now)).await?)
}

/// Cancels an unpaid order and returns its nodes to stock.
#[utoipa::path(request_body = OrderRef, responses((status = 200, body = Answer<OrderView>)))]
#[post("/Order/CancelOrder")]
pub async fn cancel_order(app: AppData, who: SignedIn, write: Write<OrderRef>) -> Answered<Value> {
    let now = app.clock.now();
    let order_id = write.body.order_id;
    let cancelled = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let order = rows::lock_own(conn, who.account_id, order_id)?;
            fulfil::end_unpaid(conn, &order, OrderEvent::Cancel, now)?;
            views::find(conn, who.account_id, order_id, now)
        })
    });
    answer(cancelled.await?)
}

/// Lists the payment methods for an order of this kind.
#[utoipa::path(request_body = PaymentMethodFilter, responses((status = 200, body = Answer<Vec<PaymentMethodView>>)))]
#[post("/Order/GetPaymentMethodList")]
pub async fn get_payment_method_list(
    app: AppData,
    _who: SignedIn,
    Body(filter): Body<PaymentMethodFilter>,
) -> Answered<Vec<PaymentMethodView>> {
    let kind = match &filter.kind {
        Some(text) => {
            let kind = OrderKind::from_wire(text);
            Some(kind.ok_or_else(|| FieldErrors::one("Kind", Rule::UnknownKind, &[]))?)
        }
        None => None,
    };
    let (config, now) = (app.config.clone(), app.clock.now());
    let list = move |conn: &mut Conn| {
        let currency = catalogue(conn)?.currency;
        let offered = PaymentMethod::ALL.iter().copied().filter(|method| gateways::is_offered(&config, *method));
        let fitting = offered.filter(|method| kind.is_none_or(|kind| accepts(kind, *method)));
        let mut views = Vec::new();
        for payment_method in fitting {
            let charged = gateways::currency_of(&config, payment_method).filter(|charged| *charged != currency);
            let rate = charged.map(|charged| exchange_rates::usable(conn, charged, now)).transpose()?;
            // Without a rate, nobody can pay through it.
            if rate == Some(None) {
                continue;
            }
            let rate = rate.flatten().map(|rate| rate.to_string());
            views.push(PaymentMethodView { payment_method, currency, charged_currency: charged, rate });
        }
        Ok(views)
    };
    answer(app.db.read(list).await?)
}

/// Pays an order. A wallet payment is executed at once and fulfils the order (4001 if the balance is too low); for a payment through a gateway,
/// redirect the customer to `Payment.PayUrl`.
#[utoipa::path(request_body = PayOrder, responses((status = 200, body = Answer<PaymentStarted>)))]
#[post("/Order/PayOrder")]
pub async fn pay_order(app: AppData, request: HttpRequest, who: SignedIn, write: Write<PayOrder>) -> Answered<Value> {
    let method = PaymentMethod::from_wire(&write.body.payment_method)
        .filter(|method| gateways::is_offered(&app.config, *method))
        .ok_or_else(|| FieldErrors::one("PaymentMethod", Rule::UnknownPaymentMethod, &[]))?;
    let now = app.clock.now();
    let (config, key, language) = (app.config.clone(), app.key.clone(), language_of(&request));
    let person = who.person();
    let paid = app.db.write(move |conn| {
        let wallet = lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let order = rows::lock_own(conn, who.account_id, write.body.order_id)?;
            if !accepts(order.kind, method) {
                return Err(FieldErrors::one("PaymentMethod", Rule::UnknownPaymentMethod, &[]).into());
            }
            let use_wallet = write.body.use_wallet;
            let paying = PaymentContext { method, use_wallet, language, person, config: &config, key: &key, now };
            let (payment, delivered) = begin::pay(conn, wallet, &order, &paying)?;
            let order = match delivered {
                Some(delivered) => delivered.issue(conn, now)?,
                None => views::find(conn, who.account_id, order.id, now)?,
            };
            Ok(PaymentStarted { order, payment })
        })
    });
    answer(paid.await?)
}

/// Returns the state of a payment. A pending payment is first polled at its gateway, in case a callback was lost. Automatic top-ups are charged and
/// polled by a job instead.
#[utoipa::path(request_body = PaymentRef, responses((status = 200, body = Answer<PaymentView>)))]
#[post("/Order/GetPayment")]
pub async fn get_payment(app: AppData, who: SignedIn, Body(payment): Body<PaymentRef>) -> Answered<PaymentView> {
    let id = payment.payment_id.clone();
    let found = app.db.read(move |conn| payments::find_own(conn, who.account_id, &id)).await?;
    if !found.is_automatic() && found.state != PaymentState::Succeeded {
        poll::poll_gateway(&app, found).await?;
    }
    answer(app.db.read(move |conn| view_own(conn, who.account_id, &payment.payment_id)).await?)
}

/// Returns the limit on IPs in unpaid orders, and the amount that raises it.
///
/// Orders paid from the wallet at once do not count towards the limit.
#[utoipa::path(responses((status = 200, body = Answer<HoldLimitView>)))]
#[post("/Order/GetHoldLimit")]
pub async fn get_hold_limit(app: AppData, who: SignedIn) -> Answered<HoldLimitView> {
    answer(app.db.read(move |conn| limits::hold_limit_view(conn, who.account_id)).await?)
}
