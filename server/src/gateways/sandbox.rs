//! The sandbox gateway: a pay page with buttons instead of a bank, for demos and tests. It keeps its own books and reports
//! through signed callbacks, some of which it loses or repeats when told to.
use super::{Answer, CardAnswer, CardOutcome, Cards, Charged, Gateway, NewCard, Reading, Report, merchant};
use crate::answer::language_of;
use crate::config::Config;
use crate::db::Conn;
use crate::error::AppError;
use crate::gateways;
use crate::orders::payments::{self, PaymentRow, StoredCallback};
use crate::pages;
use crate::schema::sandbox_cards;
use crate::schema::sandbox_charges::dsl;
use crate::security::SecretKey;
use crate::state::App;
use crate::wallet::cards::{self, CardRequest};
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use chrono::Datelike;
use diesel::prelude::*;
use postern_core::auto_top_up::CardFailure;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{GatewayReport, PaymentMethod};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const SIGNATURE_PURPOSE: &str = "sandbox callbacks";
const SIGNATURE_HEADER: &str = "Sandbox-Signature";

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
                dsl::currency.eq(&payment.currency),
                dsl::outcome.eq("open"),
            ))
            .execute(conn)?;
        Ok(())
    }

    fn pay_path(&self, public_id: &str, language: Language) -> String {
        format!("/sandbox/pay/{public_id}?lang={}", language.as_str())
    }

    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> Answer<'a> {
        let public_id = payment.public_id.clone();
        Box::pin(async move {
            let charge = app.db.read(move |conn| find_charge(conn, &public_id)).await?;
            Ok(charge.filter(|charge| charge.outcome != "open").map(|charge| GatewayReport {
                succeeded: charge.outcome == "approved",
                amount: Money::from_minor(charge.amount_minor),
                currency: charge.currency,
            }))
        })
    }

    fn signature_header(&self) -> Option<&'static str> {
        Some(SIGNATURE_HEADER)
    }

    fn read_callback(&self, _: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading {
        let is_genuine = key.signature_matches(SIGNATURE_PURPOSE, callback.body.as_bytes(), &callback.signature);
        match serde_json::from_str::<Callback>(&callback.body) {
            Ok(said) if is_genuine && said.merchant != merchant(key) => Reading::OtherMerchant,
            Ok(said) if is_genuine => Reading::Report(Report {
                public_id: said.payment_id,
                charge_id: None,
                failure: None,
                said: GatewayReport {
                    succeeded: said.outcome == "approved",
                    amount: said.amount,
                    currency: said.currency,
                },
            }),
            _ => Reading::Forged,
        }
    }

    fn configure(&self, config: &mut web::ServiceConfig) {
        config.service(pay_page).service(press).service(card_page).service(press_card);
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }
}

/// A card of the sandbox: what it looks like, and what becomes of a charge of it.
struct TestCard {
    /// Its button on the page, and how it is kept.
    behaviour: &'static str,
    brand: &'static str,
    last_four: &'static str,
    failure: Option<CardFailure>,
}

const TEST_CARDS: [TestCard; 3] = [
    TestCard { behaviour: "good", brand: "visa", last_four: "4242", failure: None },
    TestCard { behaviour: "declining", brand: "visa", last_four: "0341", failure: Some(CardFailure::Declined) },
    TestCard {
        behaviour: "asking",
        brand: "mastercard",
        last_four: "3155",
        failure: Some(CardFailure::AuthenticationRequired),
    },
];
/// So many years after it was entered every card expires.
const CARD_YEARS: i32 = 3;

impl Cards for Sandbox {
    fn open_request(&self, conn: &mut Conn, public_id: &str) -> Result<(), AppError> {
        let row = (sandbox_cards::public_id.eq(public_id), sandbox_cards::behaviour.eq("open"));
        diesel::insert_into(sandbox_cards::table).values(row).execute(conn)?;
        Ok(())
    }

    fn remember_path(&self, public_id: &str, language: Language) -> String {
        format!("/sandbox/card/{public_id}?lang={}", language.as_str())
    }

