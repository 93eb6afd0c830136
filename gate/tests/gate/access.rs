//! Who is admitted, what is said to the others, and what happens when the shop changes its mind or is away.
use crate::harness::*;
use crate::origin;
use crate::shop::{Mood, Shop, by_password};
use postern_core::usage::Refused;
use std::time::Duration;
use tokio::net::TcpStream;

fn head_of(answer: &str) -> String {
    answer.split("\r\n\r\n").next().unwrap_or_default().to_ascii_lowercase()
}

#[tokio::test]
async fn wrong_credentials_are_asked_for_again() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    let url = format!("http://{origin}/");
    let none = format!("GET {url} HTTP/1.1\r\nHost: {origin}\r\nConnection: close\r\n\r\n");
    let broken = none.replace("Connection", "Proxy-Authorization: Basic !\r\nConnection");
    let refused =
        connect("user-ann", "wrong", &origin.to_string()).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    for (request, reason) in [
        (get("user-ann", "wrong", &url), "wrong_password"),
        (refused, "wrong_password"),
        (none, "unknown_user"),
        (broken, "unknown_user"),
        (get(&"x".repeat(300), "right", &url), "unknown_user"),
    ] {
        let head = head_of(&gate.send(&request).await);
        assert!(head.starts_with("http/1.1 407 "), "{head}");
        assert!(head.contains("proxy-authenticate: basic realm=\"proxy\""), "{head}");
        assert!(head.contains(&format!("x-proxy-error: {reason}")), "{head}");
    }
}

#[tokio::test]
async fn a_refusal_says_what_happened_and_what_to_do() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    for (reason, status) in [
        (Refused::Paused, 403),
        (Refused::Exhausted, 403),
        (Refused::Expired, 403),
        (Refused::NoTraffic, 403),
        (Refused::CountryNotAllowed, 403),
        (Refused::Suspended, 403),
        (Refused::Malformed, 403),
        (Refused::AddressNotListed, 403),
        (Refused::AddressShared, 407),
        (Refused::TooManyAttempts, 407),
        (Refused::TooManyConnections, 429),
    ] {
        shop.refuse_all(reason);
        let user = format!("user-{}", reason.as_str());
        let answer = gate.send(&get(&user, "right", &format!("http://{origin}/"))).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert!(head_of(&answer).contains(&format!("x-proxy-error: {}", reason.as_str())), "{answer}");
        assert!(answer.trim_end().ends_with('.') && !answer.contains("peer"), "{answer}");
        let socks = socks5(gate.dial().await, Some((&user, "right")), 1, &socks_ipv4(origin)).await;
        let expected = if status == 407 { Err(0xff) } else { Ok(2) };
        assert_eq!(socks.map(|(_, reply)| reply), expected);
    }
}

#[tokio::test]
async fn nobody_is_admitted_for_long_by_an_answer_that_no_longer_holds() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    let request = get("user-ann", "right", &format!("http://{origin}/"));
    assert!(gate.send(&request).await.starts_with("HTTP/1.1 200"));
    shop.refuse_all(Refused::Paused);
    tokio::time::sleep(Duration::from_millis(1_600)).await;
    let answer = gate.send(&request).await;
    assert!(answer.starts_with("HTTP/1.1 403"), "the shop said 5 seconds: {answer}");
}

#[tokio::test]
async fn an_open_tunnel_ends_soon_after_the_shop_changed_its_mind() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    let (mut socks, _) =
        socks5(gate.dial().await, Some(("user-ann", "right")), 1, &socks_ipv4(origin)).await.expect("a reply");
    let mut other = gate.tunnel("user-bob", "right", origin).await;
    assert!(echo_works(&mut tunnel).await && echo_works(&mut socks).await);
    shop.state().answer = Box::new(|connection| match connection.user_name.as_str() {
        "user-ann" => postern_core::proxy_protocol::Authorization::refused(Refused::Paused, 2),
        _ => by_password(connection),
    });
    assert!(time_until_end(&mut tunnel).await < Duration::from_secs(5));
    assert!(time_until_end(&mut socks).await < Duration::from_secs(1));
    assert!(echo_works(&mut other).await);
    assert!(gate.send(&get("user-ann", "right", "http://example.com/")).await.contains("is paused"));
}

