//! The trait that every payment gateway implements, and the types of its answers.
use crate::charges::cards::CardRequest;
use crate::charges::payments::PaymentRow;
use crate::config::Config;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::security::SecretKey;
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::auto_top_up::CardFailure;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{GatewayReport, PaymentMethod};
use postern_core::payment_return::{ReturnReport, ReturnState};
use std::future::Future;
use std::pin::Pin;

/// A signed callback, as stored.
#[derive(Clone, Queryable)]
pub struct StoredCallback {
    pub id: i64,
    pub gateway: PaymentMethod,
    pub body: Vec<u8>,
    pub signature: String,
    pub received_at: NaiveDateTime,
}

/// How a gateway's callbacks come.
pub enum Callbacks {
    /// Not at all.
    None,
    /// By POST, signed in this header.
    Signed(&'static str),
    /// By GET: the query is the body, and has its signature. Answered with `success`.
    Query,
}

/// The answer of a gateway.
pub type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, AppError>> + Send + 'a>>;

/// The answer to a poll; `None` while the payment is still open at the gateway.
pub type QueryAnswer<'a> = Asked<'a, Option<Polled>>;

/// What a poll found.
pub struct Polled {
    pub report: GatewayReport,
    /// What was taken back.
    pub returns: Vec<ReturnReport>,
}

/// What a gateway lists.
pub type Listing<'a> = Asked<'a, Vec<Listed>>;

/// A charge that has been paid, as a gateway lists it.
pub struct Listed {
    /// The payment that it is for.
    pub public_id: String,
    /// The gateway's id of it.
    pub charge_id: String,
    /// Whether it is marked as one of this shop. Others may be those of another shop with the same account.
    pub is_marked: bool,
    pub report: GatewayReport,
    /// What was taken back, if the list says so.
    pub returns: Vec<ReturnReport>,
}

/// From a time up to another, which is not part of it.
#[derive(Clone, Copy)]
pub struct Span {
    pub from: NaiveDateTime,
    pub until: NaiveDateTime,
}

/// A payment method other than the wallet.
pub trait Gateway: Sync {
    fn method(&self) -> PaymentMethod;

    /// Whether customers can pay through it in this shop.
    fn is_offered(&self, config: &Config) -> bool;

    /// Records the payment in the gateway's own books, in the transaction that begins it. A remote gateway is called only
    /// when the customer comes to pay, so that no transaction waits for the network.
    fn open_charge(&self, _conn: &mut Conn, _payment: &PaymentRow) -> Result<(), AppError> {
        Ok(())
    }

    /// The page on which the customer pays.
    fn pay_path(&self, public_id: &str, language: Language) -> String;

    /// Whether it can be polled about a payment. A payment that cannot be polled ends with its order.
    fn supports_polling(&self) -> bool {
        true
    }

    /// Polls the state of a payment.
    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> QueryAnswer<'a>;

    fn callbacks(&self) -> Callbacks;

    /// The currency that it charges; `None` for the shop's.
    fn currency(&self, _config: &Config) -> Option<Currency> {
        None
    }

    /// Whether the gateway signed this body, around this time.
    fn is_signed(&self, config: &Config, key: &SecretKey, body: &[u8], signature: &str, at: NaiveDateTime) -> bool;

    /// Parses a stored callback. Pure: no I/O, no side effects, and always the same result.
    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading;

    /// Lists the charges of this shop that began in a span and have been paid; `None` if the gateway cannot list them.
    fn list<'a>(&'a self, _app: &'a App, _span: Span) -> Option<Listing<'a>> {
        None
    }

    /// The public id of the payment that money with this id of the gateway's is from; `None` if it is not this shop's.
    fn payment_of<'a>(&'a self, _app: &'a App, _source: &'a str) -> Asked<'a, Option<String>> {
        Box::pin(async { Ok(None) })
    }

    /// Lists the public ids of payments of which something was taken back in a span, if its list of charges does not say that.
    fn list_returned<'a>(&'a self, _app: &'a App, _span: Span) -> Option<Asked<'a, Vec<String>>> {
        None
    }

    /// Its support for refunds; `None` if an operator has to send them by hand.
    fn refunds(&self) -> Option<&dyn Refunds> {
        None
    }

    /// Its support for saved cards; `None` if it has none.
    fn cards(&self) -> Option<&dyn Cards> {
        None
    }
}

