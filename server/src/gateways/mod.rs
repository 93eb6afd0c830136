//! Payment gateways: what the shop asks of each, the one address that their callbacks come to, and the one judge of them. A
//! gateway is added by a file here that implements `Gateway`, its line in `ALL`, its name in core's `PaymentMethod`, and its
//! settings in `config.rs`.
mod callbacks;
pub mod sandbox;
pub mod stripe;
pub mod transfer;

pub use callbacks::configure as configure_calls;

use crate::config::Config;
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::payments::{self, PaymentRow, StoredCallback};
use crate::security::SecretKey;
use crate::state::App;
use crate::wallet::cards::CardRequest;
use actix_web::{HttpRequest, HttpResponse, post, web};
use postern_core::auto_top_up::CardFailure;
use postern_core::language::Language;
use postern_core::order::{GatewayReport, PaymentMethod, Verdict};
use serde_json::json;
use std::future::Future;
use std::pin::Pin;

/// What a gateway answers when it is asked; `None` while a payment is still open there.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<Option<GatewayReport>, AppError>> + Send + 'a>>;

/// A way to pay that is not the wallet.
pub trait Gateway: Sync {
    fn method(&self) -> PaymentMethod;

    /// Can customers pay through this here?
    fn is_offered(&self, config: &Config) -> bool;

    /// Tells the gateway's own books what is to be paid, in the transaction that begins the payment. A gateway elsewhere is told
    /// when the customer comes to pay: no transaction waits for the network.
    fn open_charge(&self, _conn: &mut Conn, _payment: &PaymentRow) -> Result<(), AppError> {
        Ok(())
    }

    /// Where the customer pays.
    fn pay_path(&self, public_id: &str, language: Language) -> String;

    /// Can it be asked how a payment stands? A payment that nobody can ask about ends with its order.
    fn can_be_asked(&self) -> bool {
        true
    }

    /// Asks how a payment stands.
    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> Answer<'a>;

    /// Which header of a callback has its signature; `None` where no callbacks come.
    fn signature_header(&self) -> Option<&'static str>;

    /// Reads a callback as it was stored. Asks nobody, changes nothing, and says the same whenever it is called.
    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading;

    /// The gateway's own pages.
    fn configure(&self, config: &mut web::ServiceConfig);

    /// What it can do with cards that it remembers; `None` where it remembers none.
    fn cards(&self) -> Option<&dyn Cards> {
        None
    }
}

/// What a gateway answers about cards.
pub type CardAnswer<'a, T> = Pin<Box<dyn Future<Output = Result<T, AppError>> + Send + 'a>>;

/// A gateway that remembers cards and charges them while their owner is away.
pub trait Cards: Sync {
    /// Tells the gateway's own books that a card is to be remembered, in the transaction that begins it.
    fn open_request(&self, _conn: &mut Conn, _public_id: &str) -> Result<(), AppError> {
        Ok(())
    }

    /// Where the customer enters the card.
    fn remember_path(&self, public_id: &str, language: Language) -> String;

    /// Asks what became of a card that was to be remembered; `None` while the customer may still enter it.
    fn card_of<'a>(&'a self, app: &'a App, request: &'a CardRequest) -> CardAnswer<'a, Option<CardOutcome>>;

    /// Charges a remembered card for a payment. It takes effect once for a payment, however often this is called: charging again is
    /// asking how the charge stands. `None` while the gateway does not know yet.
    fn charge<'a>(
        &'a self,
        app: &'a App,
        payment: &'a PaymentRow,
        reference: &'a str,
    ) -> CardAnswer<'a, Option<Charged>>;

    /// Forgets a card; one that it does not know is forgotten already.
    fn forget<'a>(&'a self, app: &'a App, reference: &'a str) -> CardAnswer<'a, ()>;
}

/// What became of a card that was to be remembered.
pub enum CardOutcome {
    Remembered(NewCard),
    /// The customer, or the bank, did not want it.
    Refused,
}

/// A card as its gateway describes it.
pub struct NewCard {
    /// What the gateway needs to charge it: for nobody's eyes.
    pub reference: String,
    /// Such as `visa`.
    pub brand: String,
    pub last_four: String,
    pub expires_month: i32,
    pub expires_year: i32,
}

/// What became of a charge of a remembered card.
pub struct Charged {
    pub charge_id: Option<String>,
    pub said: GatewayReport,
    /// Why it failed, if it did.
    pub failure: Option<CardFailure>,
}

/// What a callback turned out to be.
pub enum Reading {
    /// Not from the gateway, or nothing that it would say.
    Forged,
    /// From the gateway, of another merchant's payment.
    OtherMerchant,
    /// From the gateway, about nothing that moves money.
    NoInterest,
    Report(Report),
}

/// A genuine callback's report of a payment.
pub struct Report {
    pub public_id: String,
    /// What the gateway calls the payment, if it has a name of its own for it.
    pub charge_id: Option<String>,
    pub said: GatewayReport,
    /// Why a remembered card was not charged, if that is what failed.
    pub failure: Option<CardFailure>,
}

const ALL: &[&dyn Gateway] = &[&sandbox::Sandbox, &stripe::Stripe, &transfer::Transfer];

