//! A PostgreSQL server that is gone, frozen or replaced: every request has its answer within two seconds, and the shop recovers by itself. SQLite has no
//! server. A start without a connection says why, at once.
use crate::shop::ports::reserved;
use crate::shop::{Customer, PASSWORD, Shop, clients};
use postern_server::app::startup;
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::Output;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const ANSWERED_WITHIN: Duration = Duration::from_secs(2);
const RECOVERED_WITHIN: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Behaviour {
    Forwards,
    /// Takes connections and bytes, and never says anything.
    Silent,
    /// Closes every connection.
    Gone,
}

/// A way to the database that can be interrupted.
struct Road {
    address: SocketAddr,
    behaviour: Arc<AtomicU8>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Road {
    fn to(database: SocketAddr) -> Road {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (behaviour, streams) =
            (Arc::new(AtomicU8::new(Behaviour::Forwards as u8)), Arc::<Mutex<Vec<_>>>::default());
        let (now, kept) = (behaviour.clone(), streams.clone());
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                match now.load(Ordering::SeqCst) {
                    now if now == Behaviour::Gone as u8 => continue,
                    now if now == Behaviour::Silent as u8 => kept.lock().expect("streams").push(client),
                    _ => {
                        let server = TcpStream::connect(database).expect("the database");
                        for (from, to) in [(&client, &server), (&server, &client)] {
                            let copies = (from.try_clone().expect("a copy"), to.try_clone().expect("a copy"));
                            let now = now.clone();
                            std::thread::spawn(move || forward(copies.0, copies.1, &now));
                        }
                        kept.lock().expect("streams").extend([client, server]);
                    }
                }
            }
        });
        Road { address, behaviour, streams }
    }

    fn becomes(&self, behaviour: Behaviour) {
        self.behaviour.store(behaviour as u8, Ordering::SeqCst);
        if behaviour == Behaviour::Gone {
            for stream in self.streams.lock().expect("streams").drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }
}

/// What arrives while the road is silent is lost, and all that comes later on this connection.
fn forward(mut from: TcpStream, mut to: TcpStream, behaviour: &AtomicU8) {
    let mut bytes = [0; 16_384];
    let mut is_lost = false;
    while let Ok(length) = from.read(&mut bytes) {
        is_lost |= behaviour.load(Ordering::SeqCst) == Behaviour::Silent as u8;
        if length == 0 || !is_lost && to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// The URL of a database at another address, which has the usual time to answer.
fn moved(url: &str, address: SocketAddr) -> String {
    let (user, rest) = url.split_once('@').expect("a user");
    format!(
        "{user}@{address}/{}",
        rest.split_once('/').and_then(|(_, name)| name.split('?').next()).expect("a database")
    )
}

/// A server that reaches its database by a road.
struct Server {
    road: Road,
    url: String,
    /// Opens a connection for each request.
    client: reqwest::Client,
}

fn served_by_road(shop: &Shop) -> Server {
    let config = &shop.app.config;
    let host = config.database_url.split_once('@').and_then(|(_, rest)| rest.split('/').next()).expect("a host");
    let road = Road::to(host.parse().expect("an address"));
    let mut config = (**config).clone();
    config.database_url = moved(&config.database_url, road.address);
    let app = postern_server::app::open(config).expect("an application");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let server = startup::server(app, listener, 2).expect("a server");
        actix_web::rt::System::new().block_on(server)
    });
    let client = clients::builder().pool_max_idle_per_host(0).build().expect("a client");
    Server { road, url, client }
}

/// The status, whether the answer says when to try again, and the time that it took.
async fn ask(server: &Server, path: &str, token: &str) -> (u16, bool, Duration) {
    let Server { url, client, .. } = server;
    let body = match path {
        "/api/User/Login" => json!({"Email": "ann@example.com", "Password": PASSWORD}),
        "/proxy-server/usage" => json!({"Records": []}),
        _ => json!({}),
    };
    let request = match path {
        "/health/ready" => client.get(format!("{url}{path}")),
        _ => client.post(format!("{url}{path}")).json(&body),
    };
    let begin = Instant::now();
    let response = request.header("Token", token).bearer_auth(token).send().await.expect("an answer");
    let took = begin.elapsed();
    (response.status().as_u16(), response.headers().contains_key("Retry-After"), took)
}

const PATHS: [&str; 5] =
    ["/api/User/GetWallet", "/api/User/Login", "/health/ready", "/proxy-server/authorize", "/proxy-server/usage"];

