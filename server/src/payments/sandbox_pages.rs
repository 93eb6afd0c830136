//! The sandbox's pages: buttons instead of a bank.
use crate::brand::pages;
use crate::charges::{cards, payments};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::merchant;
use crate::gateways::sandbox::{
    Callback, SIGNATURE_PURPOSE, Sandbox, find_card, find_charge, possible_returns, returned, take_back, test_card,
};
use crate::http::answer::language_of;
use crate::payments::intake::receive;
use crate::schema::sandbox_cards;
use crate::schema::sandbox_charges::dsl;
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use postern_core::money::Money;
use postern_core::sandbox::{SandboxCard, SandboxOutcome};
use serde::Deserialize;
use serde_json::{Value, json};

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(pay_page).service(press).service(card_page).service(press_card);
}

#[get("/sandbox/pay/{public_id}")]
pub async fn pay_page(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let found = app.db.read(move |conn| Ok((find_charge(conn, &id)?, returned(conn, &id)?)));
    let (charge, returned) = found.await?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("sandbox:{key}"), parameters);
    let none = Value::Null;
    let to_shop = [(text("back", &none), "/".to_owned())];
    let Some(charge) = charge.filter(|_| app.config.is_demo()) else {
        let body = pages::notice(&text("unknown", &none), &text("unknownHint", &none), &to_shop);
        return Ok(pages::page(&app.letterhead, StatusCode::NOT_FOUND, language, &text("title", &none), &body));
    };
    let amount = Money::from_minor(charge.amount_minor).display(charge.currency);
    let (heading, lead, actions): (_, _, &[&str]) = match charge.outcome {
        SandboxOutcome::Open => ("pay", "lead", &["approve", "decline", "lost", "twice"]),
        SandboxOutcome::Approved => ("done", "returnLead", possible_returns(&returned)),
        SandboxOutcome::Declined => ("done", "lead", &[]),
    };
    let choices: Vec<pages::Choice> = actions
        .iter()
        .map(|action| pages::Choice {
            value: action,
            label: text(&format!("{action}.label"), &none),
            hint: text(&format!("{action}.hint"), &none),
        })
        .collect();
    let body = if !choices.is_empty() {
        let lead = text(lead, &json!({ "Shop": app.config.shop_name }));
        pages::choose(&text(heading, &none), Some(&amount), &lead, &format!("/sandbox/pay/{public_id}"), &choices)
    } else {
        pages::notice(&text("done", &none), &text("doneHint", &none), &to_shop)
    };
    Ok(pages::page(&app.letterhead, StatusCode::OK, language, &text("title", &none), &body))
}

#[derive(Deserialize)]
pub struct Pressed {
    pub action: String,
}

/// The page on which the customer chooses the card to save.
#[get("/sandbox/card/{public_id}")]
pub async fn card_page(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let behaviour = app.db.read(move |conn| find_card(conn, &id)).await?;
    let language = pages::language(&request, language_of(&request));
    let text = |key: &str, parameters: &Value| app.texts.get(language, &format!("sandbox:{key}"), parameters);
    let none = Value::Null;
    let to_shop = [(text("back", &none), "/".to_owned())];
    let title = text("card.title", &none);
    let Some(behaviour) = behaviour.filter(|_| app.config.is_demo()) else {
        let body = pages::notice(&text("card.unknown", &none), &text("unknownHint", &none), &to_shop);
        return Ok(pages::page(&app.letterhead, StatusCode::NOT_FOUND, language, &title, &body));
    };
    let body = if behaviour == SandboxCard::Open {
        let choices = ["good", "declining", "asking", "cancelled"].map(|value| pages::Choice {
            value,
            label: text(&format!("card.{value}.label"), &none),
            hint: text(&format!("card.{value}.hint"), &none),
        });
        let lead = text("card.lead", &json!({ "Shop": app.config.shop_name }));
        pages::choose(&text("card.choose", &none), None, &lead, &format!("/sandbox/card/{public_id}"), &choices)
    } else {
        pages::notice(&text("card.done", &none), &text("doneHint", &none), &to_shop)
    };
    Ok(pages::page(&app.letterhead, StatusCode::OK, language, &title, &body))
}