/// The gateway of a method; `None` for the wallet.
pub fn of_method(method: PaymentMethod) -> Option<&'static dyn Gateway> {
    ALL.iter().copied().find(|gateway| gateway.method() == method)
}

fn named(name: &str) -> Option<&'static dyn Gateway> {
    PaymentMethod::from_wire(name).and_then(of_method)
}

/// Can customers pay through this here? What is not offered cannot be chosen anywhere.
pub fn is_offered(config: &Config, method: PaymentMethod) -> bool {
    of_method(method).is_none_or(|gateway| gateway.is_offered(config))
}

/// The gateways that can remember a card here.
pub fn remembering(config: &Config) -> Vec<PaymentMethod> {
    let offered = ALL.iter().filter(|gateway| gateway.is_offered(config) && gateway.cards().is_some());
    offered.map(|gateway| gateway.method()).collect()
}

/// What this method's gateway can do with cards.
pub fn cards_of(method: PaymentMethod) -> Option<&'static dyn Cards> {
    of_method(method).and_then(Gateway::cards)
}

/// The same, if customers can use the gateway here.
pub fn offered_cards(config: &Config, method: PaymentMethod) -> Option<&'static dyn Cards> {
    cards_of(method).filter(|_| is_offered(config, method))
}

/// Under which name gateways know the shop: the same for all servers that share a key, and no other shop's.
pub fn merchant(key: &SecretKey) -> String {
    key.sign("merchant", b"").chars().take(12).collect()
}

/// Where the customer pays.
pub fn pay_path(method: &str, public_id: &str, language: Language) -> Option<String> {
    named(method).map(|gateway| gateway.pay_path(public_id, language))
}

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(take_callback);
    ALL.iter().for_each(|gateway| gateway.configure(config));
}

/// The callbacks' address. It answers 200 to whatever it could store: judging is the shop's business.
#[post("/gateway/callback/{gateway}")]
async fn take_callback(
    app: web::Data<App>,
    request: HttpRequest,
    name: web::Path<String>,
    body: web::Bytes,
) -> Result<HttpResponse, AppError> {
    let gateway = named(&name).filter(|gateway| gateway.is_offered(&app.config));
    let Some((gateway, header)) = gateway.and_then(|gateway| Some((gateway, gateway.signature_header()?))) else {
        return Ok(HttpResponse::NotFound().finish());
    };
    let signature = request.headers().get(header).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Ok(text) = String::from_utf8(body.to_vec()) else { return Ok(HttpResponse::BadRequest().finish()) };
    let verdict = receive(&app, gateway, text, signature.to_owned()).await?;
    Ok(HttpResponse::Ok().json(json!({ "Verdict": verdict.as_str() })))
}

/// Stores a callback, and then judges it in a transaction of its own: whatever happens to the judging, the callback stays.
async fn receive(app: &App, gateway: &dyn Gateway, body: String, signature: String) -> Result<Verdict, AppError> {
    let (now, name) = (app.clock.now(), gateway.method().as_str());
    let stored =
        app.db.write(move |conn| payments::store_callback(conn, name, body.clone(), signature.clone(), now)).await?;
    judge(app, stored).await
}

/// Judges a stored callback: whose it is, whether it is genuine, and what follows.
pub async fn judge(app: &App, callback: StoredCallback) -> Result<Verdict, AppError> {
    let gateway = named(&callback.gateway);
    let gateway = gateway.ok_or_else(|| AppError::internal("a callback of an unknown gateway was stored"))?;
    let reading = gateway.read_callback(&app.config, &app.key, &callback);
    let (now, key) = (app.clock.now(), app.key.clone());
    app.db
        .write(move |conn| {
            let (payment_id, verdict) = match &reading {
                Reading::Forged => (None, Verdict::BadSignature),
                Reading::OtherMerchant => (None, Verdict::WrongMerchant),
                Reading::NoInterest => (None, Verdict::NoInterest),
                Reading::Report(report) => match payment_of(conn, gateway, report)? {
                    None => (None, Verdict::UnknownPayment),
                    Some(id) => (Some(id), payments::settle(conn, &key, id, &report.said, report.failure, now)?),
                },
            };
            payments::note_verdict(conn, callback.id, payment_id, verdict, now)?;
            Ok(verdict)
        })
        .await
}

/// Which payment of this gateway a report is about. One that goes by another name at the gateway is another one.
fn payment_of(conn: &mut Conn, gateway: &dyn Gateway, report: &Report) -> Result<Option<i64>, AppError> {
    let payment = payments::by_public_id(conn, &report.public_id)?;
    let payment = payment.filter(|payment| payment.payment_method == gateway.method().as_str());
    let is_same = |payment: &PaymentRow| match (&payment.charge_id, &report.charge_id) {
        (Some(known), Some(reported)) => known == reported,
        _ => true,
    };
    Ok(payment.filter(is_same).map(|payment| payment.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_but_the_wallet_has_one_gateway() {
        for method in PaymentMethod::ALL {
            let count = ALL.iter().filter(|gateway| gateway.method() == *method).count();
            assert_eq!(count, usize::from(*method != PaymentMethod::Wallet), "{}", method.as_str());
        }
    }
}
