//! Who may connect through a real Squid, and where to.
use crate::harness::*;
use crate::origin;
use crate::shop::{Mood, SECRET, Shop, by_password};
use crate::squid_process::*;
use postern_core::proxy_protocol::{Authorization, Connection, ServedNode};
use postern_core::usage::Refused;
use rustix::process::Signal;
use std::net::SocketAddr;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::task::JoinSet;

const STRANGER: [u8; 4] = [127, 30, 0, 1];
const WHITELISTED: [u8; 4] = [127, 30, 0, 2];
/// A node whose address is its own, and one behind NAT.
const NODE: [u8; 4] = [127, 16, 0, 1];
const NODE_BEHIND_NAT: [u8; 4] = [127, 16, 0, 2];
const PUBLIC: &str = "8.8.4.4";

/// Requests of a client without a user name and password.
fn bare_get(url: &str) -> String {
    format!("GET {url} HTTP/1.1\r\nHost: ignored\r\nConnection: close\r\n\r\n")
}

fn bare_connect(to: SocketAddr) -> String {
    format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n")
}

/// A request after whose refusal the connection is closed.
fn closing(request: &str) -> String {
    request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
}

fn allowed() -> Authorization {
    Authorization { allowed: true, valid_for_seconds: 1, user_name: Some("ann".into()), ..Authorization::default() }
}

/// Allows whoever knows the password, and one client by its address, for a second each.
fn by_password_or_address(connection: &Connection) -> Authorization {
    if connection.user_name.is_empty() && connection.client_address == "127.30.0.2" {
        return allowed();
    }
    let answer = by_password(connection);
    if answer.allowed { allowed() } else { Authorization { valid_for_seconds: 1, ..answer } }
}

fn node(ip: &str, http_port: u16) -> ServedNode {
    ServedNode { ip: ip.into(), http_port, socks5_port: Some(1_080) }
}

async fn static_shop(port: u16) -> Shop {
    let shop = Shop::start("static").await;
    let mut state = shop.state();
    (state.answer, state.nodes_on_page) = (Box::new(by_password_or_address), 1);
    state.nodes = vec![node("127.16.0.1", port), node(PUBLIC, port)];
    drop(state);
    shop
}

/// Squid for two nodes of a shop, with destinations of this machine that are allowed.
async fn start_static(shop: &Shop, port: u16, destinations: &[SocketAddr]) -> Squid {
    let folder = folder();
    let map = folder.path().join("addresses");
    std::fs::write(&map, format!("{PUBLIC} = 127.16.0.2\n")).expect("a map");
    let allow = destinations.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let more = ["--addresses", &map.display().to_string(), "--allow", &allow];
    let printed = configuration(&folder, shop, &more).await.expect("a configuration");
    Squid::start(folder, port, &printed).await
}

fn status(response: &str) -> &str {
    response.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).unwrap_or(response)
}

/// The word that says why a request was refused.
fn reason(response: &str) -> Option<&str> {
    response.lines().find_map(|line| line.strip_prefix("X-Proxy-Error: "))
}

#[tokio::test]
async fn squid_serves_by_password_and_by_address_through_the_dialled_node() {
    let (http, echo, port) = (origin::http().await, origin::echo().await, free_port());
    let shop = static_shop(port).await;
    let squid = start_static(&shop, port, &[http, echo]).await;
    let url = format!("http://{http}/path?q=1");
    for (node, public) in [(NODE, "127.16.0.1"), (NODE_BEHIND_NAT, PUBLIC)] {
        let address = node.map(|byte| byte.to_string()).join(".");
        for (from, request) in [(STRANGER, get("ann", "right", &url)), (WHITELISTED, bare_get(&url))] {
            let response = squid.send(from, node, &request).await;
            assert_eq!(status(&response), "200", "{response}\n{}", squid.log());
            assert!(response.contains(&format!("peer {address}\nline GET /path?q=1\n")), "{response}");
            for hidden in ["via", "x-forwarded-for", "forwarded", "cache-control", "proxy-", "squid"] {
                assert!(!response.to_lowercase().contains(&format!("header {hidden}")), "{hidden} in {response}");
                assert!(!response.to_lowercase().contains(&format!("\n{hidden}: ")), "{hidden} in {response}");
            }
        }
        for (from, head) in [(STRANGER, connect("ann", "right", &echo.to_string())), (WHITELISTED, bare_connect(echo))]
        {
            let (mut tunnel, answer) = squid.tunnel(from, node, &head).await;
            assert_eq!(status(&answer), "200", "{answer}");
            assert!(echo_works(&mut tunnel).await);
        }
        let asked = shop.state().questions.concat();
        assert!(asked.iter().any(|connection| connection.ip == public && connection.client_address == "127.30.0.2"));
    }
    let with_cache_control = get("ann", "right", &url).replace("Host:", "Cache-Control: no-cache\r\nHost:");
    let response = squid.send(STRANGER, NODE, &with_cache_control).await;
    assert!(response.to_lowercase().contains("header cache-control: no-cache\n"), "{response}");
}

