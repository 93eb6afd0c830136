//! The sandbox gateway: a pay page with buttons instead of a bank, for demos and tests. It keeps its own books and reports
//! through signed callbacks, which it can be told to lose or repeat.
mod refunds;

use crate::charges::cards::CardRequest;
use crate::charges::payments::PaymentRow;
use crate::config::Config;
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::gateway::{
    Asked, Callbacks, CardOutcome, Cards, Charged, Gateway, NewCard, Polled, QueryAnswer, Reading, Refunds, Report,
    StoredCallback, merchant,
};
use crate::schema::sandbox_cards;
use crate::schema::sandbox_charges::dsl;
use crate::schema::sandbox_returns;
use crate::security::{SecretKey, is_token, new_token};
use crate::state::App;
use chrono::{Datelike, NaiveDateTime};
use postern_core::auto_top_up::CardFailure;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{GatewayReport, PaymentMethod};
use postern_core::payment_return::{ReturnKind, ReturnReport, ReturnState};
use postern_core::sandbox::{SandboxCard, SandboxOutcome};
use serde::{Deserialize, Serialize};

pub const SIGNATURE_PURPOSE: &str = "sandbox callbacks";

pub struct Sandbox;

impl Gateway for Sandbox {
    fn method(&self) -> PaymentMethod {
        PaymentMethod::Sandbox
    }

    /// It takes no real money, so production refuses it.
    fn is_offered(&self, config: &Config) -> bool {
        config.is_demo()
    }

    fn open_charge(&self, conn: &mut Conn, payment: &PaymentRow) -> Result<(), AppError> {
        diesel::insert_into(dsl::sandbox_charges)
            .values((
                dsl::public_id.eq(&payment.public_id),
                dsl::amount_minor.eq(payment.amount_minor),
                dsl::currency.eq(payment.currency),
                dsl::outcome.eq(SandboxOutcome::Open),
            ))
            .execute(conn)?;
        Ok(())
    }

    fn pay_path(&self, public_id: &str, language: Language) -> String {
        format!("/sandbox/pay/{public_id}?lang={}", language.as_str())
    }

    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> QueryAnswer<'a> {
        let public_id = payment.public_id.clone();
        Box::pin(async move {
            let found = app.db.read(move |conn| Ok((find_charge(conn, &public_id)?, returns(conn, &public_id)?)));
            let (charge, returns) = found.await?;
            Ok(charge.filter(|charge| charge.outcome != SandboxOutcome::Open).map(|charge| {
                let amount = Money::from_minor(charge.amount_minor);
                let succeeded = charge.outcome == SandboxOutcome::Approved;
                Polled { report: GatewayReport::of(succeeded, amount, charge.currency.as_str()), returns }
            }))
        })
    }

    fn callbacks(&self) -> Callbacks {
        Callbacks::Signed("Sandbox-Signature")
    }

    fn is_signed(&self, _: &Config, key: &SecretKey, body: &[u8], signature: &str, _: NaiveDateTime) -> bool {
        key.signature_matches(SIGNATURE_PURPOSE, body, signature)
    }

    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading {
        if !self.is_signed(config, key, &callback.body, &callback.signature, callback.received_at) {
            return Reading::Forged;
        }
        match serde_json::from_slice::<Callback>(&callback.body) {
            Ok(callback) if callback.merchant != merchant(key) => Reading::OtherMerchant,
            Ok(callback) => Reading::Report(Report {
                public_id: callback.payment_id,
                charge_id: None,
                failure: None,
                returns: callback.returns.iter().map(|one| one.report(&callback.currency)).collect(),
                report: GatewayReport::of(
                    callback.outcome == SandboxOutcome::Approved,
                    callback.amount,
                    callback.currency,
                ),
            }),
            Err(_) => Reading::Irrelevant,
        }
    }

    fn refunds(&self) -> Option<&dyn Refunds> {
        Some(self)
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }
}

/// A sandbox card: its appearance, and the outcome of charging it.
pub struct TestCard {
    /// Its button on the page, which is also its stored reference.
    behaviour: SandboxCard,
    brand: &'static str,
    last_four: &'static str,
    failure: Option<CardFailure>,
}

const TEST_CARDS: [TestCard; 3] = [
    TestCard { behaviour: SandboxCard::Good, brand: "visa", last_four: "4242", failure: None },
    TestCard {
        behaviour: SandboxCard::Declining,
        brand: "visa",
        last_four: "0341",
        failure: Some(CardFailure::Declined),
    },
    TestCard {
        behaviour: SandboxCard::Asking,
        brand: "mastercard",
        last_four: "3155",
        failure: Some(CardFailure::AuthenticationRequired),
    },
];

