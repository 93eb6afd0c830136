//! The operator's view of callbacks: what came from gateways, and what was made of it.
use crate::answer::{Answer, Answered, answer};
use crate::db::Conn;
use crate::error::AppError;
use crate::list::{Direction, ListRequest, Page, unknown_sort};
use crate::request::{Body, SignedIn};
use crate::schema::{gateway_callbacks, orders, payments};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::order::Verdict;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(get_callback_list).configure(super::transfer::configure_calls);
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct CallbackFilter {
    /// `sandbox`, `stripe` or `transfer`.
    #[schema(required = false)]
    pub gateway: Option<String>,
    #[schema(required = false)]
    pub verdict: Option<String>,
    /// Only those that were refused, or only the others.
    #[schema(required = false)]
    pub is_refused: Option<bool>,
    #[schema(required = false)]
    pub payment_id: Option<String>,
}

/// A callback as it came, and what was made of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CallbackView {
    pub callback_id: i64,
    pub gateway: String,
    /// As it came; nothing of it is to be believed when `Verdict` is `bad_signature`.
    pub body: String,
    /// Absent until it is judged.
    pub verdict: Option<String>,
    pub is_refused: bool,
    /// The payment that it is about, if the shop has it.
    pub payment_id: Option<String>,
    pub order_id: Option<i64>,
    pub order_number: Option<String>,
    pub received_at: String,
    pub judged_at: Option<String>,
}

/// What came from gateways, newest first: refused callbacks too. Filters by `Gateway`, `Verdict`, `IsRefused`, `PaymentId` and time;
/// sorts by `ReceivedAt`. For operators.
#[utoipa::path(tag = "Order", request_body = ListRequest, responses((status = 200, body = Answer<Page<CallbackView>>)), security(("Token" = [])))]
#[post("/Order/GetCallbackList")]
async fn get_callback_list(
    app: web::Data<App>,
    _operator: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<CallbackView>> {
    answer(app.db.read(move |conn| find(conn, &list)).await?)
}

fn find(conn: &mut Conn, list: &ListRequest) -> Result<Page<CallbackView>, AppError> {
    let filter: CallbackFilter = list.filters()?;
    let (from, to) = list.between()?;
    let refused: Vec<&str> = Verdict::ALL.iter().filter(|one| one.is_refused()).map(|one| one.as_str()).collect();
    macro_rules! narrowed {
        ($columns:expr) => {{
            let joined = gateway_callbacks::table
                .left_join(payments::table.on(payments::id.nullable().eq(gateway_callbacks::payment_id)))
                .left_join(orders::table.on(orders::id.nullable().eq(payments::order_id.nullable())));
            let mut query = joined.select($columns).into_boxed();
            if let Some(gateway) = &filter.gateway {
                query = query.filter(gateway_callbacks::gateway.eq(gateway));
            }
            if let Some(verdict) = &filter.verdict {
                query = query.filter(gateway_callbacks::verdict.eq(verdict));
            }
            query = match filter.is_refused {
                Some(true) => query.filter(gateway_callbacks::verdict.eq_any(&refused)),
                Some(false) => query.filter(gateway_callbacks::verdict.ne_all(&refused)),
                None => query,
            };
            if let Some(payment_id) = &filter.payment_id {
                query = query.filter(payments::public_id.eq(payment_id));
            }
            if let Some(from) = from {
                query = query.filter(gateway_callbacks::received_at.ge(from));
            }
            if let Some(to) = to {
                query = query.filter(gateway_callbacks::received_at.le(to));
            }
            query
        }};
    }
    let total: i64 = narrowed!(diesel::dsl::count(gateway_callbacks::id)).first(conn)?;
    type Columns = (i64, String, String, Option<String>, NaiveDateTime, Option<NaiveDateTime>);
    type Row = (Columns, Option<String>, Option<i64>, Option<String>);
    let mut query = narrowed!((
        (
            gateway_callbacks::id,
            gateway_callbacks::gateway,
            gateway_callbacks::body,
            gateway_callbacks::verdict,
            gateway_callbacks::received_at,
            gateway_callbacks::judged_at,
        ),
        payments::public_id.nullable(),
        orders::id.nullable(),
        orders::order_number.nullable(),
    ));
    for sort in &list.sort {
        query = match (sort.field.as_str(), sort.direction) {
            ("ReceivedAt", Direction::Asc) => query.then_order_by(gateway_callbacks::received_at.asc()),
            ("ReceivedAt", Direction::Desc) => query.then_order_by(gateway_callbacks::received_at.desc()),
            (other, _) => return Err(unknown_sort(other)),
        };
    }
    let rows: Vec<Row> =
        query.then_order_by(gateway_callbacks::id.desc()).limit(list.limit()).offset(list.offset()).load(conn)?;
    let view = |((callback_id, gateway, body, verdict, received_at, judged_at), payment_id, order_id, number): Row| {
        let judged = verdict.as_deref().and_then(Verdict::from_wire);
        CallbackView {
            callback_id,
            gateway,
            body,
            verdict,
            is_refused: judged.is_some_and(Verdict::is_refused),
            payment_id,
            order_id,
            order_number: number,
            received_at: to_wire(received_at),
            judged_at: judged_at.map(to_wire),
        }
    };
    Ok(list.page_of(rows.into_iter().map(view).collect(), total))
}
