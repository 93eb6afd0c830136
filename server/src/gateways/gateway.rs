//! What the shop asks of every gateway, and what gateways answer.
use crate::charges::cards::CardRequest;
use crate::charges::payments::PaymentRow;
use crate::config::Config;
use crate::db::Conn;
use crate::error::AppError;
use crate::security::SecretKey;
use crate::state::App;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::auto_top_up::CardFailure;
use postern_core::language::Language;
use postern_core::order::{GatewayReport, PaymentMethod};
use std::future::Future;
use std::pin::Pin;

/// A callback that a gateway has signed, as it was stored.
#[derive(Clone, Queryable)]
pub struct StoredCallback {
    pub id: i64,
    pub gateway: PaymentMethod,
    pub body: Vec<u8>,
    pub signature: String,
    pub received_at: NaiveDateTime,
}

/// What a gateway answers when it is asked; `None` while a payment is still open there.
pub type QueryAnswer<'a> = Pin<Box<dyn Future<Output = Result<Option<GatewayReport>, AppError>> + Send + 'a>>;

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
    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> QueryAnswer<'a>;

    /// Which header of a callback has its signature; `None` where no callbacks come.
    fn signature_header(&self) -> Option<&'static str>;

    /// Did the gateway sign this body, around the time given?
    fn is_signed(&self, config: &Config, key: &SecretKey, body: &[u8], signature: &str, at: NaiveDateTime) -> bool;

    /// Reads a callback as it was stored. Asks nobody, changes nothing, and says the same whenever it is called.
    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading;

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
    /// Not from the gateway.
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

/// Under which name gateways know the shop: the same for all servers that share a key, and no other shop's.
pub fn merchant(key: &SecretKey) -> String {
    key.sign("merchant", b"").chars().take(12).collect()
}
