//! The lists of the fake Stripe.
use crate::stripe_double::{Form, Stripe, refuse, respond};
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

/// One session in each page, newest first, so that every list has several.
pub async fn sessions(stripe: web::Data<Stripe>, request: HttpRequest) -> HttpResponse {
    if let Some(refused) = refuse(&stripe, &request) {
        return refused;
    }
    let url = reqwest::Url::parse(&format!("http://form/?{}", request.query_string())).expect("a query");
    let asked: Form = url.query_pairs().into_owned().collect();
    let number = |name: &str| asked[name].parse::<i64>().expect("a number");
    let created = number("created[gte]")..number("created[lt]");
    let books = stripe.books.lock().expect("books");
    let found =
        books.sessions.iter().rev().filter(|(_, session)| created.contains(&session["created"].as_i64().unwrap_or(0)));
    let mut left = found.skip_while(|(id, _)| asked.get("starting_after").is_some_and(|after| *id >= after));
    let page: Vec<&Value> = left.next().into_iter().map(|(_, session)| session).collect();
    respond((200, json!({"object": "list", "data": page, "has_more": left.next().is_some()})))
}
