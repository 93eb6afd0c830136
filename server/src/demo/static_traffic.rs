//! The proxy server of the demo's static proxies: the traffic of the customer's nodes since their purchase, and some rejected records.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::demo::servers::FIRST_NODE;
use crate::error::AppError;
use crate::schema::nodes;
use crate::usage::{Amount, Owner, UsageKey, UsageSums, add_sums, keep_rejected};
use chrono::{NaiveDateTime, TimeDelta, Timelike};
use postern_core::time::to_wire;
use postern_core::usage::{UsageRejection, hour_of};

const SEED: u64 = 0x0705_7e14;
/// None of the demo's nodes was bought longer ago.
pub const DAYS: i64 = 60;
const TARGETS: &[&str] = &["shop.example", "market.example", "tickets.example"];

/// Seeds usage, reported by this server, for the days before `now`. The account must already have its nodes.
pub fn seed_static_traffic(
    conn: &mut Conn,
    server_id: i64,
    account_id: i64,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let own = nodes::table.filter(nodes::account_id.eq(account_id)).order(nodes::id);
    let owned: Vec<(i64, String, NaiveDateTime)> =
        own.select((nodes::id, nodes::country, nodes::expires_at.assume_not_null())).load(conn)?;
    add_sums(conn, &sums_of(account_id, &owned, now))?;
    let wrong = wrong_records(now);
    let wrong: Vec<(&str, UsageRejection)> = wrong.iter().map(|(record, reason)| (record.as_str(), *reason)).collect();
    keep_rejected(conn, server_id, &wrong, now - TimeDelta::hours(2))
}

/// Usage varies by node and peaks during the day.
fn sums_of(account_id: i64, owned: &[(i64, String, NaiveDateTime)], now: NaiveDateTime) -> UsageSums {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut sums = UsageSums::default();
    for (position, (node_id, country, expires_at)) in (1..).zip(owned) {
        let mut at = hour_of(*expires_at - TimeDelta::days(30)) + TimeDelta::hours(1);
        while at < hour_of(now) {
            if (7..=19).contains(&at.hour()) {
                let download_bytes = random.i64(20_000_000..90_000_000) / position;
                let amount = Amount {
                    upload_bytes: download_bytes / 12,
                    download_bytes,
                    requests: download_bytes / 180_000 + 1,
                };
                let target = TARGETS[random.usize(0..TARGETS.len())];
                let owner = Owner::Node(*node_id);
                sums.add(&UsageKey { account_id, at, owner, country, target }, amount);
            }
            at += TimeDelta::hours(1);
        }
    }
    sums
}

fn wrong_records(now: NaiveDateTime) -> [(String, UsageRejection); 3] {
    let record = |id: &str, ip: &str, at: NaiveDateTime, bytes: i64| {
        let used_at = to_wire(at);
        format!(
            r#"{{"Id":"{id}","UsedAt":"{used_at}","Ip":"{ip}","Target":"shop.example:443","UploadBytes":700,"DownloadBytes":{bytes}}}"#
        )
    };
    let hour_ago = now - TimeDelta::hours(2);
    [
        (record("isp-1/18204", "192.0.2.44", hour_ago, 48_210), UsageRejection::UnknownUser),
        (
            record("isp-1/18377", &FIRST_NODE.to_string(), hour_ago + TimeDelta::days(1), 9_120),
            UsageRejection::FromFuture,
        ),
        (record("isp-1/18402", &FIRST_NODE.to_string(), hour_ago, -1), UsageRejection::Bytes),
    ]
}
