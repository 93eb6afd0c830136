//! The operator's calls about refunds.
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator, Write, once};
use crate::refunds::execute::{lock_order, preview, refund_as_operator};
use crate::refunds::types::{RefundOrder, RefundPreview};
use crate::state::App;
use actix_web::{post, web};
use serde_json::Value;

type AppData = web::Data<App>;

/// Previews a refund: the nodes that end, the amount, the amount still refundable, and where the money came from. Of a top-up without an amount:
/// everything that can go back.
#[utoipa::path(request_body = RefundOrder, responses((status = 200, body = Answer<RefundPreview>)))]
#[post("/Operator/PreviewRefund")]
pub async fn preview_refund(app: AppData, who: Operator, Body(form): Body<RefundOrder>) -> Answered<RefundPreview> {
    let now = app.clock.now();
    let preview = app.db.read(move |conn| preview(conn, &form, who.role, now));
    answer(preview.await?)
}

/// Refunds an order, with a credit note: its unused time, ending its nodes, or an amount. The money goes to the wallet or, with `ToSource`, back to where it
/// came from: it is sent to the gateway, and is back in the wallet if that fails. A top-up can be refunded there, too, in parts, by what of it is left in
/// the wallet. Never refunds more than was paid.
#[utoipa::path(request_body = RefundOrder, responses((status = 200, body = Answer<RefundPreview>)))]
#[post("/Operator/RefundOrder")]
pub async fn refund_order(app: AppData, who: Operator, write: Write<RefundOrder>) -> Answered<Value> {
    let now = app.clock.now();
    let refunded = app.db.write(move |conn| {
        // Lock the wallet before reading the key, so that the second of two concurrent requests finds the first one's answer.
        lock_order(conn, &write.body.order_number)?;
        once(conn, who.account_id, &write.repeat, now, |conn| refund_as_operator(conn, &write.body, &who.actor, now))
    });
    answer(refunded.await?)
}
