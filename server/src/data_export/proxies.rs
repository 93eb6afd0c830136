//! The products of an account: static proxies, residential traffic, usage, and the lists made of them.
use crate::data_export::rows::*;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{
    endpoint_lists, endpoint_presets, node_switches, nodes, plan_groups, plans, proxy_user_addresses, proxy_users,
    traffic_accounts, traffic_batches, usage_days, white_list,
};
use chrono::NaiveDateTime;
use postern_core::node::{AccessMode, NodeState};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::{LimitCycle, ProxyUserState};
use postern_core::switch::SwitchMode;
use postern_core::usage::UsageDimension;

pub const SECTIONS: &[Section] = &[
    section("Plans", &["plans"], of_plans),
    section("Proxies", &["nodes"], proxies),
    section("Groups", &["plan_groups"], groups),
    section("Whitelist", &["white_list"], whitelist),
    section("Switches", &["node_switches"], switches),
    section("Traffic", &["traffic_batches"], traffic),
    section("Overdraft", &["traffic_accounts"], overdraft),
    section("ProxyUsers", &["proxy_users"], of_proxy_users),
    section("ProxyUserAddresses", &["proxy_user_addresses"], addresses),
    section("Usage", &["usage_days"], usage),
    section("Presets", &["endpoint_presets"], presets),
    section("ListUrls", &["endpoint_lists"], list_urls),
];

section_of!(of_plans, plans, {
    ver_str: String => plain as "VerStr",
    auto_renew: bool => plain as "AutoRenew",
    access_mode: AccessMode => plain as "AccessMode",
    user_name: Option<String> => plain as "UserName",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of!(proxies, nodes, {
    ip: String => plain as "Ip",
    country: String => plain as "Country",
    city: String => plain as "City",
    isp: String => plain as "Isp",
    ver_str: String => plain as "VerStr",
    state: NodeState => plain as "State",
    group_id: Option<i64> => plain as "GroupId",
    user_name: Option<String> => plain as "UserName",
    note: String => plain as "Note",
    auto_renew: bool => plain as "AutoRenew",
    assigned_at: Option<NaiveDateTime> => maybe_time as "AssignedAt",
    expires_at: Option<NaiveDateTime> => maybe_time as "ExpiresAt",
});

section_of!(groups, plan_groups, {
    name: String => plain as "Name",
    colour: String => plain as "Colour",
    note: String => plain as "Note",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of!(whitelist, white_list, {
    ver_str: String => plain as "VerStr",
    address: String => plain as "Address",
    label: String => plain as "Label",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of!(switches, node_switches, {
    old_ip: String => plain as "OldIp",
    new_ip: String => plain as "NewIp",
    mode: SwitchMode => plain as "Mode",
    reason: String => plain as "Reason",
    cost_minor: i64 => money as "Cost",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of!(traffic, traffic_batches, {
    order_id: i64 => plain as "OrderId",
    bought_bytes: i64 => plain as "BoughtBytes",
    used_bytes: i64 => plain as "UsedBytes",
    returned_bytes: i64 => plain as "ReturnedBytes",
    begins_at: NaiveDateTime => time as "BeginsAt",
    ends_at: Option<NaiveDateTime> => maybe_time as "EndsAt",
});

fn of_proxy_users(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
    let own = proxy_users::table.filter(proxy_users::account_id.eq(account_id));
    let own = own.filter(proxy_users::deleted_at.is_null()).filter(proxy_users::id.gt(after));
    Ok(Part::of(objects!(conn, own.order(proxy_users::id).limit(CHUNK as i64), proxy_users, {
        id: i64 => plain as "Id",
        name: String => plain as "Name",
        note: String => plain as "Note",
        state: ProxyUserState => plain as "State",
        limit_bytes: Option<i64> => plain as "LimitBytes",
        limit_cycle: LimitCycle => plain as "LimitCycle",
        used_bytes: i64 => plain as "UsedBytes",
        total_bytes: i64 => plain as "TotalBytes",
        countries: String => plain as "Countries",
        max_connections: Option<i32> => plain as "MaxConnections",
        max_megabits: Option<i32> => plain as "MaxMegabits",
        created_at: NaiveDateTime => time as "CreatedAt",
        expires_at: Option<NaiveDateTime> => maybe_time as "ExpiresAt",
        last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
    })))
}

section_of!(addresses, proxy_user_addresses, {
    proxy_user_id: i64 => plain as "ProxyUserId",
    address: String => plain as "Address",
    label: String => plain as "Label",
    created_at: NaiveDateTime => time as "CreatedAt",
});

/// Daily totals: one row per day and kind.
fn usage(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
    let own = usage_days::table.filter(usage_days::account_id.eq(account_id));
    let own = own.filter(usage_days::dimension.eq(UsageDimension::All)).order(usage_days::starts_at);
    Ok(Part::whole(objects!(conn, own, usage_days, {
        kind: ProxyServerKind => plain as "Kind",
        starts_at: NaiveDateTime => time as "StartsAt",
        upload_bytes: i64 => plain as "UploadBytes",
        download_bytes: i64 => plain as "DownloadBytes",
        requests: i64 => plain as "Requests",
    })))
}

section_of!(presets, endpoint_presets, {
    name: String => plain as "Name",
    settings: String => inner as "Settings",
    created_at: NaiveDateTime => time as "CreatedAt",
});

section_of!(list_urls, endpoint_lists, {
    proxy_user_id: i64 => plain as "ProxyUserId",
    name: String => plain as "Name",
    settings: String => inner as "Settings",
    created_at: NaiveDateTime => time as "CreatedAt",
    last_used_at: Option<NaiveDateTime> => maybe_time as "LastUsedAt",
    last_address: Option<String> => plain as "LastAddress",
});

section_of_one!(overdraft, traffic_accounts by account_id, {
    overdraft_bytes: i64 => plain as "OverdraftBytes",
    changed_at: NaiveDateTime => time as "ChangedAt",
});
