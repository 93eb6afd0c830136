//! Where a customer says where a refund goes: a link with which whoever has it can claim the money.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::schema::{payment_returns, source_refunds};
use crate::state::App;
use actix_web::{post, web};
use postern_core::code::Code;
use postern_core::payment_return::ReturnState;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RefundToClaim {
    /// The id of a refund that is to be claimed, from the `Source` of an order's refund.
    pub return_id: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ClaimLink {
    /// The gateway's page on which the customer says where the money goes. Whoever has it can claim the money.
    pub url: String,
}

/// Returns the page on which the customer says where a refund goes. Only for the customer in person: an operator who looks at the shop as a customer does
/// not get it. 3004 if there is nothing to claim.
#[utoipa::path(request_body = RefundToClaim, responses((status = 200, body = Answer<ClaimLink>)))]
#[post("/Order/ClaimRefund")]
pub async fn claim_refund(app: web::Data<App>, who: SignedIn, Body(asked): Body<RefundToClaim>) -> Answered<ClaimLink> {
    let url = app.db.read(move |conn| url(conn, who.account_id, asked.return_id)).await?;
    answer(ClaimLink { url: url.ok_or_else(|| AppError::code(Code::NotFound))? })
}

fn url(conn: &mut Conn, account_id: i64, return_id: i64) -> Result<Option<String>, AppError> {
    let refund = source_refunds::table
        .inner_join(payment_returns::table.on(payment_returns::id.eq(source_refunds::return_id)))
        .filter(source_refunds::return_id.eq(return_id))
        .filter(payment_returns::account_id.eq(account_id))
        .filter(payment_returns::state.eq(ReturnState::Open));
    Ok(refund.select(source_refunds::claim_url).first::<Option<String>>(conn).optional()?.flatten())
}
