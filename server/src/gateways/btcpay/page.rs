//! The page of a payment in crypto: what to send where, as a QR code, and how much time is left.
use crate::brand::pages;
use crate::charges::checkout::{self, Checkout};
use crate::charges::payments;
use crate::config::BtcpayStore;
use crate::error::AppError;
use crate::gateways::btcpay::client::Client;
use crate::gateways::btcpay::invoice::{Invoice, Method};
use crate::gateways::gateway::merchant;
use crate::gateways::lead::{Opened, TextKeys, lead};
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, REFRESH};
use actix_web::{HttpRequest, HttpResponse, get, web};
use postern_core::money::Money;
use postern_core::order::PaymentMethod;
use qrcode::QrCode;
use qrcode::render::svg;
use serde_json::{Value, json};

/// An invoice fixes the rate of crypto, so it is short, also for a top-up.
const LONGEST_MINUTES: i64 = 60;

/// The page has no script: it is loaded again.
const REFRESH_SECONDS: HeaderValue = HeaderValue::from_static("15");

const TEXT_KEYS: TextKeys = TextKeys { title: "btcpay.title", unknown: "unknown", ended: "ended", down: "btcpay.down" };

enum Shown {
    Elsewhere(Opened),
    Page(Box<Invoice>, Vec<Method>),
}

/// Shows the payment's page. Its invoice is created when it is first opened.
#[get("/pay/btcpay/{public_id}")]
async fn open(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
    chosen: web::Query<Chosen>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let found = app.db.read(move |conn| checkout::find(conn, &id, PaymentMethod::Btcpay)).await?;
    let (Some(found), Some(store)) = (found, &app.config.btcpay) else { return Ok(TEXT_KEYS.unknown(&app, &request)) };
    let shown = show(&app, store, &found).await;
    let opened = match shown {
        Ok(Shown::Page(invoice, methods)) => return page(&app, &found, &invoice, &methods, &chosen.method),
        Ok(Shown::Elsewhere(opened)) => Ok(opened),
        Err(error) => Err(error),
    };
    Ok(lead(&app, found.payment.language, &TEXT_KEYS, opened, request.path(), &found.return_path))
}

#[derive(serde::Deserialize)]
struct Chosen {
    #[serde(default)]
    method: String,
}

async fn show(app: &App, store: &BtcpayStore, checkout: &Checkout) -> Result<Shown, AppError> {
    let payment = &checkout.payment;
    if !checkout.is_pending() {
        return Ok(Shown::Elsewhere(Opened::Back));
    }
    let client = Client::of(store)?;
    let invoice = match &payment.charge_id {
        Some(id) => client.invoice(id).await?,
        None if !checkout.is_open(app.clock.now()) => return Ok(Shown::Elsewhere(Opened::Ended)),
        None => create(app, &client, checkout).await?,
    };
    // Paid or expired meanwhile: the screen that shows the payment polls its state.
    if !invoice.is_open() {
        return Ok(Shown::Elsewhere(Opened::Back));
    }
    let methods = client.methods(&invoice.id).await?;
    Ok(Shown::Page(Box::new(invoice), methods))
}

/// The invoice of the payment. BTCPay Server knows no idempotency key: one that was created and not recorded, because the process ended, is found by the
/// payment's id; of two that were created at once, the one that is recorded first counts, and nobody sees the other.
async fn create(app: &App, client: &Client<'_>, checkout: &Checkout) -> Result<Invoice, AppError> {
    let payment = &checkout.payment;
    let invoice = match client.of_payment(&payment.public_id).await? {
        Some(invoice) => invoice,
        None => client.create(&body(app, checkout)).await?,
    };
    let (id, charge_id) = (payment.id, invoice.id.clone());
    let known = app.db.write(move |conn| payments::record_charge_id(conn, id, &charge_id)).await?;
    match known {
        Some(known) if known != invoice.id => client.invoice(&known).await,
        _ => Ok(invoice),
    }
}

/// As many minutes as begin within these seconds.
fn minutes(seconds: i64) -> i64 {
    (seconds.max(0) + 59) / 60
}