    fn card_of<'a>(&'a self, app: &'a App, request: &'a CardRequest) -> CardAnswer<'a, Option<CardOutcome>> {
        let (public_id, entered_in) = (request.public_id.clone(), request.created_at.year());
        Box::pin(async move {
            let id = public_id.clone();
            let behaviour = app.db.read(move |conn| find_card(conn, &id)).await?;
            Ok(match behaviour.as_deref() {
                Some("cancelled") => Some(CardOutcome::Refused),
                Some(other) => test_card(other).map(|card| {
                    CardOutcome::Remembered(NewCard {
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

    /// What was decided about a charge first is kept in the gateway's books, and answered again.
    fn charge<'a>(
        &'a self,
        app: &'a App,
        payment: &'a PaymentRow,
        reference: &'a str,
    ) -> CardAnswer<'a, Option<Charged>> {
        let (payment, reference) = (payment.clone(), reference.to_owned());
        let charge = move |conn: &mut Conn| {
            let behaviour = find_card(conn, &reference)?.unwrap_or_default();
            let failure = test_card(&behaviour).map_or(Some(CardFailure::CardGone), |card| card.failure);
            let row = (
                dsl::public_id.eq(&payment.public_id),
                dsl::amount_minor.eq(payment.amount_minor),
                dsl::currency.eq(&payment.currency),
                dsl::outcome.eq(if failure.is_some() { "declined" } else { "approved" }),
            );
            let insert = diesel::insert_into(dsl::sandbox_charges).values(row).on_conflict_do_nothing();
            match conn {
                Conn::Postgres(conn) => insert.execute(conn)?,
                Conn::Sqlite(conn) => insert.execute(conn)?,
            };
            let kept = find_charge(conn, &payment.public_id)?;
            Ok(kept.map(|charge| {
                let succeeded = charge.outcome == "approved";
                let amount = Money::from_minor(charge.amount_minor);
                let said = GatewayReport { succeeded, amount, currency: charge.currency };
                Charged { charge_id: None, said, failure: failure.filter(|_| !succeeded) }
            }))
        };
        Box::pin(app.db.write(charge))
    }

    fn forget<'a>(&'a self, app: &'a App, reference: &'a str) -> CardAnswer<'a, ()> {
        let reference = reference.to_owned();
        let forget = move |conn: &mut Conn| {
            let card = sandbox_cards::table.find(&reference);
            diesel::update(card).set(sandbox_cards::behaviour.eq("forgotten")).execute(conn)?;
            Ok(())
        };
        Box::pin(app.db.write(forget))
    }
}

fn test_card(behaviour: &str) -> Option<&'static TestCard> {
    TEST_CARDS.iter().find(|card| card.behaviour == behaviour)
}

fn find_card(conn: &mut Conn, public_id: &str) -> Result<Option<String>, AppError> {
    Ok(sandbox_cards::table.find(public_id).select(sandbox_cards::behaviour).first(conn).optional()?)
}

struct Charge {
    amount_minor: i64,
    currency: String,
    outcome: String,
}

fn find_charge(conn: &mut Conn, public_id: &str) -> Result<Option<Charge>, AppError> {
    let row: Option<(i64, String, String)> = dsl::sandbox_charges
        .find(public_id)
        .select((dsl::amount_minor, dsl::currency, dsl::outcome))
        .first(conn)
        .optional()?;
    Ok(row.map(|(amount_minor, currency, outcome)| Charge { amount_minor, currency, outcome }))
}

/// A callback's body.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Callback {
    merchant: String,
    payment_id: String,
    outcome: String,
    amount: Money,
    currency: String,
}

#[get("/sandbox/pay/{public_id}")]
async fn pay_page(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let charge = app.db.read(move |conn| find_charge(conn, &id)).await?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("sandbox:{key}"), parameters);
    let none = Value::Null;
    let Some(charge) = charge.filter(|_| app.config.is_demo()) else {
        let body = pages::notice(&text("unknown", &none), &text("unknownHint", &none));
        return Ok(pages::page(StatusCode::NOT_FOUND, language, &text("title", &none), &body));
    };
    let currency = Currency::from_code(&charge.currency).unwrap_or_default();
    let amount = Money::from_minor(charge.amount_minor).display(currency);
    let body = if charge.outcome == "open" {
        let choices = ["approve", "decline", "lost", "twice"].map(|action| pages::Choice {
            value: action,
            label: text(&format!("{action}.label"), &none),
            hint: text(&format!("{action}.hint"), &none),
        });
        let lead = text("lead", &json!({ "Shop": app.config.shop_name }));
        pages::choose(&text("pay", &none), Some(&amount), &lead, &format!("/sandbox/pay/{public_id}"), &choices)
    } else {
        pages::notice(&text("done", &none), &text("doneHint", &none))
    };
    Ok(pages::page(StatusCode::OK, language, &text("title", &none), &body))
}