#[tokio::test]
async fn a_kept_alive_connection_ends_with_its_permission() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut stream = gate.dial().await;
    let kept = get("user-ann", "right", &format!("http://{origin}/")).replace("Connection: close\r\n", "");
    tokio::io::AsyncWriteExt::write_all(&mut stream, kept.as_bytes()).await.expect("written");
    read_head(&mut stream).await;
    shop.refuse_all(Refused::Suspended);
    assert!(time_until_end(&mut stream).await < Duration::from_secs(5));
}

#[tokio::test]
async fn while_the_shop_is_away_those_it_allowed_go_on_for_the_time_of_grace() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &["--grace-seconds", "6", "--metrics", "127.0.0.1:0"]).await;
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    let health = || async {
        let stream = TcpStream::connect(gate.running.metrics.expect("metrics")).await.expect("a connection");
        exchange(stream, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await
    };
    assert!(health().await.starts_with("HTTP/1.1 200"));
    shop.state().mood = Mood::Away;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(health().await.starts_with("HTTP/1.1 503"));
    let mut another = gate.tunnel("user-ann", "right", origin).await;
    assert!(echo_works(&mut tunnel).await && echo_works(&mut another).await);
    let unknown = gate.send(&get("user-bob", "right", "http://example.com/")).await;
    assert!(unknown.starts_with("HTTP/1.1 503") && unknown.contains("does not answer at the moment"), "{unknown}");
    let (_, reply) =
        socks5(gate.dial().await, Some(("user-bob", "right")), 1, &socks_ipv4(origin)).await.expect("a reply");
    assert_eq!(reply, 1);
    assert!(time_until_end(&mut tunnel).await < Duration::from_secs(6));
    assert!(time_until_end(&mut another).await < Duration::from_secs(1));
    assert!(gate.send(&get("user-ann", "right", "http://example.com/")).await.starts_with("HTTP/1.1 503"));
    shop.state().mood = Mood::Answers;
    assert!(echo_works(&mut gate.tunnel("user-ann", "right", origin).await).await);
    assert!(health().await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn open_tunnels_survive_a_shop_that_is_away_for_less() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    for mood in [Mood::Status(503), Mood::Away, Mood::Answers] {
        shop.state().mood = mood;
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(echo_works(&mut tunnel).await, "{mood:?}");
    }
}

#[tokio::test]
async fn a_server_whose_secret_was_withdrawn_carries_nothing() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    shop.state().mood = Mood::Status(401);
    assert!(time_until_end(&mut tunnel).await < Duration::from_secs(5));
    assert!(gate.send(&get("user-ann", "right", "http://example.com/")).await.starts_with("HTTP/1.1 503"));
}

#[tokio::test]
async fn questions_that_come_up_meanwhile_go_in_one_request_and_answers_are_kept() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    shop.state().mood = Mood::Slow(Duration::from_millis(300));
    let asked = |number: usize| {
        let request = get(&format!("user-u{}", number % 40), "right", &format!("http://{origin}/"));
        let gate = &gate;
        async move { gate.send(&request).await }
    };
    let mut answers = tokio::task::JoinSet::new();
    for number in 0..80 {
        let request = get(&format!("user-u{}", number % 40), "right", &format!("http://{origin}/"));
        let stream = gate.dial().await;
        answers.spawn(async move { exchange(stream, &request).await });
    }
    assert!(answers.join_all().await.iter().all(|answer| answer.starts_with("HTTP/1.1 200")));
    let questions: Vec<usize> = shop.state().questions.iter().map(Vec::len).collect();
    assert!(questions.iter().sum::<usize>() <= 45 && questions.len() <= 4, "{questions:?}");
    let before = questions.len();
    assert!(asked(1).await.starts_with("HTTP/1.1 200"));
    assert_eq!(shop.state().questions.len(), before, "the answer is kept for 5 seconds");
}

#[tokio::test]
async fn a_client_has_a_limited_number_of_connections() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &["--connections-per-client", "2"]).await;
    let first = gate.tunnel("user-ann", "right", origin).await;
    let _second = gate.tunnel("user-ann", "right", origin).await;
    assert_eq!(read_all(&mut gate.dial().await).await, "");
    drop(first);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(echo_works(&mut gate.tunnel("user-ann", "right", origin).await).await);
}
