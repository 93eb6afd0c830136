//! The health of proxy servers: heartbeats, outages, the alarm, and the status for customers.
use crate::carriers::Carrier;
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use postern_core::mail::MailTemplate;
use postern_core::server_health::STATUS_DAYS;
use postern_server::db::prelude::*;
use postern_server::proxy_servers::health::watch_servers;
use postern_server::schema::{mails, proxy_server_outages};
use serde_json::{Value, json};

const BEAT: &str =
    r#"{"Version":"postern-gate 1","OpenConnections":3,"Attempts":40,"Failures":1,"ConnectMilliseconds":20}"#;

async fn beats(carrier: &Carrier, heartbeat: &str) -> u16 {
    carrier.post("heartbeat", heartbeat.to_owned()).await.0
}

/// Lets time pass, with the job that watches servers running.
fn passes(shop: &Shop, seconds: i64) {
    for _ in 0..seconds / 20 {
        shop.app.clock.advance(TimeDelta::seconds(20));
        watches(shop);
    }
}

fn watches(shop: &Shop) {
    let now = shop.app.clock.now();
    shop.app.db.write_blocking(|conn| watch_servers(conn, now)).expect("watched");
}

async fn seen(shop: &Shop, who: &Customer, call: &str) -> Value {
    shop.call(who, call, json!({})).await.data
}

fn mails_about_servers(shop: &Shop) -> i64 {
    let about = mails::table.filter(mails::template.eq(MailTemplate::ServersDown));
    shop.app.db.read_blocking(|conn| Ok(about.count().get_result(conn)?)).expect("a number")
}

#[actix_web::test]
async fn a_silent_server_is_down_until_it_is_heard_again() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let state = async || {
        let server = seen(&shop, &operator, "Operator/GetProxyServerList").await[0].clone();
        let status = seen(&shop, &customer, "Endpoints/GetServerStatusList").await[0].clone();
        (server, status)
    };
    watches(&shop);
    // Software that sends no heartbeats is not missed.
    passes(&shop, 200);
    let (server, status) = state().await;
    assert_eq!(
        (&server["State"], &status["State"], &server["Heartbeat"]),
        (&json!("unknown"), &json!("unknown"), &Value::Null)
    );
    assert_eq!(status["Days"].as_array().map(Vec::len), usize::try_from(STATUS_DAYS).ok());

    assert_eq!(beats(&carrier, BEAT).await, 200);
    passes(&shop, 40);
    let (server, status) = state().await;
    assert_eq!((&server["State"], &status["State"]), (&json!("operational"), &json!("operational")));
    assert_eq!((&server["Heartbeat"]["OpenConnections"], &server["Heartbeat"]["CanCarry"]), (&json!(3), &json!(true)));
    assert_eq!(seen(&shop, &operator, "Operator/GetAlarmList").await, json!([]));

    passes(&shop, 40);
    let (server, status) = state().await;
    assert_eq!((&server["State"], &server["Outage"]["Cause"]), (&json!("down"), &json!("silent")));
    assert_eq!((&status["State"], &status["DownSince"]), (&json!("down"), &server["Outage"]["BeganAt"]));
    let alarms = seen(&shop, &operator, "Operator/GetAlarmList").await;
    assert_eq!(alarms[0]["Alarm"], "proxy_servers");
    assert!(
        alarms[0]["Problems"][0].as_str().unwrap_or_default().starts_with("gate-1: not heard of since 2"),
        "{alarms}"
    );
    let mailed = mails_about_servers(&shop);
    assert!(mailed > 0, "each operator gets one");

    passes(&shop, 20);
    assert_eq!(beats(&carrier, BEAT).await, 200);
    let (server, status) = state().await;
    assert_eq!(
        (&server["State"], &server["Outage"], &status["DownSince"]),
        (&json!("operational"), &Value::Null, &Value::Null)
    );
    let today = status["Days"].as_array().and_then(|days| days.last()).cloned().unwrap_or_default();
    let seconds = |name: &str| today[name].as_i64().unwrap_or_default();
    assert!((100..160).contains(&seconds("DownSeconds")), "{today}");
    assert!((0..30).contains(&(seconds("KnownSeconds") - seconds("DownSeconds"))), "{today}");
    watches(&shop);
    assert_eq!(seen(&shop, &operator, "Operator/GetAlarmList").await, json!([]));

    // A server that comes and goes is mailed about once.
    passes(&shop, 100);
    assert_eq!((state().await.0["State"].clone(), mails_about_servers(&shop)), (json!("down"), mailed));
    let id = json!({ "ServerId": state().await.0["ServerId"] });
    shop.call(&operator, "Operator/RemoveProxyServer", id).await;
    watches(&shop);
    assert_eq!(seen(&shop, &operator, "Operator/GetAlarmList").await, json!([]));
    let open = proxy_server_outages::table.filter(proxy_server_outages::ended_at.is_null());
    let open: i64 = shop.app.db.read_blocking(|conn| Ok(open.count().get_result(conn)?)).expect("a number");
    assert_eq!((open, seen(&shop, &customer, "Endpoints/GetServerStatusList").await), (0, json!([])));
}

