//! The operator's list of payments.
use crate::accounts::queries::emails_of;
use crate::accounts::search::{Matching, of_accounts};
use crate::charges::arrivals;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page, containing, page_of_rows, within};
use crate::http::request::{Body, Operator};
use crate::schema::{gateway_callbacks, orders, payments};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::list::{CursorKey, PAYMENTS};
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, OrderState, PaymentMethod, PaymentState, Verdict};
use postern_core::order_search::{OrderSearch, order_search};
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct PaymentFilter {
    #[schema(required = false)]
    pub payment_method: Option<PaymentMethod>,
    #[schema(required = false)]
    pub state: Option<PaymentState>,
    #[schema(required = false)]
    pub account_id: Option<i64>,
}

/// A payment of any account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountPayment {
    pub payment_id: String,
    pub account_id: i64,
    pub email: String,
    pub order_number: String,
    pub order_kind: OrderKind,
    pub order_state: OrderState,
    /// Until when the order can be paid. Money that arrives later goes to the wallet.
    pub order_expires_at: String,
    pub payment_method: PaymentMethod,
    pub state: PaymentState,
    pub amount: Money,
    /// What was credited for it, if that is another amount.
    pub credited: Option<Money>,
    pub currency: Currency,
    pub created_at: String,
    pub settled_at: Option<String>,
    /// The verdict on the last callback or confirmation; null if there was none.
    pub last_verdict: Option<Verdict>,
}

#[derive(Queryable)]
struct Row {
    id: i64,
    public_id: String,
    account_id: i64,
    payment_method: PaymentMethod,
    state: PaymentState,
    amount_minor: i64,
    currency: Currency,
    created_at: NaiveDateTime,
    settled_at: Option<NaiveDateTime>,
    order: (String, OrderKind, OrderState, NaiveDateTime),
}

fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<AccountPayment>, AppError> {
    let filter: PaymentFilter = list.filters()?;
    let between = list.between()?;
    let search = order_search(&list.search);
    let matching = search.email().map(|part| Matching::of(conn, part)).transpose()?;
    let asked = list.asked(&PAYMENTS)?;
    let narrowed = || {
        let joined = payments::table.inner_join(orders::table.on(orders::id.eq(payments::order_id)));
        let mut query = within(joined.into_boxed(), payments::created_at, between);
        query = match (&search, &matching) {
            (OrderSearch::Number(number), _) => query.filter(orders::order_number.eq(number.clone())),
            (OrderSearch::Part(part), Some(matching)) => {
                let number = orders::order_number.like(containing(&part.to_uppercase())).escape('\\');
                let payment = payments::public_id.eq(part.clone());
                of_accounts!(matching, |ids| query.filter(number.or(payment).or(orders::account_id.eq_any(ids))))
            }
            // An index leads from accounts to orders, and from these to their payments.
            (_, Some(matching)) => of_accounts!(matching, |ids| query.filter(orders::account_id.eq_any(ids))),
            (_, None) => query,
        };
        if let Some(method) = filter.payment_method {
            query = query.filter(payments::payment_method.eq(method));
        }
        if let Some(state) = filter.state {
            query = query.filter(payments::state.eq(state));
        }
        if let Some(account_id) = filter.account_id {
            query = query.filter(orders::account_id.eq(account_id));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select((
            payments::id,
            payments::public_id,
            payments::account_id,
            payments::payment_method,
            payments::state,
            payments::amount_minor,
            payments::currency,
            payments::created_at,
            payments::settled_at,
            (orders::order_number, orders::kind, orders::state, orders::expires_at),
        )),
        counted: narrowed().select(payments::id), number: payments::id => row.id,
        fields: {
            "CreatedAt" => payments::created_at, time, CursorKey::Time(row.created_at);
            "Amount" => payments::amount_minor, integer, CursorKey::Integer(row.amount_minor);
        }
    );
    page.views(|rows| views(conn, rows))
}

fn views(conn: &mut Conn, rows: Vec<Row>) -> Result<Vec<AccountPayment>, AppError> {
    let accounts: Vec<i64> = rows.iter().map(|row| row.account_id).collect();
    let emails = emails_of(conn, &accounts)?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let credited = arrivals::credited(conn, &ids)?;
    // In order of arrival, so that the last one stays.
    let verdicts: HashMap<Option<i64>, Option<Verdict>> = gateway_callbacks::table
        .filter(gateway_callbacks::payment_id.eq_any(ids))
        .filter(gateway_callbacks::verdict.is_not_null())
        .order(gateway_callbacks::id)
        .select((gateway_callbacks::payment_id, gateway_callbacks::verdict))
        .load::<(Option<i64>, Option<Verdict>)>(conn)?
        .into_iter()
        .collect();
    let view = |row: Row| {
        let (order_number, order_kind, order_state, order_expires_at) = row.order;
        AccountPayment {
            payment_id: row.public_id,
            account_id: row.account_id,
            email: emails.get(&row.account_id).cloned().unwrap_or_default(),
            order_number,
            order_kind,
            order_state,
            order_expires_at: to_wire(order_expires_at),
            payment_method: row.payment_method,
            state: row.state,
            amount: Money::from_minor(row.amount_minor),
            credited: credited.get(&row.id).copied().filter(|credited| credited.minor() != row.amount_minor),
            currency: row.currency,
            created_at: to_wire(row.created_at),
            settled_at: row.settled_at.map(to_wire),
            last_verdict: verdicts.get(&Some(row.id)).copied().flatten(),
        }
    };
    Ok(rows.into_iter().map(view).collect())
}

/// Lists the payments of all accounts, newest first. `Search` matches a payment's id, or part of an order number or e-mail address; filters by
/// `PaymentMethod`, `State`, `AccountId` and time; sorts by `CreatedAt` and `Amount`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<AccountPayment>>)))]
#[post("/Operator/GetPaymentList")]
pub async fn get_payment_list(
    app: web::Data<App>,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<AccountPayment>> {
    answer(app.db.read(move |conn| list(conn, &asked)).await?)
}
