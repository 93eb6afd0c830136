//! The plans of an account, each with its switch quota and its next charge.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::fulfilment::renewals;
use crate::schema::{plans, tiers};
use crate::static_proxies::queries::owned_products;
use crate::static_proxies::switch_plan::quota_of;
use crate::static_proxies::types::Plan;
use chrono::NaiveDateTime;
use postern_core::node::AccessMode;
use postern_core::product_summary::summarise;

pub fn plan_list(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<Plan>, AppError> {
    let owned = owned_products(conn, account_id, now)?;
    type PlanRow = (i64, String, bool, i16, AccessMode, Option<String>);
    let rows: Vec<PlanRow> = plans::table
        .inner_join(tiers::table.on(tiers::ver_str.eq(plans::ver_str)))
        .filter(plans::account_id.eq(account_id))
        .order(tiers::position)
        .select((plans::id, plans::ver_str, plans::auto_renew, tiers::node_type, plans::access_mode, plans::user_name))
        .load(conn)?;
    rows.into_iter()
        .map(|(plan_id, ver_str, auto_renew, node_type, access_mode, user_name)| {
            let product = owned.iter().find(|product| product.ver_str == ver_str);
            let summary = product.map_or_else(|| summarise(&[], auto_renew, now), |product| product.summary);
            Ok(Plan {
                plan_id,
                node_type,
                auto_renew,
                ips_count: summary.owned(),
                summary,
                access_mode,
                user_name,
                quota: quota_of(conn, account_id, &ver_str, now)?,
                next_charge: renewals::next_charge(conn, account_id, &ver_str, now)?,
                ver_str,
            })
        })
        .collect()
}