#[actix_web::test]
async fn a_shop_that_was_away_itself_blames_no_server() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let carrier = Carrier::registers(&shop, "gate-1", "static").await;
    watches(&shop);
    assert_eq!(beats(&carrier, BEAT).await, 200);
    let state = async || seen(&shop, &operator, "Operator/GetProxyServerList").await[0]["State"].clone();
    shop.app.clock.advance(TimeDelta::hours(5));
    watches(&shop);
    passes(&shop, 40);
    assert_eq!(state().await, "operational");
    passes(&shop, 40);
    assert_eq!(state().await, "down");
    let status = seen(&shop, &customer, "Endpoints/GetServerStatusList").await;
    let down: i64 =
        status[0]["Days"].as_array().into_iter().flatten().filter_map(|day| day["DownSeconds"].as_i64()).sum();
    assert!((80..140).contains(&down), "since the shop listens again: {down}");
}

#[actix_web::test]
async fn a_server_without_a_usable_upstream_is_down_and_one_whose_connections_fail_is_degraded() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let carrier = Carrier::registers(&shop, "pool", "residential").await;
    let server = async || seen(&shop, &operator, "Operator/GetProxyServerList").await[0].clone();
    watches(&shop);
    let failing = r#"{"Attempts":40,"Failures":30,"UpstreamsDown":["a.example:8000"]}"#;
    assert_eq!(beats(&carrier, failing).await, 200);
    watches(&shop);
    let degraded = server().await;
    assert_eq!(
        (&degraded["State"], &degraded["Heartbeat"]["UpstreamsDown"]),
        (&json!("degraded"), &json!(["a.example:8000"]))
    );
    assert_eq!(seen(&shop, &customer, "Endpoints/GetServerStatusList").await[0]["State"], "operational");
    assert_eq!(beats(&carrier, r#"{"CanCarry":false}"#).await, 200);
    watches(&shop);
    assert_eq!(server().await["Outage"]["Cause"], "no_upstream");
    // It is heard, but still carries nothing.
    assert_eq!(beats(&carrier, r#"{"CanCarry":false}"#).await, 200);
    assert_eq!(server().await["State"], "down");
    assert_eq!(beats(&carrier, BEAT).await, 200);
    assert_eq!(server().await["State"], "operational");
    for malformed in
        ["", "[]", "5", "{", r#"{"Attempts":-1}"#, r#"{"Attempts":"x"}"#, r#"{"OpenConnections":99999999999}"#]
    {
        assert_eq!(beats(&carrier, malformed).await, 400, "{malformed}");
    }
    let stranger = Carrier { secret: "wrong".into(), ..carrier.clone() };
    assert_eq!(beats(&stranger, BEAT).await, 401);
    let long = json!({ "Version": "v".repeat(5_000), "UpstreamsDown": vec!["u".repeat(500); 100] });
    assert_eq!(beats(&carrier, &long.to_string()).await, 200);
    assert_eq!(server().await["Heartbeat"]["Version"].as_str().map(str::len), Some(60));
}

#[actix_web::test]
async fn the_round_of_jobs_watches_servers() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    shop.run_jobs().await;
    assert_eq!(beats(&carrier, BEAT).await, 200);
    for _ in 0..2 {
        shop.app.clock.advance(TimeDelta::seconds(45));
        shop.run_jobs().await;
    }
    let alarms = seen(&shop, &shop.operator(), "Operator/GetAlarmList").await;
    assert_eq!(alarms[0]["Alarm"], "proxy_servers");
}
