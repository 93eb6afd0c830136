//! Streams of conversation updates: from every server of the shop, limited, and ended with the session.
use crate::shop::{Customer, Shop, clients};
use crate::support::suspend;
use postern_server::app::startup;
use postern_server::state::App;
use serde_json::{Value, json};
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// An open stream, read line by line.
struct News {
    response: reqwest::Response,
    begun: String,
}

impl News {
    async fn open(url: &str, call: &str, customer: &Customer, body: Value) -> Result<News, Value> {
        let request = clients::new().post(format!("{url}/api/{call}")).json(&body);
        let request = request.header("Token", &customer.token).header("Accept-Encoding", "gzip, br");
        let response = request.send().await.expect("an answer");
        if response.headers()["content-type"] != "application/x-ndjson" {
            return Err(response.json().await.expect("a refusal"));
        }
        assert!(response.headers().get("content-encoding").is_none(), "a compressed stream is read only when it ends");
        Ok(News { response, begun: String::new() })
    }

    async fn of(url: &str, customer: &Customer) -> News {
        let mut news = News::open(url, "Support/WaitForMessages", customer, json!({})).await.expect("a stream");
        assert_eq!(news.next().await.as_deref(), Some("begin"));
        news
    }

    /// The next line's kind; `None` at the end.
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some((line, rest)) = self.begun.split_once('\n') {
                let line: Value = serde_json::from_str(line).expect("a line of JSON");
                self.begun = rest.to_owned();
                return line["Kind"].as_str().map(str::to_owned);
            }
            let piece =
                tokio::time::timeout(Duration::from_secs(20), self.response.chunk()).await.expect("a line in time");
            self.begun += &String::from_utf8_lossy(&piece.expect("a piece")?);
        }
    }
}

/// Another server of the same shop.
fn another_server(shop: &Shop) -> (App, String) {
    let app = postern_server::app::open((*shop.app.config).clone()).expect("an application");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let served = app.clone();
    std::thread::spawn(move || {
        let server = startup::server(served, listener, 1).expect("a server");
        actix_web::rt::System::new().block_on(server)
    });
    (app, url)
}

async fn poll(app: &App) {
    app.support.refresh(&app.db, app.clock.now()).await.expect("a look");
}

async fn says(shop: &Shop, customer: &Customer) {
    let answer = shop.call(customer, "Support/SendMessage", json!({"Text": "Hello"})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
}

#[actix_web::test]
async fn updates_reach_the_streams_of_every_server_and_only_the_account() {
    let shop = Shop::open();
    let (customer, other, operator) = (shop.customer(0), shop.customer(0), shop.operator());
    let (second, url) = another_server(&shop);
    let mut here = News::of(&shop.url, &customer).await;
    let mut there = News::of(&url, &customer).await;
    let mut foreign = News::of(&url, &other).await;
    let mut all = News::open(&url, "Operator/WaitForConversations", &operator, json!({})).await.expect("a stream");
    assert_eq!(all.next().await.as_deref(), Some("begin"));
    says(&shop, &customer).await;
    assert_eq!(here.next().await.as_deref(), Some("news"), "at the server that wrote it, at once");
    poll(&second).await;
    assert_eq!((there.next().await.as_deref(), all.next().await.as_deref()), (Some("news"), Some("news")));
    let reply = json!({"AccountId": customer.account_id, "Text": "Hi"});
    shop.call(&operator, "Operator/SendReply", reply).await;
    poll(&second).await;
    poll(&second).await;
    assert_eq!((here.next().await.as_deref(), there.next().await.as_deref()), (Some("news"), Some("news")));
    says(&shop, &other).await;
    poll(&second).await;
    assert_eq!(foreign.next().await.as_deref(), Some("news"), "the first for them: all others were not theirs");
}

#[actix_web::test]
async fn a_stream_ends_with_its_session_and_when_its_time_is_up() {
    let shop = Shop::open();
    let (customer, suspended, operator, other) = (shop.customer(0), shop.customer(0), shop.operator(), shop.operator());
    let mut ended = News::of(&shop.url, &customer).await;
    let mut heard = News::of(&shop.url, &suspended).await;
    let call = "Operator/WaitForConversations";
    let mut staff = News::open(&shop.url, call, &operator, json!({})).await.expect("a stream");
    let mut stays = News::open(&shop.url, call, &other, json!({})).await.expect("a stream");
    assert_eq!((staff.next().await.as_deref(), stays.next().await.as_deref()), (Some("begin"), Some("begin")));
    assert_eq!(shop.call(&customer, "User/Logout", json!({})).await.code, 1000);
    suspend(&shop, &suspended);
    suspend(&shop, &operator);
    poll(&shop.app).await;
    assert_eq!((ended.next().await.as_deref(), ended.next().await), (Some("end"), None));
    assert_eq!((staff.next().await.as_deref(), staff.next().await), (Some("end"), None));
    says(&shop, &suspended).await;
    assert_eq!((heard.next().await.as_deref(), stays.next().await.as_deref()), (Some("news"), Some("news")));

    let mut short =
        News::open(&shop.url, "Support/WaitForMessages", &suspended, json!({"Seconds": 1})).await.expect("a stream");
    assert_eq!(
        (short.next().await.as_deref(), short.next().await.as_deref(), short.next().await),
        (Some("begin"), Some("end"), None)
    );
    let refused = News::open(&shop.url, "Support/WaitForMessages", &customer, json!({})).await.err();
    assert_eq!(refused.map(|refused| refused["Code"].clone()), Some(json!(3001)));
}

#[actix_web::test]
async fn an_account_has_eight_streams_and_closed_ones_make_room() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(News::of(&shop.url, &customer).await);
    }
    let try_one = || News::open(&shop.url, "Support/WaitForMessages", &customer, json!({}));
    let refused = try_one().await.err().expect("a refusal");
    assert!(refused["Code"] == 4290 && refused["Data"]["RetryAfterMs"].as_i64() > Some(0), "{refused}");
    drop(open.pop());
    let begin = Instant::now();
    // The server notices when the connection's end arrives.
    while try_one().await.is_err() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the place of who left is not given back");
    }
}

#[actix_web::test]
async fn slow_readers_get_combined_updates_and_delay_nobody() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let mut slow = News::of(&shop.url, &customer).await;
    let reply = json!({"AccountId": customer.account_id, "Text": "x".repeat(4_000)});
    for _ in 0..60 {
        assert_eq!(shop.call(&operator, "Operator/SendReply", reply.clone()).await.code, 1000);
    }
    assert_eq!(slow.next().await.as_deref(), Some("news"));
    assert!(slow.begun.len() < 60 * 16, "no more than a line for each");
    assert_eq!(shop.call(&customer, "Support/GetUnread", json!({})).await.data["Unread"], 60);
}
