//! Cases of payments: what operators have to look at, because gateway and books would otherwise disagree. An operator closes them.
use crate::accounts::queries::emails_of;
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::http::request::{Body, Operator};
use crate::schema::payment_cases::dsl;
use crate::schema::{orders, payment_cases, payments};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::audit::AuditAction;
use postern_core::code::Code;
use postern_core::list::PAYMENT_CASES;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentMethod;
use postern_core::payment_case::{CloseCaseForm, PaymentCaseKind, validate_close_case};
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Cases with their payments and orders.
macro_rules! joined {
    ($cases:expr) => {
        $cases
            .left_join(payments::table.on(payments::id.nullable().eq(payment_cases::payment_id)))
            .left_join(orders::table.on(orders::id.nullable().eq(payments::order_id.nullable())))
    };
}

/// The columns of a `Row`.
macro_rules! columns {
    () => {
        (
            Case::as_select(),
            payments::public_id.nullable(),
            (orders::account_id, orders::id, orders::order_number).nullable(),
        )
    };
}

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct PaymentCaseFilter {
    #[schema(required = false)]
    pub gateway: Option<PaymentMethod>,
    /// Only open cases, or only closed ones.
    #[schema(required = false)]
    pub is_open: Option<bool>,
}

/// Something about a payment that an operator has to look at.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentCaseView {
    pub case_id: i64,
    pub kind: PaymentCaseKind,
    pub gateway: PaymentMethod,
    /// The payment's id; if the shop does not know it, the gateway's.
    pub subject: String,
    pub payment_id: Option<String>,
    pub order_id: Option<i64>,
    pub order_number: Option<String>,
    pub account_id: Option<i64>,
    pub email: Option<String>,
    pub currency: Currency,
    /// What was to be paid.
    pub due: Option<Money>,
    /// What was credited to the customer's wallet for it.
    pub credited: Option<Money>,
    /// What the gateway reports, in its currency.
    pub reported: Option<Money>,
    pub reported_currency: Option<Currency>,
    pub opened_at: String,
    /// Absent while it is open.
    pub closed_at: Option<String>,
    /// The operator who closed it.
    pub closed_by: Option<String>,
    /// What was done about it.
    pub note: String,
}

/// Lists cases of payments, newest first. Filters by `Gateway`, `IsOpen` and time; sorts by `OpenedAt`. For operators.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<PaymentCaseView>>)))]
#[post("/Operator/GetPaymentCaseList")]
pub async fn get_payment_case_list(
    app: web::Data<App>,
    _operator: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<PaymentCaseView>> {
    answer(app.db.read(move |conn| list(conn, &asked)).await?)
}

/// Closes a case, with a note of what was done about it. Closing it again changes nothing. For operators.
#[utoipa::path(request_body = CloseCaseForm, responses((status = 200, body = Answer<PaymentCaseView>)))]
#[post("/Operator/ClosePaymentCase")]
pub async fn close_payment_case(
    app: web::Data<App>,
    who: Operator,
    Body(form): Body<CloseCaseForm>,
) -> Answered<PaymentCaseView> {
    let note = validate_close_case(&form)?;
    let now = app.clock.now();
    answer(app.db.write(move |conn| close(conn, form.case_id, &note, (&who.email, &who.actor), now)).await?)
}

fn close(
    conn: &mut Conn,
    case_id: i64,
    note: &str,
    (email, actor): (&str, &Actor),
    now: NaiveDateTime,
) -> Result<PaymentCaseView, AppError> {
    let open = dsl::payment_cases.find(case_id).filter(dsl::closed_at.is_null());
    let closed = (dsl::closed_at.eq(now), dsl::closed_by.eq(email), dsl::note.eq(note));
    let is_closed_now = diesel::update(open).set(closed).execute(conn)? == 1;
    let row =
        joined!(payment_cases::table).filter(dsl::id.eq(case_id)).select(columns!()).first::<Row>(conn).optional()?;
    let row = row.ok_or_else(|| AppError::code(Code::NotFound))?;
    if is_closed_now {
        let mut entry = Entry::new(AuditAction::PaymentCaseClosed).subject(&row.case.subject).reason(note);
        if let Some((account_id, ..)) = row.order {
            entry = entry.account(account_id);
        }
        audit::record(conn, actor, entry, now)?;
    }
    let view = views(conn, vec![row])?.pop();
    view.ok_or_else(|| AppError::internal("a case is gone"))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = payment_cases)]
struct Case {
    id: i64,
    gateway: PaymentMethod,
    kind: PaymentCaseKind,
    subject: String,
    due_minor: Option<i64>,
    credited_minor: Option<i64>,
    currency: Currency,
    reported_minor: Option<i64>,
    reported_currency: Option<Currency>,
    opened_at: NaiveDateTime,
    closed_at: Option<NaiveDateTime>,
    closed_by: String,
    note: String,
}

#[derive(Queryable)]
struct Row {
    case: Case,
    payment_id: Option<String>,
    order: Option<(i64, i64, String)>,
}

fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<PaymentCaseView>, AppError> {
    let filter: PaymentCaseFilter = list.filters()?;
    let between = list.between()?;
    let asked = list.asked(&PAYMENT_CASES)?;
    let narrowed = || {
        let mut query = within(joined!(payment_cases::table).into_boxed(), dsl::opened_at, between);
        if let Some(gateway) = filter.gateway {
            query = query.filter(dsl::gateway.eq(gateway));
        }
        match filter.is_open {
            Some(true) => query.filter(dsl::closed_at.is_null()),
            Some(false) => query.filter(dsl::closed_at.is_not_null()),
            None => query,
        }
    };
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select(columns!()),
        counted: narrowed().select(dsl::id), number: dsl::id => row.case.id, fields: {}
    );
    page.views(|rows| views(conn, rows))
}

fn views(conn: &mut Conn, rows: Vec<Row>) -> Result<Vec<PaymentCaseView>, AppError> {
    let accounts: Vec<i64> = rows.iter().filter_map(|row| row.order.as_ref().map(|order| order.0)).collect();
    let emails = emails_of(conn, &accounts)?;
    let view = |Row { case, payment_id, order }: Row| {
        let account_id = order.as_ref().map(|order| order.0);
        PaymentCaseView {
            case_id: case.id,
            kind: case.kind,
            gateway: case.gateway,
            subject: case.subject,
            payment_id,
            order_id: order.as_ref().map(|order| order.1),
            order_number: order.map(|order| order.2),
            account_id,
            email: account_id.and_then(|id| emails.get(&id).cloned()),
            currency: case.currency,
            due: case.due_minor.map(Money::from_minor),
            credited: case.credited_minor.map(Money::from_minor),
            reported: case.reported_minor.map(Money::from_minor),
            reported_currency: case.reported_currency,
            opened_at: to_wire(case.opened_at),
            closed_at: case.closed_at.map(to_wire),
            closed_by: Some(case.closed_by).filter(|email| !email.is_empty()),
            note: case.note,
        }
    };
    Ok(rows.into_iter().map(view).collect())
}
