//! Exchange rates: set by an operator, or fetched from a feed, which may fail, lie or be silent.
use crate::shop::{Customer, Shop};
use actix_web::{App, HttpResponse, HttpServer, web};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A feed that answers with this; its address.
fn feed(answer: Arc<Mutex<(u16, String)>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/usd", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let server = HttpServer::new(move || {
            let answer = answer.clone();
            App::new().default_service(web::to(move || {
                let (status, body) = answer.lock().expect("an answer").clone();
                let status = actix_web::http::StatusCode::from_u16(status).expect("a status");
                async move { HttpResponse::build(status).body(body) }
            }))
        });
        let server = server.workers(1).disable_signals().listen(listener).expect("a listener").run();
        actix_web::rt::System::new().block_on(server)
    });
    url
}

async fn rate(shop: &Shop, operator: &Customer) -> (Value, Value, Value) {
    let list = shop.call(operator, "Operator/GetExchangeRateList", json!({})).await.data;
    (list[0]["Rate"].clone(), list[0]["Problem"].clone(), list[0]["IsUsable"].clone())
}

#[actix_web::test]
async fn a_feed_is_asked_hourly_and_not_believed_blindly() {
    let answer = Arc::new(Mutex::new((200, json!({"rates": {"CNY": 7.0, "EUR": "0.9"}}).to_string())));
    let url = feed(answer.clone());
    let shop = Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")]);
    let operator = shop.operator();
    let form = |path: &str| json!({"Currency": "CNY", "FeedUrl": url, "FeedPath": path, "Margin": "1.5"});
    for wrong in ["/rates/JPY", "/rates"] {
        let refused = shop.call(&operator, "Operator/SetExchangeRate", form(wrong)).await;
        assert_eq!(refused.data["Fields"]["FeedUrl"][0]["Rule"], "feedUnread", "{refused:?}");
    }
    let set = shop.call(&operator, "Operator/SetExchangeRate", form("/rates/CNY")).await.data;
    assert_eq!((&set[0]["Rate"], &set[0]["Margin"], &set[0]["Methods"]), (&json!("7.105"), &json!("1.5%"), &json!([])));
    let says = |status: u16, rate: Value| {
        *answer.lock().expect("an answer") = (status, json!({"rates": {"CNY": rate}}).to_string());
    };
    let pass = async |minutes: i64| {
        shop.app.clock.advance(TimeDelta::minutes(minutes));
        shop.run_jobs().await;
        rate(&shop, &shop.signs_in(&operator)).await
    };
    says(200, json!("7.2"));
    assert_eq!(pass(30).await.0, "7.105", "not yet");
    assert_eq!(pass(30).await, (json!("7.308"), Value::Null, json!(true)));
    says(200, json!(0.14));
    assert_eq!(pass(60).await, (json!("7.308"), json!("too_far"), json!(true)), "the other way round");
    says(503, json!(7.2));
    assert_eq!(pass(60).await, (json!("7.308"), json!("no_answer"), json!(true)));
    says(200, json!(null));
    assert_eq!(pass(60).await, (json!("7.308"), json!("no_rate"), json!(true)));
    assert_eq!(pass(21 * 60).await, (json!("7.308"), json!("no_rate"), json!(false)), "too old to be charged");
    says(200, json!(7.3));
    assert_eq!(pass(10).await, (json!("7.4095"), Value::Null, json!(true)));
}

#[actix_web::test]
async fn a_rate_is_for_another_currency_and_a_feed_for_the_public_internet() {
    let shop = Shop::open();
    let operator = shop.operator();
    for (form, field) in [
        (json!({"Currency": "USD", "Rate": "1"}), "Currency"),
        (json!({"Currency": "CNY", "Rate": "0"}), "Rate"),
        (json!({"Currency": "CNY", "Rate": ""}), "Rate"),
        (json!({"Currency": "CNY", "FeedUrl": "http://127.0.0.1:1/", "FeedPath": "/a"}), "FeedUrl"),
        (json!({"Currency": "CNY", "FeedUrl": "https://169.254.169.254/", "FeedPath": "/a"}), "FeedUrl"),
        (json!({"Currency": "CNY", "FeedUrl": "https://rates.example/", "FeedPath": "a"}), "FeedPath"),
        (json!({"Currency": "CNY", "FeedUrl": "https://rates.example/", "FeedPath": "/a", "Margin": "90"}), "Margin"),
    ] {
        let refused = shop.call(&operator, "Operator/SetExchangeRate", form.clone()).await;
        assert!(refused.data["Fields"][field].is_array(), "{form}: {refused:?}");
    }
    assert_eq!(shop.call(&operator, "Operator/GetExchangeRateList", json!({})).await.data, json!([]));
    let set = shop.call(&operator, "Operator/SetExchangeRate", json!({"Currency": "EUR", "Rate": "0.92"})).await.data;
    assert_eq!(
        (&set[0]["Rate"], &set[0]["ShopCurrency"], &set[0]["FeedUrl"]),
        (&json!("0.92"), &json!("USD"), &Value::Null)
    );
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({})).await.data;
    assert_eq!((&log["Rows"][0]["Action"], &log["Rows"][0]["Subject"]), (&json!("exchange_rate_set"), &json!("EUR")));
}
