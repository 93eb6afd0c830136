//! What those who watch a server are told: by route and not by path, nothing of anybody, and nothing if nobody asks.
use crate::shop::{Shop, clients};
use crate::stripe::{redirect_of, top_up};
use crate::stripe_double::{Failure, Stripe};
use postern_server::metrics;
use serde_json::json;
use std::net::TcpListener;

fn watched() -> Shop {
    Shop::open_with(&[("POSTERN_METRICS", "127.0.0.1:9464")])
}

async fn page(shop: &Shop) -> String {
    metrics::page(&shop.app).await.expect("a page")
}

/// The value of a series, by the beginning of its line.
fn value(page: &str, series: &str) -> Option<f64> {
    let line = page.lines().find(|line| line.rsplit_once(' ').is_some_and(|(name, _)| name == series))?;
    line.rsplit_once(' ').and_then(|(_, value)| value.parse().ok())
}

#[actix_web::test]
async fn requests_are_counted_by_route_whatever_their_paths_are() {
    let shop = watched();
    let customer = shop.customer(0);
    for _ in 0..3 {
        shop.call(&customer, "User/GetUserInfo", json!({})).await;
    }
    for number in 0..50 {
        shop.open_page(&format!("/nowhere/{number}?token=s3cret")).await;
    }
    let page = page(&shop).await;
    let calls = r#"postern_http_requests_total{route="/api/User/GetUserInfo",status="200"}"#;
    assert_eq!(value(&page, calls), Some(3.0), "{page}");
    let counted = r#"postern_http_request_duration_seconds_count{route="/api/User/GetUserInfo"}"#;
    assert_eq!(value(&page, counted), Some(3.0));
    assert!(!page.contains("nowhere") && !page.contains("s3cret") && !page.contains(&customer.token), "{page}");
    assert!(page.ends_with("# EOF\n"), "{page}");
}

#[actix_web::test]
async fn the_shop_and_the_process_are_told() {
    let shop = watched();
    shop.send("User/RequestPasswordReset", json!({"Email": shop.customer(0).email}), &[]).await;
    shop.run_jobs().await;
    let page = page(&shop).await;
    assert_eq!(value(&page, "postern_database_up"), Some(1.0), "{page}");
    for queue in ["mails", "events", "webhooks", "gateway_callbacks"] {
        assert!(value(&page, &format!("postern_queue_items{{queue=\"{queue}\"}}")).is_some(), "{queue}: {page}");
        assert!(value(&page, &format!("postern_queue_oldest_age_seconds{{queue=\"{queue}\"}}")).is_some(), "{queue}");
    }
    assert_eq!(value(&page, r#"postern_alarm_raised{alarm="books"}"#), Some(0.0));
    assert!(value(&page, "process_resident_memory_bytes").is_some_and(|bytes| bytes > 1e7), "{page}");
    assert!(value(&page, "process_start_time_seconds").is_some_and(|at| at > 1.6e9), "{page}");
    assert!(value(&page, "process_cpu_seconds_total").is_some_and(|seconds| seconds > 0.0), "{page}");
    assert!(value(&page, "process_open_fds") < value(&page, "process_max_fds"), "{page}");
}

#[actix_web::test]
async fn what_waits_has_an_age() {
    let shop = watched();
    let customer = shop.customer(0);
    shop.app
        .db
        .write_blocking(|conn| {
            let mail = postern_core::mail::MailTemplate::AccountClosed;
            let long_ago = shop.app.clock.now() - chrono::TimeDelta::minutes(30);
            postern_server::mails::queue(
                conn,
                &customer.email,
                postern_core::language::Language::En,
                mail,
                &json!({}),
                long_ago,
            )
        })
        .expect("a mail");
    let page = page(&shop).await;
    assert_eq!(value(&page, r#"postern_queue_items{queue="mails"}"#), Some(1.0), "{page}");
    assert!(
        value(&page, r#"postern_queue_oldest_age_seconds{queue="mails"}"#).is_some_and(|age| age >= 1_800.0),
        "{page}"
    );
}

#[actix_web::test]
async fn they_are_served_at_an_address_of_their_own_and_nothing_is_counted_without_one() {
    let shop = watched();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/metrics", listener.local_addr().expect("an address"));
    let serving = metrics::serve(shop.app.clone(), listener).expect("a server");
    let handle = serving.handle();
    actix_web::rt::spawn(serving);
    let answer = clients::get(&url).await.expect("an answer");
    let kind = answer.headers()["content-type"].to_str().unwrap_or_default().to_owned();
    assert!(answer.status().is_success() && kind.starts_with("application/openmetrics-text"), "{kind}");
    assert!(answer.text().await.expect("a page").contains("postern_build_info"));
    handle.stop(false).await;
    assert_eq!(shop.open_page("/metrics").await.status(), 404, "the address of customers has none");

    let unwatched = Shop::open();
    unwatched.call(&unwatched.customer(0), "User/GetUserInfo", json!({})).await;
    assert!(!page(&unwatched).await.contains("postern_http_requests_total"));
}

/// The process counts them, so other tests may count as well.
#[actix_web::test]
async fn requests_to_gateways_are_counted_by_their_answers() {
    let stripe = Stripe::open(0, None);
    let settings = stripe.settings();
    let mut settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    settings.push(("POSTERN_METRICS", "127.0.0.1:9464"));
    let shop = Shop::open_with(&settings);
    stripe.keeps_time_with(&shop.app.clock);
    stripe.fails_with(&[Failure::Status(500, None)]);
    let (_, path) = top_up(&shop, &shop.customer(0), "25").await;
    redirect_of(&shop, &path).await;
    let page = page(&shop).await;
    for status in ["200", "500"] {
        let series = format!(r#"postern_gateway_requests_total{{gateway="stripe",status="{status}"}}"#);
        assert!(value(&page, &series).is_some_and(|count| count >= 1.0), "{series}: {page}");
    }
    let took = r#"postern_gateway_request_duration_seconds_total{gateway="stripe"}"#;
    assert!(value(&page, took).is_some_and(|seconds| seconds > 0.0), "{page}");
}
