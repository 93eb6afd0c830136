//! The page of a payment at an EPay gateway: what is charged, at which rate, and the wallets to choose from.
use crate::brand::pages;
use crate::charges::checkout::{self, Checkout};
use crate::config::{EpayAccount, EpayKeys};
use crate::error::AppError;
use crate::gateways::epay::fields::Fields;
use crate::gateways::epay::signature::sign;
use crate::gateways::gateway::merchant;
use crate::gateways::lead::{Opened, TextKeys, lead};
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};
use postern_core::money::Money;
use postern_core::order::PaymentMethod;
use postern_core::time::to_wire;
use serde_json::{Value, json};

const TEXT_KEYS: TextKeys = TextKeys { title: "epay.title", unknown: "unknown", ended: "ended", down: "epay.down" };

/// The longest name of an order that gateways take, in characters.
const NAME_LENGTH: usize = 60;

async fn find(app: &App, public_id: &str) -> Result<Option<Checkout>, AppError> {
    let id = public_id.to_owned();
    app.db.read(move |conn| checkout::find(conn, &id, PaymentMethod::Epay)).await
}

/// Where a customer is led who cannot pay any more.
fn elsewhere(app: &App, checkout: &Checkout) -> Option<Opened> {
    if !checkout.is_pending() {
        return Some(Opened::Back);
    }
    (!checkout.is_open(app.clock.now())).then_some(Opened::Ended)
}

/// Shows what is charged, and the wallets.
#[get("/pay/epay/{public_id}")]
async fn open(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let (Some(found), Some(account)) = (find(&app, &public_id).await?, &app.config.epay) else {
        return Ok(TEXT_KEYS.unknown(&app, &request));
    };
    let language = found.payment.language;
    if let Some(opened) = elsewhere(&app, &found) {
        return Ok(lead(&app, language, &TEXT_KEYS, Ok(opened), request.path(), &found.return_path));
    }
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("pay:{key}"), parameters);
    let none = Value::Null;
    let (charged, currency) = found.payment.charged();
    let mut notes = vec![text("epay.until", &json!({ "Time": to_wire(found.order_expires_at) }))];
    let mut rows = Vec::new();
    if let Some(rate) = found.payment.rate() {
        let amount = Money::from_minor(found.payment.amount_minor).display(found.payment.currency);
        let words = json!({
            "One": 1,
            "From": found.payment.currency,
            "Rate": rate.to_string(),
            "To": currency,
        });
        rows = vec![(text("epay.for", &none), amount), (text("epay.rate", &none), text("epay.rateOf", &words))];
        notes.insert(0, text("epay.rounded", &none));
    }
    let choice = |method: &String| {
        let known = ["alipay", "wxpay", "qqpay"].contains(&method.as_str());
        let label = if known { text(&format!("epay.method.{method}"), &none) } else { method.clone() };
        (label, String::new(), format!("/pay/epay/{}/{method}", found.payment.public_id))
    };
    let choices: Vec<_> = account.methods.iter().map(choice).collect();
    let title = text("epay.title", &none);
    let body = pages::payment(&pages::Payment {
        title: &title,
        amount: &charged.display(currency),
        notes: &notes,
        rows: &rows,
        choices: &choices,
        links: &[(text("back", &none), found.cancel_path())],
        ..pages::Payment::default()
    });
    Ok(pages::page(&app.letterhead, StatusCode::OK, language, &title, &body))
}

/// The gateway leads customers back here: the screen with the outcome asks what became of the payment.
#[get("/pay/epay/{public_id}/return")]
async fn come_back(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let Some(found) = find(&app, &public_id).await? else { return Ok(TEXT_KEYS.unknown(&app, &request)) };
    Ok(lead(&app, found.payment.language, &TEXT_KEYS, Ok(Opened::Back), request.path(), &found.return_path))
}

/// Redirects to the gateway's page for a wallet.
#[get("/pay/epay/{public_id}/{method}")]
async fn go(
    app: web::Data<App>,
    request: HttpRequest,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, AppError> {
    let (public_id, method) = path.into_inner();
    let account = app.config.epay.as_ref().filter(|account| account.methods.contains(&method));
    let (Some(found), Some(account)) = (find(&app, &public_id).await?, account) else {
        return Ok(TEXT_KEYS.unknown(&app, &request));
    };
    let opened = match elsewhere(&app, &found) {
        Some(opened) => Ok(opened),
        None => address(&app, account, &found, &method).map(Opened::Page),
    };
    Ok(lead(&app, found.payment.language, &TEXT_KEYS, opened, request.path(), &found.return_path))
}

/// The signed address of the gateway's page.
fn address(app: &App, account: &EpayAccount, checkout: &Checkout, method: &str) -> Result<String, AppError> {
    let payment = &checkout.payment;
    let shop = &app.config.public_url;
    let words = json!({ "Shop": app.config.shop_name, "OrderNumber": checkout.order_number });
    let name = app.texts.get(payment.language, "pay:item", &words);
    let mut fields: Fields = [
        ("pid", account.merchant.clone()),
        ("type", method.to_owned()),
        ("out_trade_no", payment.public_id.clone()),
        ("notify_url", format!("{shop}/gateway/callback/epay")),
        ("return_url", format!("{shop}/pay/epay/{}/return", payment.public_id)),
        ("name", name.chars().take(NAME_LENGTH).collect()),
        ("money", payment.charged().0.to_string()),
        ("param", merchant(&app.key)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let path = match account.keys {
        EpayKeys::Md5(_) => "/submit.php",
        EpayKeys::Rsa { .. } => {
            fields.push(("timestamp".to_owned(), app.clock.now().and_utc().timestamp().to_string()));
            "/api/pay/submit"
        }
    };
    let fields = sign(&account.keys, fields)?;
    let address = reqwest::Url::parse_with_params(&format!("{}{path}", account.url), fields);
    Ok(address.map_err(|error| AppError::Internal(error.into()))?.to_string())
}

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(open).service(come_back).service(go);
}
