//! The operator's calls about exchange rates.
use crate::audit::{self, Actor, Entry};
use crate::catalogue::catalogue;
use crate::db::Conn;
use crate::error::AppError;
use crate::exchange_rates::feed;
use crate::exchange_rates::rows::{self, RateRow};
use crate::gateways;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Operator, Write, once};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::exchange::{ExchangeRateForm, FeedProblem, Rate, RateSource, validate_exchange_rate};
use postern_core::field_errors::FieldErrors;
use postern_core::money::{Currency, display_percent};
use postern_core::order::PaymentMethod;
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A currency that a payment method charges, or whose rate was set.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ExchangeRateView {
    pub currency: Currency,
    /// The currency of the shop: the rate is for one unit of it.
    pub shop_currency: Currency,
    /// The methods of this shop that charge this currency.
    pub methods: Vec<PaymentMethod>,
    /// Such as `7.125`; absent until it is set.
    pub rate: Option<String>,
    /// Where it is fetched from; absent for a rate that an operator set.
    pub feed_url: Option<String>,
    /// Where the rate is in the feed, as a JSON pointer.
    pub feed_path: Option<String>,
    /// What is added to the feed's rate, such as `1.5%`.
    pub margin: Option<String>,
    /// When it was set, or fetched last.
    pub set_at: Option<String>,
    /// Why it could not be fetched later.
    pub problem: Option<FeedProblem>,
    /// Whether the methods are offered: not without a rate, or with one that is too old.
    pub is_usable: bool,
}

/// Lists the exchange rates of the shop: of each currency that a payment method charges besides the shop's. For operators.
#[utoipa::path(responses((status = 200, body = Answer<Vec<ExchangeRateView>>)))]
#[post("/Operator/GetExchangeRateList")]
pub async fn get_exchange_rate_list(app: web::Data<App>, _operator: Operator) -> Answered<Vec<ExchangeRateView>> {
    let (now, charged) = (app.clock.now(), charged(&app));
    answer(app.db.read(move |conn| list(conn, &charged, now)).await?)
}

/// Sets an exchange rate, or the feed that it is fetched from. A feed is asked at once: if it has no rate at the path, the call is refused at the field
/// `FeedUrl`. Payments that have begun keep their rate.
#[utoipa::path(request_body = ExchangeRateForm, responses((status = 200, body = Answer<Vec<ExchangeRateView>>)))]
#[post("/Operator/SetExchangeRate")]
pub async fn set_exchange_rate(app: web::Data<App>, who: Operator, write: Write<ExchangeRateForm>) -> Answered<Value> {
    let (now, charged) = (app.clock.now(), charged(&app));
    let reach = app.webhooks.sender.guard.reach(write.body.feed_url.trim());
    let source = validate_exchange_rate(&write.body, reach)?;
    let rate = match &source {
        RateSource::Fixed(micro) => Rate::from_micro(*micro),
        RateSource::Feed { url, path, margin_basis_points } => {
            feed::fetch(&app, url, path, *margin_basis_points).await.ok()
        }
    };
    let rate = rate.ok_or_else(|| FieldErrors::one("FeedUrl", Rule::FeedUnread, &[]))?;
    let set = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            set(conn, write.body.currency, rate, &source, &who.actor, now)?;
            list(conn, &charged, now)
        })
    });
    answer(set.await?)
}

fn set(
    conn: &mut Conn,
    currency: Currency,
    rate: Rate,
    source: &RateSource,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    if currency == catalogue(conn)?.currency {
        return Err(FieldErrors::one("Currency", Rule::WrongValue, &[]).into());
    }
    let before = rows::find(conn, currency)?.map(|row| row.rate()).transpose()?;
    rows::set(conn, currency, rate, source, now)?;
    let change = AuditChange {
        field: AuditField::ExchangeRate,
        before: before.map(|rate| rate.to_string()),
        after: Some(rate.to_string()),
    };
    let mut changes = vec![change];
    if let RateSource::Feed { url, .. } = source {
        changes.push(AuditChange::new(AuditField::Feed, url));
    }
    let entry = Entry::new(AuditAction::ExchangeRateSet).subject(currency.as_str()).changes(changes);
    audit::record(conn, actor, entry, now)
}

/// The methods of this shop that charge a currency of their own, by currency.
fn charged(app: &App) -> Vec<(PaymentMethod, Currency)> {
    let offered = PaymentMethod::ALL.iter().filter(|method| gateways::is_offered(&app.config, **method));
    offered.filter_map(|method| Some((*method, gateways::currency_of(&app.config, *method)?))).collect()
}

fn list(
    conn: &mut Conn,
    charged: &[(PaymentMethod, Currency)],
    now: NaiveDateTime,
) -> Result<Vec<ExchangeRateView>, AppError> {
    let shop_currency = catalogue(conn)?.currency;
    let rows = rows::all(conn)?;
    let mut views = Vec::new();
    for currency in Currency::ALL.iter().copied().filter(|currency| *currency != shop_currency) {
        let of_currency = charged.iter().filter(|one| one.1 == currency);
        let methods: Vec<PaymentMethod> = of_currency.map(|one| one.0).collect();
        let row = rows.iter().find(|row| row.currency == currency);
        if row.is_some() || !methods.is_empty() {
            views.push(view(currency, shop_currency, methods, row, now)?);
        }
    }
    Ok(views)
}

fn view(
    currency: Currency,
    shop_currency: Currency,
    methods: Vec<PaymentMethod>,
    row: Option<&RateRow>,
    now: NaiveDateTime,
) -> Result<ExchangeRateView, AppError> {
    let feed = row.filter(|row| row.feed_url.is_some());
    Ok(ExchangeRateView {
        currency,
        shop_currency,
        methods,
        rate: row.map(|row| row.rate()).transpose()?.map(|rate| rate.to_string()),
        feed_url: feed.and_then(|row| row.feed_url.clone()),
        feed_path: feed.and_then(|row| row.feed_path.clone()),
        margin: feed.map(|row| display_percent(row.margin())),
        set_at: row.map(|row| to_wire(row.set_at)),
        problem: feed.and_then(|row| row.problem),
        is_usable: row.is_some_and(|row| row.is_usable(now)),
    })
}