#[derive(Deserialize)]
struct Pressed {
    action: String,
}

/// Where a card is chosen that the gateway shall remember.
#[get("/sandbox/card/{public_id}")]
async fn card_page(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let behaviour = app.db.read(move |conn| find_card(conn, &id)).await?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("sandbox:{key}"), parameters);
    let none = Value::Null;
    let title = text("card.title", &none);
    let Some(behaviour) = behaviour.filter(|_| app.config.is_demo()) else {
        let body = pages::notice(&text("card.unknown", &none), &text("unknownHint", &none));
        return Ok(pages::page(StatusCode::NOT_FOUND, language, &title, &body));
    };
    let body = if behaviour == "open" {
        let choices = ["good", "declining", "asking", "cancelled"].map(|value| pages::Choice {
            value,
            label: text(&format!("card.{value}.label"), &none),
            hint: text(&format!("card.{value}.hint"), &none),
        });
        let lead = text("card.lead", &json!({ "Shop": app.config.shop_name }));
        pages::choose(&text("card.choose", &none), None, &lead, &format!("/sandbox/card/{public_id}"), &choices)
    } else {
        pages::notice(&text("card.done", &none), &text("doneHint", &none))
    };
    Ok(pages::page(StatusCode::OK, language, &title, &body))
}

/// A card was chosen, once; the shop asks what it was when the customer is back.
#[post("/sandbox/card/{public_id}")]
async fn press_card(
    app: web::Data<App>,
    public_id: web::Path<String>,
    form: web::Form<Pressed>,
) -> Result<HttpResponse, AppError> {
    if !app.config.is_demo() {
        return Ok(HttpResponse::NotFound().finish());
    }
    let chosen = form.action.clone();
    if chosen != "cancelled" && test_card(&chosen).is_none() {
        return Ok(HttpResponse::BadRequest().finish());
    }
    let public_id = public_id.into_inner();
    let choose = move |conn: &mut Conn| {
        let open = sandbox_cards::table.find(&public_id).filter(sandbox_cards::behaviour.eq("open"));
        diesel::update(open).set(sandbox_cards::behaviour.eq(&chosen)).execute(conn)?;
        cards::by_public_id(conn, &public_id)
    };
    let Some(request) = app.db.write(choose).await? else { return Ok(HttpResponse::NotFound().finish()) };
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, request.return_path())).finish())
}

/// A button was pressed: the charge is decided once, the callback sent as the button says, the customer led back.
#[post("/sandbox/pay/{public_id}")]
async fn press(
    app: web::Data<App>,
    public_id: web::Path<String>,
    form: web::Form<Pressed>,
) -> Result<HttpResponse, AppError> {
    if !app.config.is_demo() {
        return Ok(HttpResponse::NotFound().finish());
    }
    let (outcome, callbacks) = match form.action.as_str() {
        "approve" => ("approved", 1),
        "decline" => ("declined", 1),
        "lost" => ("approved", 0),
        "twice" => ("approved", 2),
        _ => return Ok(HttpResponse::BadRequest().finish()),
    };
    let (public_id, app_key) = (public_id.into_inner(), app.key.clone());
    let decided = app
        .db
        .write(move |conn| {
            let Some(payment) = payments::by_public_id(conn, &public_id)? else { return Ok(None) };
            let open = dsl::sandbox_charges.filter(dsl::public_id.eq(&public_id)).filter(dsl::outcome.eq("open"));
            let is_first = diesel::update(open).set(dsl::outcome.eq(outcome)).execute(conn)? == 1;
            let charge = find_charge(conn, &public_id)?;
            let report = charge.filter(|_| is_first).map(|charge| Callback {
                merchant: merchant(&app_key),
                payment_id: public_id.clone(),
                outcome: outcome.to_owned(),
                amount: Money::from_minor(charge.amount_minor),
                currency: charge.currency,
            });
            Ok(Some((report, payments::return_path(conn, &payment)?)))
        })
        .await?;
    let Some((report, return_path)) = decided else { return Ok(HttpResponse::NotFound().finish()) };
    if let Some(report) = report {
        let body = serde_json::to_string(&report)?;
        let signature = app.key.sign(SIGNATURE_PURPOSE, body.as_bytes());
        for _ in 0..callbacks {
            gateways::receive(&app, &Sandbox, body.clone(), signature.clone()).await?;
        }
    }
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, return_path)).finish())
}
