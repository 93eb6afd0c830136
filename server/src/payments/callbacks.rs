//! The operator's list of gateway callbacks and their verdicts.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::http::request::{Body, Operator};
use crate::payments::{process, stored};
use crate::schema::{gateway_callbacks, orders, payments};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::callback::can_replay;
use postern_core::list::CALLBACKS;
use postern_core::order::{PaymentMethod, Verdict};
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct CallbackFilter {
    #[schema(required = false)]
    pub gateway: Option<PaymentMethod>,
    #[schema(required = false)]
    pub verdict: Option<Verdict>,
    /// Only refused callbacks, or only callbacks that were not refused.
    #[schema(required = false)]
    pub is_refused: Option<bool>,
    #[schema(required = false)]
    pub payment_id: Option<String>,
}

/// A callback and its verdict. Signed callbacks are stored in full; unsigned ones for seven days, with only the fields shown here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CallbackView {
    pub callback_id: i64,
    pub gateway: PaymentMethod,
    /// The first 200 bytes of the body. Not trustworthy if `Verdict` is `bad_signature`.
    pub beginning: String,
    /// The length of the body, in bytes.
    pub size_bytes: i64,
    /// The SHA-256 of the body, in hexadecimal.
    pub sha256: String,
    /// The sender's address; empty for an operator's confirmation.
    pub sender: String,
    /// Absent until the callback has been processed.
    pub verdict: Option<Verdict>,
    pub is_refused: bool,
    /// Whether it can be processed again, with `Operator/ReplayCallback`.
    pub can_replay: bool,
    /// The payment that it reports on, if it exists in the shop.
    pub payment_id: Option<String>,
    pub order_id: Option<i64>,
    pub order_number: Option<String>,
    pub received_at: String,
    pub judged_at: Option<String>,
}

/// A page of callbacks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CallbackPage {
    #[serde(flatten)]
    pub page: Page<CallbackView>,
    /// The number of unsigned callbacks in the last seven days. In a flood most of them are only counted, not stored.
    pub forged_lately: i64,
}

/// Lists gateway callbacks, newest first, including refused ones. Filters by `Gateway`, `Verdict`, `IsRefused`, `PaymentId` and time;
/// sorts by `ReceivedAt`. For operators.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<CallbackPage>)))]
#[post("/Order/GetCallbackList")]
pub async fn get_callback_list(
    app: web::Data<App>,
    _operator: Operator,
    Body(list): Body<ListRequest>,
) -> Answered<CallbackPage> {
    let now = app.clock.now();
    let find = move |conn: &mut Conn| {
        Ok(CallbackPage { page: find(conn, &list)?, forged_lately: stored::forged_lately(conn, now)? })
    };
    answer(app.db.read(find).await?)
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CallbackRef {
    pub callback_id: i64,
}

/// What became of a callback that was processed again.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CallbackReplayed {
    pub callback_id: i64,
    pub verdict: Verdict,
    pub is_refused: bool,
}

/// Processes a refused callback again, after what it was refused for was mended: a secret, a currency, a payment that was not there yet. What it reports
/// counts once, however often it is processed. Refused with code 3333 and the key `callbackNotReplayable` if it was not refused, or is stored in short
/// form only.
#[utoipa::path(request_body = CallbackRef, responses((status = 200, body = Answer<CallbackReplayed>)))]
#[post("/Operator/ReplayCallback")]
pub async fn replay_callback(
    app: web::Data<App>,
    who: Operator,
    Body(asked): Body<CallbackRef>,
) -> Answered<CallbackReplayed> {
    let callback_id = asked.callback_id;
    let callback = app.db.read(move |conn| stored::replayable(conn, callback_id)).await?;
    let verdict = process::replay(&app, callback, who.actor).await?;
    answer(CallbackReplayed { callback_id, verdict, is_refused: verdict.is_refused() })
}

fn find(conn: &mut Conn, list: &ListRequest) -> Result<Page<CallbackView>, AppError> {
    let filter: CallbackFilter = list.filters()?;
    let between = list.between()?;
    let asked = list.asked(&CALLBACKS)?;
    let refused: Vec<Verdict> = Verdict::ALL.iter().copied().filter(|one| one.is_refused()).collect();
    let narrowed = || {
        let joined = gateway_callbacks::table
            .left_join(payments::table.on(payments::id.nullable().eq(gateway_callbacks::payment_id)))
            .left_join(orders::table.on(orders::id.nullable().eq(payments::order_id.nullable())));
        let mut query = within(joined.into_boxed(), gateway_callbacks::received_at, between);
        if let Some(gateway) = filter.gateway {
            query = query.filter(gateway_callbacks::gateway.eq(gateway));
        }
        if let Some(verdict) = filter.verdict {
            query = query.filter(gateway_callbacks::verdict.eq(verdict));
        }
        query = match filter.is_refused {
            Some(true) => query.filter(gateway_callbacks::verdict.eq_any(refused.clone())),
            Some(false) => query.filter(gateway_callbacks::verdict.ne_all(refused.clone())),
            None => query,
        };
        if let Some(payment_id) = &filter.payment_id {
            query = query.filter(payments::public_id.eq(payment_id));
        }
        query
    };
    type Body = (String, i64, String, String, bool);
    type Columns = (i64, PaymentMethod, Body, Option<Verdict>, NaiveDateTime, Option<NaiveDateTime>);
    type Row = (Columns, Option<String>, Option<i64>, Option<String>);
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select((
            (
                gateway_callbacks::id,
                gateway_callbacks::gateway,
                (
                    gateway_callbacks::beginning,
                    gateway_callbacks::size_bytes,
                    gateway_callbacks::body_sha256,
                    gateway_callbacks::sender,
                    gateway_callbacks::body.is_not_null(),
                ),
                gateway_callbacks::verdict,
                gateway_callbacks::received_at,
                gateway_callbacks::judged_at,
            ),
            payments::public_id.nullable(),
            orders::id.nullable(),
            orders::order_number.nullable(),
        )),
        counted: narrowed().select(gateway_callbacks::id), number: gateway_callbacks::id => row.0.0, fields: {}
    );
    let view = |((callback_id, gateway, body, verdict, received_at, judged_at), payment_id, order_id, number): Row| {
        let (beginning, size_bytes, sha256, sender, is_kept) = body;
        CallbackView {
            callback_id,
            gateway,
            beginning,
            size_bytes,
            sha256,
            sender,
            verdict,
            is_refused: verdict.is_some_and(Verdict::is_refused),
            can_replay: can_replay(gateway, verdict, is_kept),
            payment_id,
            order_id,
            order_number: number,
            received_at: to_wire(received_at),
            judged_at: judged_at.map(to_wire),
        }
    };
    page.map(view)
}