/// Many requests at once, more than there are connections, are all answered in time.
async fn is_refused_in_time(server: &Server, customer: &Customer, behaviour: Behaviour) {
    let paths = PATHS.iter().cycle().take(40);
    let asked = paths.map(|path| async move { (path, ask(server, path, &customer.token).await) });
    for (path, (status, says_when, took)) in futures_util::future::join_all(asked).await {
        assert_eq!((status, says_when), (503, true), "{behaviour:?} {path}");
        assert!(took < ANSWERED_WITHIN, "{behaviour:?} {path}: {took:?}");
    }
    let (status, _, took) = ask(server, "/health/ready", "").await;
    assert!(status == 503 && took < Duration::from_millis(500), "{behaviour:?}: it is known by now, {took:?}");
}

async fn recovers(server: &Server, customer: &Customer, behaviour: Behaviour) {
    for path in ["/health/ready", "/api/User/GetWallet"] {
        let begin = Instant::now();
        while ask(server, path, &customer.token).await.0 != 200 {
            assert!(begin.elapsed() < RECOVERED_WITHIN, "after it was {behaviour:?}: {path}");
        }
    }
    // With all connections that there may be, and again and again.
    let calls = (0..60).map(|_| ask(server, "/api/User/GetWallet", &customer.token));
    let answers = futures_util::future::join_all(calls).await;
    assert!(answers.iter().all(|answer| answer.0 == 200), "after it was {behaviour:?}: {answers:?}");
}

#[actix_web::test]
async fn without_its_database_a_server_answers_within_two_seconds_and_recovers() {
    let shop = Shop::open();
    if shop.app.config.database_url.starts_with("sqlite") {
        return;
    }
    let customer = shop.customer(0);
    let server = served_by_road(&shop);
    for behaviour in [Behaviour::Silent, Behaviour::Gone, Behaviour::Silent] {
        // Until the latest probe of readiness is too old to be told.
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(1_100) {
            let calls = (0..20).map(|_| ask(&server, "/api/User/GetWallet", &customer.token));
            assert!(futures_util::future::join_all(calls).await.iter().all(|answer| answer.0 == 200));
        }
        server.road.becomes(behaviour);
        is_refused_in_time(&server, &customer, behaviour).await;
        // As long as a server takes to start: requests that wait for an old connection must not keep it.
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(4) {
            assert_eq!(ask(&server, "/health/ready", "").await.0, 503, "{behaviour:?}");
        }
        server.road.becomes(Behaviour::Forwards);
        recovers(&server, &customer, behaviour).await;
    }
}

/// Runs `postern migrate` on this database.
fn start_on(shop: &Shop, database_url: &str) -> (Output, Duration) {
    let begin = Instant::now();
    let mut postern = std::process::Command::new(env!("CARGO_BIN_EXE_postern"));
    postern.env("DATABASE_URL", database_url).env("POSTERN_VAR_DIR", &shop.app.config.var_dir);
    postern
        .env("POSTERN_LOCALES_DIR", &shop.app.config.locales_dir)
        .env("POSTERN_FONTS_DIR", &shop.app.config.fonts_dir);
    let output = postern.arg("migrate").output().expect("the command");
    (output, begin.elapsed())
}

/// A server that asks for a password and refuses it, as PostgreSQL does.
fn refuses_passwords() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let message = |kind: u8, body: &[u8]| [&[kind][..], &(body.len() as u32 + 4).to_be_bytes(), body].concat();
    let refusal = message(b'E', b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user \"ann\"\0\0");
    let asks = message(b'R', &3_u32.to_be_bytes());
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let mut bytes = [0; 1_000];
            while let Ok(length) = client.read(&mut bytes) {
                let answer = match bytes[..length] {
                    [] => break,
                    // It offers no encryption.
                    [0, 0, 0, 8, ..] => &b"N"[..],
                    [b'p', ..] => &refusal[..],
                    _ => &asks[..],
                };
                if client.write_all(answer).is_err() || bytes[0] == b'p' {
                    break;
                }
            }
        }
    });
    address
}

#[actix_web::test]
async fn a_start_without_a_connection_says_why_at_once_and_never_the_password() {
    let shop = Shop::open();
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    for (address, cause) in [
        (refuses_passwords(), "password authentication failed for user \"ann\""),
        (reserved(), "refused"),
        (silent.local_addr().expect("an address"), "timeout expired"),
    ] {
        let (output, took) = start_on(&shop, &format!("postgres://ann:s3cret-word@{address}/shop"));
        let told = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && told.contains("connecting to the database: "), "{told}");
        assert!(told.contains(cause) && !told.contains("s3cret-word"), "{cause}: {told}");
        assert!(took < Duration::from_secs(6), "{cause}: {took:?}");
    }
}