/// Years until a card expires, from when it was entered.
const CARD_YEARS: i32 = 3;

impl Cards for Sandbox {
    fn open_request(&self, conn: &mut Conn, public_id: &str) -> Result<(), AppError> {
        let row = (sandbox_cards::public_id.eq(public_id), sandbox_cards::behaviour.eq(SandboxCard::Open));
        diesel::insert_into(sandbox_cards::table).values(row).execute(conn)?;
        Ok(())
    }

    fn card_path(&self, public_id: &str, language: Language) -> String {
        format!("/sandbox/card/{public_id}?lang={}", language.as_str())
    }

    fn card_of<'a>(&'a self, app: &'a App, request: &'a CardRequest) -> Asked<'a, Option<CardOutcome>> {
        let (public_id, entered_in) = (request.public_id.clone(), request.created_at.year());
        Box::pin(async move {
            let id = public_id.clone();
            let behaviour = app.db.read(move |conn| find_card(conn, &id)).await?;
            Ok(match behaviour {
                Some(SandboxCard::Cancelled) => Some(CardOutcome::Refused),
                Some(other) => test_card(other).map(|card| {
                    CardOutcome::Saved(NewCard {
                        reference: public_id,
                        brand: card.brand.to_owned(),
                        last_four: card.last_four.to_owned(),
                        expires_month: 12,
                        expires_year: entered_in + CARD_YEARS,
                    })
                }),
                None => None,
            })
        })
    }

    /// Idempotent: the first outcome of a charge is recorded in the gateway's books, and returned again.
    fn charge<'a>(&'a self, app: &'a App, payment: &'a PaymentRow, reference: &'a str) -> Asked<'a, Option<Charged>> {
        let (payment, reference) = (payment.clone(), reference.to_owned());
        let charge = move |conn: &mut Conn| {
            let card = find_card(conn, &reference)?.and_then(test_card);
            let failure = card.map_or(Some(CardFailure::CardGone), |card| card.failure);
            let row = (
                dsl::public_id.eq(&payment.public_id),
                dsl::amount_minor.eq(payment.amount_minor),
                dsl::currency.eq(payment.currency),
                dsl::outcome.eq(if failure.is_some() { SandboxOutcome::Declined } else { SandboxOutcome::Approved }),
            );
            let insert = diesel::insert_into(dsl::sandbox_charges).values(row).on_conflict_do_nothing();
            on_either!(conn, insert.execute(conn)?);
            let kept = find_charge(conn, &payment.public_id)?;
            Ok(kept.map(|charge| {
                let succeeded = charge.outcome == SandboxOutcome::Approved;
                let amount = Money::from_minor(charge.amount_minor);
                let report = GatewayReport::of(succeeded, amount, charge.currency.as_str());
                Charged { charge_id: None, report, failure: failure.filter(|_| !succeeded) }
            }))
        };
        Box::pin(app.db.write(charge))
    }

    fn forget<'a>(&'a self, app: &'a App, reference: &'a str) -> Asked<'a, ()> {
        let reference = reference.to_owned();
        let forget = move |conn: &mut Conn| {
            let card = sandbox_cards::table.find(&reference);
            diesel::update(card).set(sandbox_cards::behaviour.eq(SandboxCard::Forgotten)).execute(conn)?;
            Ok(())
        };
        Box::pin(app.db.write(forget))
    }
}

pub fn test_card(behaviour: SandboxCard) -> Option<&'static TestCard> {
    TEST_CARDS.iter().find(|card| card.behaviour == behaviour)
}

pub fn find_card(conn: &mut Conn, public_id: &str) -> Result<Option<SandboxCard>, AppError> {
    if !is_token(public_id) {
        return Ok(None);
    }
    Ok(sandbox_cards::table.find(public_id).select(sandbox_cards::behaviour).first(conn).optional()?)
}

/// A charge of the sandbox's books.
pub struct Charge {
    pub amount_minor: i64,
    pub currency: Currency,
    pub outcome: SandboxOutcome,
}