#[tokio::test]
async fn squid_refuses_whom_the_shop_refuses_and_says_why() {
    let (http, echo, port) = (origin::http().await, origin::echo().await, free_port());
    let shop = static_shop(port).await;
    let squid = start_static(&shop, port, &[http, echo]).await;
    let url = format!("http://{http}/");
    for (request, expected) in [
        (bare_get(&url), "unknown_user"),
        (bare_connect(echo), "unknown_user"),
        (get("ann", "wrong", &url), "wrong_password"),
        (connect("ann", "wrong", &echo.to_string()), "wrong_password"),
        (get("ann", "right", &url).replace("Basic ", "Bearer "), "unknown_user"),
        (get(&"a".repeat(20_000), "right", &url), "unknown_user"),
        (get("ann%0a1 OK", "a\nb", &url), "unknown_user"),
    ] {
        let response = squid.send(STRANGER, NODE, &closing(&request)).await;
        assert_eq!((status(&response), reason(&response)), ("407", Some(expected)), "{response}");
        assert!(response.contains("\nProxy-Authenticate: Basic realm=\"proxy\"\r\n"), "{response}");
    }
    let no_node = squid.send(STRANGER, [127, 16, 0, 9], &get("ann", "right", &url)).await;
    assert_eq!(status(&no_node), "403", "{no_node}");

    for refused in [Refused::Paused, Refused::Exhausted, Refused::Expired, Refused::NoTraffic, Refused::Suspended] {
        shop.state().answer = Box::new(by_password_or_address);
        wait_for(&squid, &get("ann", "right", &url), "200").await;
        shop.state().answer = Box::new(move |_| Authorization::refused(refused, 1));
        let response = wait_for(&squid, &get("ann", "right", &url), "403").await;
        assert_eq!(reason(&response), Some(refused.as_str()), "{response}");
        let tunnel = squid.send(WHITELISTED, NODE, &closing(&bare_connect(echo))).await;
        assert_eq!((status(&tunnel), reason(&tunnel)), ("403", Some(refused.as_str())), "{tunnel}");
        assert!(!tunnel.contains("Proxy-Authenticate"), "{tunnel}");
    }
    assert!(!squid.log().contains("right"), "{}", squid.log());
}