/// A card was chosen, which counts once; the shop looks up the outcome when the customer returns.
#[post("/sandbox/card/{public_id}")]
pub async fn press_card(
    app: web::Data<App>,
    public_id: web::Path<String>,
    form: web::Form<Pressed>,
) -> Result<HttpResponse, AppError> {
    if !app.config.is_demo() {
        return Ok(HttpResponse::NotFound().finish());
    }
    let chosen = SandboxCard::from_wire(&form.action)
        .filter(|chosen| *chosen == SandboxCard::Cancelled || test_card(*chosen).is_some());
    let Some(chosen) = chosen else { return Ok(HttpResponse::BadRequest().finish()) };
    let public_id = public_id.into_inner();
    let choose = move |conn: &mut Conn| {
        let open = sandbox_cards::table.find(&public_id).filter(sandbox_cards::behaviour.eq(SandboxCard::Open));
        diesel::update(open).set(sandbox_cards::behaviour.eq(chosen)).execute(conn)?;
        cards::by_public_id(conn, &public_id)
    };
    let Some(request) = app.db.write(choose).await? else { return Ok(HttpResponse::NotFound().finish()) };
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, request.return_path())).finish())
}

/// A button was pressed: decides the charge once, sends the callback as the button says, and redirects the customer back.
#[post("/sandbox/pay/{public_id}")]
pub async fn press(
    app: web::Data<App>,
    public_id: web::Path<String>,
    form: web::Form<Pressed>,
) -> Result<HttpResponse, AppError> {
    if !app.config.is_demo() {
        return Ok(HttpResponse::NotFound().finish());
    }
    let (outcome, callbacks) = match form.action.as_str() {
        "approve" => (SandboxOutcome::Approved, 1),
        "decline" => (SandboxOutcome::Declined, 1),
        "lost" => (SandboxOutcome::Approved, 0),
        "twice" => (SandboxOutcome::Approved, 2),
        "refund" | "dispute" | "win" | "lose" | "arrive" | "fail" => {
            return press_return(&app, public_id.into_inner(), form.into_inner().action).await;
        }
        _ => return Ok(HttpResponse::BadRequest().finish()),
    };
    let (public_id, app_key) = (public_id.into_inner(), app.key.clone());
    let decided = app
        .db
        .write(move |conn| {
            let Some(payment) = payments::by_public_id(conn, &public_id)? else { return Ok(None) };
            let open = dsl::sandbox_charges
                .filter(dsl::public_id.eq(&public_id))
                .filter(dsl::outcome.eq(SandboxOutcome::Open));
            let is_first = diesel::update(open).set(dsl::outcome.eq(outcome)).execute(conn)? == 1;
            let charge = find_charge(conn, &public_id)?;
            let report = charge.filter(|_| is_first).map(|charge| Callback {
                merchant: merchant(&app_key),
                payment_id: public_id.clone(),
                outcome,
                amount: Money::from_minor(charge.amount_minor),
                currency: charge.currency.as_str().to_owned(),
                returns: Vec::new(),
            });
            Ok(Some((report, payments::return_path(conn, &payment)?)))
        })
        .await?;
    let Some((report, return_path)) = decided else { return Ok(HttpResponse::NotFound().finish()) };
    if let Some(report) = report {
        for _ in 0..callbacks {
            send(&app, &report).await?;
        }
    }
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, return_path)).finish())
}

async fn send(app: &App, report: &Callback) -> Result<(), AppError> {
    let body = serde_json::to_string(report)?;
    let signature = app.key.sign(SIGNATURE_PURPOSE, body.as_bytes());
    receive(app, &Sandbox, body, &signature).await?;
    Ok(())
}

/// A button of an approved charge was pressed: it is taken back, or its dispute decided, and the callback is sent.
async fn press_return(app: &App, public_id: String, action: String) -> Result<HttpResponse, AppError> {
    let key = app.key.clone();
    let decided = app.db.write(move |conn| {
        let Some(payment) = payments::by_public_id(conn, &public_id)? else { return Ok(None) };
        let is_done = take_back(conn, &public_id, &action)?;
        let Some(charge) = find_charge(conn, &public_id)? else { return Ok(None) };
        let report = Callback {
            merchant: merchant(&key),
            payment_id: public_id.clone(),
            outcome: charge.outcome,
            amount: Money::from_minor(charge.amount_minor),
            currency: charge.currency.as_str().to_owned(),
            returns: returned(conn, &public_id)?,
        };
        Ok(Some((is_done.then_some(report), payments::return_path(conn, &payment)?)))
    });
    let Some((report, return_path)) = decided.await? else { return Ok(HttpResponse::NotFound().finish()) };
    if let Some(report) = report {
        send(app, &report).await?;
    }
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, return_path)).finish())
}