pub fn find_charge(conn: &mut Conn, public_id: &str) -> Result<Option<Charge>, AppError> {
    if !is_token(public_id) {
        return Ok(None);
    }
    let row: Option<(i64, Currency, SandboxOutcome)> = dsl::sandbox_charges
        .find(public_id)
        .select((dsl::amount_minor, dsl::currency, dsl::outcome))
        .first(conn)
        .optional()?;
    Ok(row.map(|(amount_minor, currency, outcome)| Charge { amount_minor, currency, outcome }))
}

/// The body of a callback.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Callback {
    pub merchant: String,
    pub payment_id: String,
    pub outcome: SandboxOutcome,
    pub amount: Money,
    pub currency: String,
    #[serde(default)]
    pub returns: Vec<Returned>,
}

/// What the sandbox took back of a charge, as it says.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Returned {
    pub reference: String,
    pub kind: ReturnKind,
    pub state: ReturnState,
    pub amount: Money,
}

impl Returned {
    fn report(&self, currency: &str) -> ReturnReport {
        let (reference, currency, reason) = (self.reference.clone(), currency.to_owned(), String::new());
        let Returned { kind, state, amount, .. } = *self;
        ReturnReport { reference, kind, state, amount, currency, reason, due_at: None }
    }
}

/// What the sandbox took back of a charge.
pub fn returned(conn: &mut Conn, public_id: &str) -> Result<Vec<Returned>, AppError> {
    if !is_token(public_id) {
        return Ok(Vec::new());
    }
    let rows: Vec<(String, ReturnKind, ReturnState, i64)> = sandbox_returns::table
        .filter(sandbox_returns::public_id.eq(public_id))
        .select((
            sandbox_returns::reference,
            sandbox_returns::kind,
            sandbox_returns::state,
            sandbox_returns::amount_minor,
        ))
        .load(conn)?;
    let view = |(reference, kind, state, minor): (String, ReturnKind, ReturnState, i64)| {
        let amount = Money::from_minor(minor);
        Returned { reference, kind, state, amount }
    };
    Ok(rows.into_iter().map(view).collect())
}

fn returns(conn: &mut Conn, public_id: &str) -> Result<Vec<ReturnReport>, AppError> {
    let Some(charge) = find_charge(conn, public_id)? else { return Ok(Vec::new()) };
    let currency = charge.currency.as_str();
    Ok(returned(conn, public_id)?.iter().map(|one| one.report(currency)).collect())
}

/// What the sandbox can do with a charge that it has approved: decide what is open, or take the charge back.
pub fn possible_returns(returned: &[Returned]) -> &'static [&'static str] {
    let is_open = |kind: ReturnKind| returned.iter().any(|one| one.kind == kind && one.state == ReturnState::Open);
    match returned.iter().any(|one| one.state.takes()) {
        true if is_open(ReturnKind::ByShop) => &["arrive", "fail"],
        true if is_open(ReturnKind::Dispute) => &["win", "lose"],
        true => &[],
        false => &["refund", "dispute"],
    }
}

/// Takes a charge back, or decides its dispute; returns whether that was possible.
pub fn take_back(conn: &mut Conn, public_id: &str, action: &str) -> Result<bool, AppError> {
    let Some(charge) = find_charge(conn, public_id)? else { return Ok(false) };
    let before = returned(conn, public_id)?;
    if charge.outcome != SandboxOutcome::Approved || !possible_returns(&before).contains(&action) {
        return Ok(false);
    }
    let decided = match action {
        "win" | "fail" => ReturnState::Undone,
        "lose" | "arrive" => ReturnState::Final,
        _ => {
            let (kind, state) = match action {
                "refund" => (ReturnKind::Refund, ReturnState::Final),
                _ => (ReturnKind::Dispute, ReturnState::Open),
            };
            let row = (
                sandbox_returns::reference.eq(new_token()),
                sandbox_returns::public_id.eq(public_id),
                sandbox_returns::kind.eq(kind),
                sandbox_returns::state.eq(state),
                sandbox_returns::amount_minor.eq(charge.amount_minor),
            );
            diesel::insert_into(sandbox_returns::table).values(row).execute(conn)?;
            return Ok(true);
        }
    };
    let kind = if matches!(action, "arrive" | "fail") { ReturnKind::ByShop } else { ReturnKind::Dispute };
    let open = sandbox_returns::table
        .filter(sandbox_returns::public_id.eq(public_id))
        .filter(sandbox_returns::kind.eq(kind))
        .filter(sandbox_returns::state.eq(ReturnState::Open));
    Ok(diesel::update(open).set(sandbox_returns::state.eq(decided)).execute(conn)? > 0)
}