/// A gateway that refunds payments.
pub trait Refunds: Sync {
    /// Whether the customer has to say where a refund goes, on a page of the gateway's.
    fn must_be_claimed(&self) -> bool {
        false
    }

    /// Asks for a refund or, if it has been asked for, what has become of it. Idempotent. An error means that it is not known whether the
    /// gateway has it: it is asked again.
    fn refund<'a>(
        &'a self,
        app: &'a App,
        payment: &'a PaymentRow,
        refund: &'a RefundRequest,
    ) -> Asked<'a, RefundOutcome>;
}

/// A refund that the shop asks a gateway for.
pub struct RefundRequest {
    /// The shop's id of it.
    pub reference: String,
    pub order_number: String,
    /// In the currency of the charge.
    pub amount: Money,
    pub currency: Currency,
    /// The gateway's charge that it is of.
    pub charge: String,
    /// The gateway's id of it, once known.
    pub gateway_reference: Option<String>,
    /// Whether an earlier attempt may have reached the gateway.
    pub may_be_sent: bool,
    pub created_at: NaiveDateTime,
}

/// What has become of a refund at its gateway.
pub enum RefundOutcome {
    /// The gateway has it.
    Known(KnownRefund),
    /// The gateway will not make it, and says why.
    Refused(String),
    /// It cannot have reached the gateway.
    NotSent(String),
    /// Nobody can tell whether it was made.
    Uncertain(String),
}

/// A refund as its gateway describes it.
pub struct KnownRefund {
    pub gateway_reference: String,
    pub state: ReturnState,
    /// How much of it has been or will be refunded.
    pub amount: Money,
    /// Where the customer says where it goes.
    pub claim_url: Option<String>,
}

/// A gateway that saves cards and charges them off-session, without their owner present.
pub trait Cards: Sync {
    /// Records the card request in the gateway's own books, in the transaction that begins it.
    fn open_request(&self, _conn: &mut Conn, _public_id: &str) -> Result<(), AppError> {
        Ok(())
    }

    /// The page on which the customer enters the card.
    fn card_path(&self, public_id: &str, language: Language) -> String;

    /// Polls a card request; `None` while the customer may still enter the card.
    fn card_of<'a>(&'a self, app: &'a App, request: &'a CardRequest) -> Asked<'a, Option<CardOutcome>>;

    /// Charges a saved card for a payment. Idempotent per payment: calling it again polls
    /// the charge. `None` while the gateway does not know the outcome yet.
    fn charge<'a>(&'a self, app: &'a App, payment: &'a PaymentRow, reference: &'a str) -> Asked<'a, Option<Charged>>;

    /// Deletes a card; succeeds if the gateway does not know it.
    fn forget<'a>(&'a self, app: &'a App, reference: &'a str) -> Asked<'a, ()>;
}

/// The outcome of a card request.
pub enum CardOutcome {
    Saved(NewCard),
    /// The customer or the bank refused.
    Refused,
}

/// A card as its gateway describes it.
pub struct NewCard {
    /// The gateway's reference for charging it: a secret.
    pub reference: String,
    /// For example `visa`.
    pub brand: String,
    pub last_four: String,
    pub expires_month: i32,
    pub expires_year: i32,
}

/// The outcome of charging a saved card.
pub struct Charged {
    pub charge_id: Option<String>,
    pub report: GatewayReport,
    /// The reason of a failure.
    pub failure: Option<CardFailure>,
}

/// The content of a callback.
pub enum Reading {
    /// Not from the gateway.
    Forged,
    /// From the gateway, for another merchant's payment.
    OtherMerchant,
    /// From the gateway, but irrelevant: moves no money.
    Irrelevant,
    /// From the gateway, about the payment with this public id, and without amounts: it is polled.
    Poll(String),
    /// From the gateway, about money with this id of the gateway's: it is asked which payment that is, and polled about it.
    Source(String),
    Report(Report),
}

/// A payment report from a genuine callback.
pub struct Report {
    pub public_id: String,
    /// The gateway's id of the payment, if it has one.
    pub charge_id: Option<String>,
    pub report: GatewayReport,
    /// What was taken back.
    pub returns: Vec<ReturnReport>,
    /// Why a saved card was not charged, if that is what failed.
    pub failure: Option<CardFailure>,
}

/// The shop's identifier at gateways: shared by all servers with this key, unique per shop.
pub fn merchant(key: &SecretKey) -> String {
    key.sign("merchant", b"").chars().take(12).collect()
}