/// Repeats a request until it has this status: for 10 seconds, of the minute in which Squid must refuse.
async fn wait_for(squid: &Squid, request: &str, expected: &str) -> String {
    let began = Instant::now();
    loop {
        let response = squid.send(STRANGER, NODE, request).await;
        if status(&response) == expected {
            return response;
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{expected} expected: {response}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn those_whom_the_shop_allowed_go_on_while_it_is_away() {
    let (http, port) = (origin::http().await, free_port());
    let shop = static_shop(port).await;
    let squid = start_static(&shop, port, &[http]).await;
    let (known, unknown) = (format!("http://{http}/known"), format!("http://{http}/unknown"));
    assert_eq!(status(&squid.send(STRANGER, NODE, &get("ann", "right", &known)).await), "200");
    for mood in [Mood::Away, Mood::Status(500), Mood::Slow(Duration::from_secs(60))] {
        shop.state().mood = mood;
        // Longer than the answer is kept.
        tokio::time::sleep(Duration::from_millis(2_100)).await;
        let began = Instant::now();
        let (mine, others) = (get("ann", "right", &known), get("bob", "right", &unknown));
        let (other, response) = tokio::join!(squid.send(STRANGER, NODE, &others), squid.send(STRANGER, NODE, &mine));
        assert_eq!(status(&response), "200", "{mood:?}: {response}");
        assert_eq!((status(&other), reason(&other)), ("503", Some("shop_away")), "{mood:?}: {other}");
        assert!(began.elapsed() < Duration::from_secs(8), "{mood:?}: {:?}", began.elapsed());
    }
}

#[tokio::test]
async fn requests_after_an_idle_pause_are_not_refused() {
    // Longer than any answer is kept. How many ask together after each: with a password, and as many by their address.
    let (idle, together) = match is_long() {
        true => (Duration::from_secs(130), vec![1, 99]),
        false => (Duration::from_millis(1_100), [1, 19].repeat(5)),
    };
    let (http, port) = (origin::http().await, free_port());
    let shop = static_shop(port).await;
    let squid = start_static(&shop, port, &[http]).await;
    let url = format!("http://{http}/");
    let (with_password, by_address) = (get("ann", "right", &url), bare_get(&url));
    let mut wrong = Vec::new();
    for together in together {
        tokio::time::sleep(idle).await;
        let mut requests = JoinSet::new();
        for (from, request) in [(STRANGER, &with_password), (WHITELISTED, &by_address)].repeat(together) {
            let request = request.clone();
            requests.spawn(async move { exchange(dial(port, from, NODE).await, &request).await });
        }
        let responses = requests.join_all().await;
        wrong.extend(responses.into_iter().filter(|response| status(response) != "200"));
    }
    assert!(wrong.is_empty(), "{} of 200 requests were refused: {}\n{}", wrong.len(), wrong[0], squid.log());
}

#[tokio::test]
async fn a_tunnel_goes_on_after_a_refusal_and_a_restart_ends_and_logs_it() {
    let (http, echo, port) = (origin::http().await, origin::echo().await, free_port());
    let shop = static_shop(port).await;
    let mut squid = start_static(&shop, port, &[http, echo]).await;
    let head = connect("ann", "right", &echo.to_string());
    let (mut tunnel, answer) = squid.tunnel(STRANGER, NODE, &head).await;
    assert!(echo_works(&mut tunnel).await);
    shop.state().answer = Box::new(|_| Authorization::refused(Refused::Expired, 1));
    wait_for(&squid, &get("ann", "right", &format!("http://{http}/")), "403").await;
    assert!(echo_works(&mut tunnel).await, "Squid does not end it");
    squid.signal(Signal::TERM);
    assert!(time_until_end(&mut tunnel).await < Duration::from_secs(5));
    squid.wait_for_end().await;
    let log = std::fs::read_to_string(squid.folder.path().join("postern.log")).expect("a log");
    let (up, down) = (head.len() + 8, answer.len() + 8);
    assert!(log.contains(&format!(" ip:127.16.0.1 {up} {down} TCP_TUNNEL ")), "{up} {down} expected: {log}");
}

#[tokio::test]
async fn private_destinations_and_closed_ports_are_refused() {
    let (http, hidden, port) = (origin::http().await, origin::http().await, free_port());
    let shop = static_shop(port).await;
    let squid = start_static(&shop, port, &[http]).await;
    for to in [
        &hidden.to_string(),
        "localhost",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0.0.0.0",
        "10.0.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "8.8.8.8:25",
        PUBLIC,
    ] {
        let response = squid.send(STRANGER, NODE, &get("ann", "right", &format!("http://{to}/"))).await;
        assert_eq!(status(&response), "403", "{to}: {response}");
        let to = if to.ends_with(":25") || *to == hidden.to_string() {
            to.to_string()
        } else {
            format!("{to}:{}", hidden.port())
        };
        let head = closing(&connect("ann", "right", &to));
        let response = squid.send(STRANGER, NODE, &head).await;
        assert_eq!(status(&response), "403", "{to}: {response}");
    }
    for url in [
        "ftp://8.8.8.8/",
        "cache_object://127.0.0.1/info",
        &format!("http://127.16.0.1:{port}/squid-internal-mgr/info"),
    ] {
        let response = squid.send(STRANGER, NODE, &get("ann", "right", url)).await;
        assert_ne!(status(&response), "200", "{url}: {response}");
    }
}

#[tokio::test]
async fn a_configuration_is_one_that_squid_understands() {
    let (folder, shop) = (folder(), Shop::start("static").await);
    let refused = configuration(&folder, &shop, &[]).await.expect_err("no nodes");
    assert!(refused.contains("this server has no nodes"), "{refused}");
    shop.state().nodes =
        (0..300_u16).map(|number| node(&format!("203.0.113.{}", number % 250), 8_000 + number / 250)).collect();
    shop.state().nodes.push(node("2001:db8::7", 8_000));
    let printed = configuration(&folder, &shop, &[]).await.expect("a configuration");
    assert_eq!(printed.matches("\nhttp_port ").count(), 2);
    assert_eq!(printed.matches("\ntcp_outgoing_address ").count(), 251 + 2);
    assert!(printed.contains("301 of them are sold with a SOCKS5 port"), "{printed}");

    let residential = Shop::start("residential").await;
    let refused = configuration(&folder, &residential, &[]).await.expect_err("no port");
    assert!(refused.contains("--listen is missing"), "{refused}");
    let other = configuration(&folder, &residential, &["--listen", "127.0.0.1:8000", "--allow", "a.example:25"]).await;
    for printed in [printed, other.expect("a configuration")] {
        let said = check(&write_configuration(&folder, &printed)).await;
        let complaints =
            said.lines().filter(|line| ["WARNING", "ERROR", "FATAL"].iter().any(|word| line.contains(word)));
        let complaints: Vec<&str> = complaints.filter(|line| !line.contains("HTTP requires the use of Via")).collect();
        assert!(complaints.is_empty(), "{complaints:?}");
        assert!(!printed.contains(SECRET), "{printed}");
    }
    std::fs::write(folder.path().join("secret"), "another").expect("a secret");
    let refused = configuration(&folder, &shop, &[]).await.expect_err("an unknown server");
    assert!(refused.contains("does not know this server's secret"), "{refused}");
}

#[tokio::test]
async fn questions_that_come_together_are_few_requests_and_rubbish_is_answered() {
    let (folder, shop) = (folder(), Shop::start("residential").await);
    let mut asking = command(&folder, &shop, "squid-auth");
    let asking = asking.args(["--kind", "residential"]).env("RUST_LOG", "trace");
    let mut child =
        asking.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a process");
    let mut lines = "rubbish\n\n9000 - - - -\n9001 8.8.8.8 10.0.0.1 Basic%20! -\n".to_owned();
    for number in 0..2_500 {
        let header =
            authorization(&format!("user-ann-session-{number}"), if number % 2 == 0 { "right" } else { "wrong" });
        let header = header.trim_end().trim_start_matches("Proxy-Authorization: ").replace(' ', "%20");
        lines += &format!("{number} 203.0.113.9 10.0.0.1 {header} -\n");
    }
    let mut input = child.stdin.take().expect("an input");
    input.write_all(lines.as_bytes()).await.expect("written");
    drop(input);
    let output = tokio::time::timeout(Duration::from_secs(20), child.wait_with_output()).await.expect("in time");
    let output = output.expect("an output");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    let mut answers: Vec<(u32, &str)> = text
        .lines()
        .map(|line| line.split_once(' ').expect("a channel"))
        .map(|(channel, rest)| (channel.parse().expect("a number"), rest))
        .collect();
    answers.sort_unstable();
    assert_eq!(answers.len(), 2_502, "{text}");
    for (channel, answer) in &answers[..2_500] {
        let expected =
            if channel % 2 == 0 { "OK log=id:7:US" } else { "ERR postern_status=407 postern_error=wrong_password " };
        assert!(answer.starts_with(expected), "{channel} {answer}");
    }
    assert!(answers[2_500].1.starts_with("ERR postern_status=400 postern_error=malformed_request "));
    assert!(answers[2_501].1.starts_with("ERR postern_status=407 postern_error=unknown_user "));
    let questions: Vec<usize> = shop.state().questions.iter().map(Vec::len).collect();
    assert!(questions.len() < 100 && questions.iter().all(|number| *number <= 1_000), "{questions:?}");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    for secret in [SECRET, "right", &authorization("user-ann-session-0", "right")[27..]] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