fn body(app: &App, checkout: &Checkout) -> Value {
    let payment = &checkout.payment;
    let shop = &app.config.public_url;
    let words = json!({ "Shop": app.config.shop_name, "OrderNumber": checkout.order_number });
    let minutes = minutes((checkout.order_expires_at - app.clock.now()).num_seconds());
    json!({
        "amount": Money::from_minor(payment.amount_minor),
        "currency": payment.currency,
        "metadata": {
            "orderId": payment.public_id,
            "orderUrl": format!("{shop}{}", checkout.return_path),
            "itemDesc": app.texts.get(payment.language, "pay:item", &words),
            "shop": merchant(&app.key),
        },
        "checkout": {
            "expirationMinutes": minutes.clamp(1, LONGEST_MINUTES),
            "redirectURL": format!("{shop}{}", checkout.return_path),
            "redirectAutomatically": true,
            "defaultLanguage": payment.language.as_str(),
        },
    })
}

fn page(
    app: &App,
    checkout: &Checkout,
    invoice: &Invoice,
    methods: &[Method],
    chosen: &str,
) -> Result<HttpResponse, AppError> {
    let payment = &checkout.payment;
    let language = payment.language;
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("pay:{key}"), parameters);
    let none = Value::Null;
    let minutes_left = minutes(invoice.expiration_time - app.clock.now().and_utc().timestamp());
    let worth = Money::from_minor(payment.amount_minor).display(payment.currency);
    let mut notes = vec![text("btcpay.worth", &json!({ "Amount": worth }))];
    let is_seen = invoice.is_processing() || methods.iter().any(Method::is_confirming);
    let method = methods.iter().find(|method| method.payment_method_id == chosen).or(methods.first());
    let payable = method.filter(|method| !invoice.is_processing() && method.is_due());
    if is_seen {
        notes.push(text("btcpay.seen", &none));
    } else {
        notes.push(text("btcpay.timeLeft", &json!({ "Minutes": minutes_left })));
    }
    let amount = payable.map_or(worth, |method| format!("{} {}", method.due, method.currency));
    let destination = payable.and_then(|method| method.destination.clone()).filter(|text| !text.is_empty());
    let target = payable.and_then(|method| method.payment_link.clone()).filter(|link| !link.is_empty());
    let code = target.as_deref().or(destination.as_deref()).map(|text_of_code| {
        QrCode::new(text_of_code).map(|code| {
            let svg = code.render::<svg::Color<'_>>().quiet_zone(false).build();
            // Without the declaration of an XML file.
            let svg = svg.split_once("?>").map_or(svg.clone(), |(_, svg)| svg.to_owned());
            (svg, text("btcpay.code", &none))
        })
    });
    let code = code.transpose().map_err(|error| AppError::Internal(error.into()))?;
    let rows: Vec<(String, String)> = destination.into_iter().map(|to| (text("btcpay.to", &none), to)).collect();
    let mut choices: Vec<(String, String, String)> = Vec::new();
    if let Some(link) = target.filter(|link| is_wallet_link(link)) {
        choices.push((text("btcpay.wallet", &none), String::new(), link));
    }
    let others =
        methods.iter().filter(|one| method.is_none_or(|shown| shown.payment_method_id != one.payment_method_id));
    for other in others.filter(|_| payable.is_some()) {
        let label = text("btcpay.other", &json!({ "Method": other.payment_method_id.replace('-', " ") }));
        let path = format!("/pay/btcpay/{}?method={}", payment.public_id, other.payment_method_id);
        choices.push((label, String::new(), path));
    }
    let links = [
        (text("btcpay.checkout", &none), invoice.checkout_link.clone()),
        (text("back", &none), checkout.cancel_path()),
    ];
    let title = text("btcpay.title", &none);
    let body = pages::payment(&pages::Payment {
        title: &title,
        amount: &amount,
        notes: &notes,
        code,
        rows: &rows,
        choices: &choices,
        links: &links,
    });
    let mut page = pages::page(&app.letterhead, StatusCode::OK, language, &title, &body);
    page.headers_mut().insert(REFRESH, REFRESH_SECONDS);
    Ok(page)
}

/// Whether a link opens a wallet, such as `bitcoin:…`, and no script or page.
fn is_wallet_link(link: &str) -> bool {
    let scheme = link.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_name = !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_lowercase());
    is_name && !["javascript", "data", "vbscript", "http", "https", "file", "blob"].contains(&scheme)
}

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(open);
}
