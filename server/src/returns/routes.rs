//! The operator's calls about money that went back to where it came from.
use crate::accounts::queries::emails_of;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::http::request::{Body, Operator};
use crate::invoices::paper::{Paper, drawn, pdf_file};
use crate::returns::evidence;
use crate::returns::rows::ReturnRow;
use crate::returns::source_rows;
use crate::schema::payment_returns::{self, dsl};
use crate::schema::{orders, payments, wallets};
use crate::state::App;
use actix_web::{HttpRequest, HttpResponse, post, web};
use postern_core::list::PAYMENT_RETURNS;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentMethod;
use postern_core::payment_return::{RefundProgress, ReturnKind, ReturnState};
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct PaymentReturnFilter {
    #[schema(required = false)]
    pub gateway: Option<PaymentMethod>,
    #[schema(required = false)]
    pub kind: Option<ReturnKind>,
    #[schema(required = false)]
    pub state: Option<ReturnState>,
    #[schema(required = false)]
    pub account_id: Option<i64>,
}

/// Money of a payment that went back to where it came from.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentReturnView {
    pub return_id: i64,
    pub kind: ReturnKind,
    pub state: ReturnState,
    pub gateway: PaymentMethod,
    pub payment_id: String,
    pub order_id: i64,
    pub order_number: String,
    pub account_id: i64,
    pub email: String,
    pub currency: Currency,
    /// What is taken from the customer for it now; `0.00` if the money is back.
    pub taken: Money,
    /// What the gateway says, in its currency; of an invalid payment, what is left of it there.
    pub reported: Money,
    pub reported_currency: Currency,
    /// The gateway's word for why, such as `fraudulent`, or the shop's reason; may be empty.
    pub reason: String,
    /// How far a refund of the shop has come; absent for what the gateway took back.
    pub progress: Option<RefundProgress>,
    /// The gateway's id of it; empty while it is not known.
    pub reference: String,
    /// Why the last attempt to send a refund failed; may be empty.
    pub trouble: String,
    /// Whether it is a refund whose outcome an operator has to record with `Operator/SettleRefund`.
    pub can_be_settled: bool,
    /// Until when evidence can be handed in; absent if the gateway does not say that.
    pub due_at: Option<String>,
    pub opened_at: String,
    pub changed_at: String,
    /// What the customer owes in all now.
    pub owed: Money,
}

/// Lists the money that gateways took back and that the shop refunded there, newest first. Filters by `Gateway`, `Kind`, `State`, `AccountId` and time; sorts by `OpenedAt`. For
/// operators.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<PaymentReturnView>>)))]
#[post("/Operator/GetPaymentReturnList")]
pub async fn get_payment_return_list(
    app: web::Data<App>,
    _operator: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<PaymentReturnView>> {
    answer(app.db.read(move |conn| list(conn, &asked)).await?)
}

#[derive(Queryable)]
struct Row {
    row: ReturnRow,
    payment: (String, PaymentMethod, Currency),
    order: (i64, String),
}

fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<PaymentReturnView>, AppError> {
    let filter: PaymentReturnFilter = list.filters()?;
    let between = list.between()?;
    let asked = list.asked(&PAYMENT_RETURNS)?;
    let narrowed = || {
        let joined = payment_returns::table
            .inner_join(payments::table.on(payments::id.eq(payment_returns::payment_id)))
            .inner_join(orders::table.on(orders::id.eq(payments::order_id)));
        let mut query = within(joined.into_boxed(), dsl::opened_at, between);
        if let Some(gateway) = filter.gateway {
            query = query.filter(payments::payment_method.eq(gateway));
        }
        if let Some(kind) = filter.kind {
            query = query.filter(dsl::kind.eq(kind));
        }
        if let Some(state) = filter.state {
            query = query.filter(dsl::state.eq(state));
        }
        if let Some(account_id) = filter.account_id {
            query = query.filter(dsl::account_id.eq(account_id));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select((
            ReturnRow::as_select(),
            (payments::public_id, payments::payment_method, payments::currency),
            (orders::id, orders::order_number),
        )),
        counted: narrowed().select(dsl::id), number: dsl::id => row.row.id, fields: {}
    );
    page.views(|rows| views(conn, rows))
}

fn views(conn: &mut Conn, rows: Vec<Row>) -> Result<Vec<PaymentReturnView>, AppError> {
    let accounts: Vec<i64> = rows.iter().map(|row| row.row.account_id).collect();
    let emails = emails_of(conn, &accounts)?;
    let owed: HashMap<i64, i64> = wallets::table
        .filter(wallets::account_id.eq_any(accounts))
        .select((wallets::account_id, wallets::owed_minor))
        .load::<(i64, i64)>(conn)?
        .into_iter()
        .collect();
    let mut refunds = source_rows::of_returns(conn, &rows.iter().map(|row| row.row.id).collect::<Vec<_>>())?;
    let mut view = |Row { row, payment: (payment_id, gateway, currency), order: (order_id, order_number) }: Row| {
        let refund = refunds.remove(&row.id);
        let progress = refund.as_ref().map(|refund| refund.progress(row.state));
        let (reference, trouble) = match refund {
            Some(refund) => (refund.gateway_reference.unwrap_or_default(), refund.trouble),
            None if row.kind == ReturnKind::Invalid => Default::default(),
            None => (row.reference.clone(), String::new()),
        };
        PaymentReturnView {
            return_id: row.id,
            kind: row.kind,
            state: row.state,
            gateway,
            payment_id,
            order_id,
            order_number,
            account_id: row.account_id,
            email: emails.get(&row.account_id).cloned().unwrap_or_default(),
            currency,
            taken: Money::from_minor(row.taken_minor),
            reported: Money::from_minor(row.reported_minor),
            reported_currency: row.reported_currency,
            reason: row.reason,
            progress,
            reference,
            trouble,
            can_be_settled: progress == Some(RefundProgress::ByHand),
            due_at: row.due_at.map(to_wire),
            opened_at: to_wire(row.opened_at),
            changed_at: to_wire(row.changed_at),
            owed: Money::from_minor(owed.get(&row.account_id).copied().unwrap_or_default()),
        }
    };
    Ok(rows.into_iter().map(&mut view).collect())
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentReturnRef {
    pub return_id: i64,
}

/// Returns what a shop hands in against a dispute, as a PDF in the reader's language: the customer, what was bought and delivered, its use, and the
/// sign-ins. For operators.
#[utoipa::path(request_body = PaymentReturnRef, responses((status = 200, body = String, content_type = "application/pdf")))]
#[post("/Operator/GetDisputeEvidence")]
pub async fn get_dispute_evidence(
    app: web::Data<App>,
    request: HttpRequest,
    who: Operator,
    Body(asked): Body<PaymentReturnRef>,
) -> Result<HttpResponse, AppError> {
    let (language, now) = (language_of(&request), app.clock.now());
    let evidence = app.db.read(move |conn| evidence::gather(conn, asked.return_id, now)).await?;
    let name = evidence.file_name();
    let print = move |paper: &Paper| evidence.print(paper, language);
    Ok(pdf_file(&name, drawn(&app, who.account_id, print).await?))
}
