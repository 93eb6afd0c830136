//! Switch records: which address replaced which, when, why and at what price.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page, containing, page_of_rows, within};
use crate::http::request::{Body, SignedIn};
use crate::schema::{node_switches, users};
use crate::state::App;
use crate::static_proxies::place_names::{of_city, of_country};
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::list::{CursorKey, SWITCHES};
use postern_core::money::{Currency, Money};
use postern_core::switch::SwitchMode;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

type AppData = web::Data<App>;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct SwitchRecordFilter {
    #[schema(required = false)]
    pub ver_str: Option<String>,
    #[schema(required = false)]
    pub mode: Option<SwitchMode>,
}

/// A completed switch.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SwitchRecord {
    pub switch_id: i64,
    pub old_node_id: i64,
    pub new_node_id: i64,
    pub old_ip: String,
    pub new_ip: String,
    pub country: String,
    pub country_name_en: String,
    pub country_name_zh: String,
    pub city: String,
    pub city_name_en: String,
    pub city_name_zh: String,
    pub ver_str: String,
    pub mode: SwitchMode,
    pub reason: String,
    pub price: Money,
    pub currency: Currency,
    /// The e-mail address of the user who made the switch; empty if the seller replaced the node.
    pub email: String,
    pub created_at: String,
}

/// An account's switches that match a list request, newest first by default.
pub fn switch_records(conn: &mut Conn, account_id: i64, list: &ListRequest) -> Result<Page<SwitchRecord>, AppError> {
    let filter: SwitchRecordFilter = list.filters()?;
    let between = list.between()?;
    let asked = list.asked(&SWITCHES)?;
    let search = list.search.trim();
    let pattern = containing(search);
    let narrowed = || {
        let query = node_switches::table.filter(node_switches::account_id.eq(account_id));
        let mut query = within(query.into_boxed(), node_switches::created_at, between);
        if let Some(ver_str) = &filter.ver_str {
            query = query.filter(node_switches::ver_str.eq(ver_str));
        }
        if let Some(mode) = filter.mode {
            query = query.filter(node_switches::mode.eq(mode));
        }
        if !search.is_empty() {
            let found = node_switches::old_ip.like(&pattern).escape('\\');
            let found = found.or(node_switches::new_ip.like(&pattern).escape('\\'));
            query = query.filter(found.or(node_switches::reason.like(&pattern).escape('\\')));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: (RecordRow, String)| narrowed()
            .inner_join(users::table.on(users::id.eq(node_switches::user_id)))
            .select((RecordRow::as_select(), users::email)),
        counted: narrowed().select(node_switches::id), number: node_switches::id => row.0.id,
        fields: {
            "OldIp" => node_switches::old_ip, text, CursorKey::Text(row.0.old_ip.clone());
            "NewIp" => node_switches::new_ip, text, CursorKey::Text(row.0.new_ip.clone());
        }
    );
    let record = |(row, email): (RecordRow, String)| SwitchRecord {
        switch_id: row.id,
        old_node_id: row.old_node_id,
        new_node_id: row.new_node_id,
        old_ip: row.old_ip,
        new_ip: row.new_ip,
        country_name_en: of_country(&row.country).en,
        country_name_zh: of_country(&row.country).zh,
        city_name_en: of_city(&row.city).en,
        city_name_zh: of_city(&row.city).zh,
        country: row.country,
        city: row.city,
        ver_str: row.ver_str,
        // Operators stay unnamed.
        email: if row.mode == SwitchMode::Replaced { String::new() } else { email },
        mode: row.mode,
        reason: row.reason,
        price: Money::from_minor(row.cost_minor),
        currency: row.currency,
        created_at: to_wire(row.created_at),
    };
    page.map(record)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = node_switches)]
struct RecordRow {
    id: i64,
    old_node_id: i64,
    new_node_id: i64,
    old_ip: String,
    new_ip: String,
    country: String,
    city: String,
    ver_str: String,
    mode: SwitchMode,
    reason: String,
    cost_minor: i64,
    currency: Currency,
    created_at: NaiveDateTime,
}

/// Lists the switch records, newest first. Filters by tier, mode and time; sorts by `CreatedAt`, `OldIp`, `NewIp`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<SwitchRecord>>)))]
#[post("/Ips/UserGetSwitchRecording")]
pub async fn user_get_switch_recording(
    app: AppData,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<SwitchRecord>> {
    answer(app.db.read(move |conn| switch_records(conn, who.account_id, &list)).await?)
}
