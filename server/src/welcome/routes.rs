//! The call for the welcome screens.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use crate::welcome::queries::overview;
use crate::welcome::types::{Overview, OverviewRequest};
use actix_web::{post, web};
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::time::time_zone;

/// Returns the account's static proxies by tier and country, the number that expire on each of the next 30 days, and which of the first steps are
/// done.
#[utoipa::path(request_body = OverviewRequest, responses((status = 200, body = Answer<Overview>)))]
#[post("/Welcome/GetOverview")]
pub async fn get_overview(
    app: web::Data<App>,
    who: SignedIn,
    Body(request): Body<OverviewRequest>,
) -> Answered<Overview> {
    let unknown = || AppError::fields(FieldErrors::one("TimeZone", Rule::TimeZone, &[]));
    let zone = time_zone(&request.time_zone).ok_or_else(unknown)?;
    let now = app.clock.now();
    answer(app.db.read(move |conn| overview(conn, who.account_id, zone, now)).await?)
}
