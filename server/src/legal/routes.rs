//! The calls of customers and visitors about legal texts.
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, ClientAddress, SignedIn};
use crate::legal::types::{AcceptTexts, LegalKindRef, LegalText, LegalTextRef};
use crate::legal::{acceptances, rows};
use crate::state::App;
use actix_web::{post, web};

type AppData = web::Data<App>;

/// Returns the seller's current terms or privacy policy. Not found if the seller has published none.
#[utoipa::path(request_body = LegalKindRef, responses((status = 200, body = Answer<LegalText>)))]
#[post("/SystemSettings/GetLegalText")]
pub async fn get_current_legal_text(app: AppData, Body(asked): Body<LegalKindRef>) -> Answered<LegalText> {
    answer(app.db.read(move |conn| rows::current_text(conn, asked.kind)).await?)
}

/// Accepts versions of the seller's legal texts, and returns those that are still to be accepted. The versions are recorded with time and address.
#[utoipa::path(request_body = AcceptTexts, responses((status = 200, body = Answer<Vec<LegalTextRef>>)))]
#[post("/User/AcceptTexts")]
pub async fn accept_texts(
    app: AppData,
    who: SignedIn,
    from: ClientAddress,
    Body(asked): Body<AcceptTexts>,
) -> Answered<Vec<LegalTextRef>> {
    let now = app.clock.now();
    let accepted = app.db.write(move |conn| {
        acceptances::accept(conn, who.user_id, &asked.accepted_texts, &from.0.to_string(), now)?;
        acceptances::missing(conn, who.user_id)
    });
    answer(accepted.await?)
}
