//! The callback endpoint: signed and unsigned bodies, too large, too many, not UTF-8, while the database is unavailable, and from before an upgrade.
use crate::shop::{Customer, Shop};
use crate::shop::{clients, databases::lock_tables, ports::reserved};
use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use postern_core::callback::{FORGED_PER_SENDER, MAX_BYTES, STORED_IN_TOTAL, STORED_PER_SENDER};
use postern_core::order::PaymentMethod;
use postern_server::config::Config;
use postern_server::db::prelude::*;
use postern_server::db::{Conn, sqlite_path};
use postern_server::gateways::merchant;
use postern_server::payments::stored::{ShortForm, note_forged};
use postern_server::schema::{forged_callbacks, gateway_callbacks};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATH: &str = "/gateway/callback/sandbox";

async fn top_up(shop: &Shop, customer: &Customer) -> String {
    let answer = shop.call(customer, "Wallet/CreateTopUp", json!({"Amount": "25", "PaymentMethod": "sandbox"})).await;
    answer.data["Payment"]["PaymentId"].as_str().unwrap_or_default().to_owned()
}

/// The gateway's report of an approved top-up, and its signature.
fn approved(shop: &Shop, payment_id: &str) -> (Vec<u8>, String) {
    let report = json!({
        "Merchant": merchant(&shop.app.key), "PaymentId": payment_id, "Outcome": "approved", "Amount": "25.00", "Currency": "USD",
    });
    signed(shop, report.to_string().into_bytes())
}

fn signed(shop: &Shop, body: Vec<u8>) -> (Vec<u8>, String) {
    let signature = shop.app.key.sign("sandbox callbacks", &body);
    (body, signature)
}

async fn post(url: &str, body: Vec<u8>, signature: &str, from: &str) -> reqwest::Response {
    let request = clients::new().post(format!("{url}{PATH}")).body(body);
    let request = request.header("Sandbox-Signature", signature).header("X-Forwarded-For", from);
    request.send().await.expect("a response")
}

async fn send(shop: &Shop, (body, signature): (Vec<u8>, String), from: &str) -> u16 {
    post(&shop.url, body, &signature, from).await.status().as_u16()
}

async fn forged(shop: &Shop, from: &str) -> u16 {
    send(shop, (b"{}".to_vec(), "00".to_owned()), from).await
}

/// The numbers of full bodies and of short forms in the database.
fn kept(shop: &Shop) -> (i64, i64) {
    let count = |conn: &mut Conn| {
        let whole = gateway_callbacks::table.filter(gateway_callbacks::body.is_not_null());
        let short = gateway_callbacks::table.filter(gateway_callbacks::body.is_null());
        Ok((whole.count().get_result(conn)?, short.count().get_result(conn)?))
    };
    shop.app.db.read_blocking(count).expect("numbers")
}

fn bodies(shop: &Shop) -> Vec<Option<Vec<u8>>> {
    let query = gateway_callbacks::table.order(gateway_callbacks::id).select(gateway_callbacks::body);
    shop.app.db.read_blocking(|conn| Ok(query.load(conn)?)).expect("bodies")
}

#[actix_web::test]
async fn unsigned_callbacks_are_stored_in_short_form_and_lists_have_no_bodies() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let payment_id = top_up(&shop, &customer).await;
    let long = [b"{\"Merchant\":\"x\0\"".to_vec(), vec![b'y'; 60_000]].concat();
    assert_eq!(send(&shop, (long, "00".to_owned()), "198.51.100.7").await, 400);
    let (body, signature) = approved(&shop, &payment_id);
    assert_eq!(send(&shop, (body.clone(), signature), "198.51.100.8").await, 200);
    assert_eq!(kept(&shop), (1, 1));
    let list = shop.call(&operator, "Order/GetCallbackList", json!({})).await.data;
    let (genuine, forged) = (&list["Rows"][0], &list["Rows"][1]);
    assert_eq!((&list["ForgedLately"], &list["Total"]), (&json!(1), &json!(2)));
    assert_eq!((&forged["SizeBytes"], &forged["Sender"]), (&json!(60_016), &json!("198.51.100.7")));
    assert_eq!((&forged["Verdict"], &forged["IsRefused"]), (&json!("bad_signature"), &json!(true)));
    assert_eq!(forged["Sha256"].as_str().map(str::len), Some(64));
    let beginning = forged["Beginning"].as_str().unwrap_or_default();
    assert!(beginning.starts_with("{\"Merchant\":\"x\u{fffd}\"yy") && beginning.chars().count() == 200, "{beginning}");
    assert_eq!(genuine["Beginning"].as_str().map(str::as_bytes), Some(&body[..]), "as short as it is, all of it");
    let number = shop.call(&customer, "Order/GetOrderList", json!({})).await.data["Rows"][0]["OrderNumber"].clone();
    let order = shop.call(&operator, "Operator/GetOrder", json!({"OrderNumber": number})).await.data;
    assert_eq!(order["Callbacks"][0]["Beginning"], genuine["Beginning"]);
    assert!(!list.to_string().contains("\"Body\"") && !order.to_string().contains("\"Body\""));
}

#[actix_web::test]
async fn a_flood_of_forged_callbacks_does_not_block_genuine_ones() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let payment_id = top_up(&shop, &customer).await;
    let mut statuses = Vec::new();
    for _ in 0..100 {
        statuses.push(forged(&shop, "198.51.100.7").await);
    }
    let let_in = statuses.iter().filter(|status| **status == 400).count();
    assert_eq!(let_in, FORGED_PER_SENDER.hits as usize, "{statuses:?}");
    assert!(statuses[let_in..].iter().all(|status| *status == 429), "{statuses:?}");
    assert_eq!(kept(&shop), (0, i64::from(STORED_PER_SENDER.hits)));
    let arrived = forged_callbacks::table.select(forged_callbacks::arrived);
    let arrived: Vec<i64> = shop.app.db.read_blocking(|conn| Ok(arrived.load(conn)?)).expect("counts");
    assert!(arrived.len() == 1 && (61..=100).contains(&arrived[0]), "{arrived:?}");
    // Signed callbacks are accepted, from the same address and any number of times.
    for _ in 0..3 {
        assert_eq!(send(&shop, approved(&shop, &payment_id), "198.51.100.7").await, 200);
    }
    assert_eq!((kept(&shop).0, shop.balance(&customer).await.as_str()), (3, "25.00"));
    assert_eq!(forged(&shop, "198.51.100.8").await, 400, "another sender has a count of its own");
}

#[actix_web::test]
async fn an_ipv6_network_is_one_sender_of_callbacks() {
    let shop = Shop::open();
    let now = shop.app.clock.now();
    let note = |address: String| {
        let address: IpAddr = address.parse().expect("an address");
        let noted = shop
            .app
            .db
            .write_blocking(|conn| note_forged(conn, PaymentMethod::Sandbox, &ShortForm::of(b"{}"), address, now));
        noted.expect("a note").is_some()
    };
    let refused = (0..100).filter(|number| note(format!("2001:db8:1:2::{number}"))).count();
    assert_eq!(refused, 100 - FORGED_PER_SENDER.hits as usize);
    assert!(!note("2001:db8:1:3::1".to_owned()), "the next network is another sender");
}

#[actix_web::test]
async fn short_forms_are_limited_per_day() {
    let shop = Shop::open();
    let note_all = |first: u32| {
        let now = shop.app.clock.now();
        let noted = shop.app.db.write_blocking(|conn| {
            for number in 0..STORED_IN_TOTAL.hits as u32 + 50 {
                let sender = IpAddr::from(std::net::Ipv4Addr::from(first + number));
                assert_eq!(note_forged(conn, PaymentMethod::Sandbox, &ShortForm::of(b"{}"), sender, now)?, None);
            }
            Ok(())
        });
        noted.expect("notes");
    };
    note_all(0x0100_0000);
    assert_eq!(kept(&shop), (0, i64::from(STORED_IN_TOTAL.hits)));
    shop.app.clock.advance(TimeDelta::hours(25));
    note_all(0x0200_0000);
    assert_eq!(kept(&shop), (0, 2 * i64::from(STORED_IN_TOTAL.hits)), "the next day has as many");
}

#[actix_web::test]
async fn short_forms_are_deleted_after_a_week_and_signed_callbacks_never() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let payment_id = top_up(&shop, &customer).await;
    send(&shop, approved(&shop, &payment_id), "198.51.100.7").await;
    forged(&shop, "198.51.100.7").await;
    shop.app.clock.advance(TimeDelta::days(7) - TimeDelta::minutes(1));
    shop.run_jobs().await;
    assert_eq!(kept(&shop), (1, 1));
    shop.app.clock.advance(TimeDelta::days(1));
    shop.run_jobs().await;
    assert_eq!(kept(&shop), (1, 0));
    let counts = shop.app.db.read_blocking(|conn| Ok(forged_callbacks::table.count().get_result::<i64>(conn)?));
    assert_eq!(counts.expect("a number"), 0);
}

#[actix_web::test]
async fn callbacks_of_up_to_64_kilobytes_are_accepted() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (mut body, _) = approved(&shop, &top_up(&shop, &customer).await);
    body.resize(MAX_BYTES, b' ');
    assert_eq!(send(&shop, signed(&shop, body.clone()), "198.51.100.7").await, 200);
    assert_eq!((bodies(&shop), shop.balance(&customer).await.as_str()), (vec![Some(body.clone())], "25.00"));
    body.push(b' ');
    assert_eq!(send(&shop, signed(&shop, body.clone()), "198.51.100.7").await, 413);
    assert_eq!(send(&shop, (body, "00".to_owned()), "198.51.100.7").await, 413);
    assert_eq!(kept(&shop), (1, 0));
}

#[actix_web::test]
async fn signed_bodies_are_stored_unchanged() {
    let shop = Shop::open();
    let odd: [&[u8]; 4] = [b"{\"a\":\"\0\"}", b"\0", &[0xff, 0xfe, 0x00], b""];
    for body in odd {
        let (body, signature) = signed(&shop, body.to_vec());
        let response = post(&shop.url, body, &signature, "198.51.100.7").await;
        assert_eq!(response.status(), 200);
        let answer: Value = response.json().await.expect("an answer");
        assert_eq!(answer["Verdict"], "no_interest");
    }
    assert_eq!(bodies(&shop), odd.map(|body| Some(body.to_vec())));
    let list = shop.call(&shop.operator(), "Order/GetCallbackList", json!({})).await;
    assert_eq!((list.code, &list.data["Total"]), (1000, &json!(4)));
}

async fn health(url: &str, which: &str) -> u16 {
    clients::get(format!("{url}/health/{which}")).await.expect("an answer").status().as_u16()
}

#[actix_web::test]
async fn callbacks_get_503_while_the_database_is_locked() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let payment_id = top_up(&shop, &customer).await;
    assert_eq!(health(&shop.url, "ready").await, 200);
    let mut lock = lock_tables(&shop, "gateway_callbacks, write_probes");
    let begun_at = Instant::now();
    assert_eq!(send(&shop, approved(&shop, &payment_id), "198.51.100.7").await, 503);
    assert!(begun_at.elapsed() < Duration::from_secs(10), "a gateway is told in time: {:?}", begun_at.elapsed());
    assert_eq!(forged(&shop, "198.51.100.7").await, 503);
    let begun_at = Instant::now();
    // One client: making twenty takes longer than the server on a busy machine.
    let client = clients::new();
    let asked: Vec<_> = (0..20).map(|_| client.get(format!("{}/health/ready", shop.url)).send()).collect();
    let asked = futures_util::future::join_all(asked).await.into_iter();
    assert!(asked.map(|answer| answer.expect("an answer").status()).all(|status| status == 503));
    assert!(begun_at.elapsed() < Duration::from_secs(10), "nobody waits long: {:?}", begun_at.elapsed());
    let asked = client.head(format!("{}/health/ready", shop.url)).send().await;
    assert_eq!(asked.expect("an answer").status(), 503, "to HEAD as to GET");
    assert_eq!(health(&shop.url, "live").await, 200);
    assert_eq!(shop.balance(&customer).await, "0.00");
    lock.batch_execute("ROLLBACK").expect("an end");
    assert_eq!(send(&shop, approved(&shop, &payment_id), "198.51.100.7").await, 200);
    assert_eq!(shop.balance(&customer).await, "25.00");
    // The running probe ends now, and the next one succeeds.
    let begun_at = Instant::now();
    while health(&shop.url, "ready").await != 200 {
        assert!(begun_at.elapsed() < Duration::from_secs(30), "ready again");
    }
    shop.ledger_adds_up();
}

/// The real server, in a process of its own.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    /// With `largest_file_kilobytes` no file can grow beyond that, as on a full disk.
    async fn start(config: &Config, largest_file_kilobytes: Option<u32>) -> Server {
        let free = reserved();
        let limit = largest_file_kilobytes.map(|kilobytes| format!("trap '' XFSZ; ulimit -f {}; ", 2 * kilobytes));
        let process = Command::new("sh")
            .args(["-c", &format!("{}exec \"$0\" serve", limit.unwrap_or_default()), env!("CARGO_BIN_EXE_postern")])
            .env("DATABASE_URL", &config.database_url)
            .env("POSTERN_VAR_DIR", &config.var_dir)
            .env("POSTERN_LOCALES_DIR", &config.locales_dir)
            .env("POSTERN_FONTS_DIR", &config.fonts_dir)
            .env("PORT", free.port().to_string())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server's binary");
        let server = Server { process, url: format!("http://{free}") };
        let begun_at = Instant::now();
        loop {
            if clients::get(format!("{}/health/ready", server.url)).await.is_ok_and(|answer| answer.status() == 200) {
                return server;
            }
            assert!(begun_at.elapsed() < Duration::from_secs(60), "the server does not get ready");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[actix_web::test]
async fn on_a_full_disk_unstored_callbacks_get_no_200() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    if sqlite_path(&shop.app.config.database_url).is_none() {
        return while_postgres_has_no_space(&shop, &customer).await;
    }
    let payment_id = top_up(&shop, &customer).await;
    let large = |number: usize| signed(&shop, format!("{number}{}", " ".repeat(60_000)).into_bytes());
    let path = sqlite_path(&shop.app.config.database_url).unwrap_or_default();
    // Checkpoint, so that the next writes start a new file.
    let gather = |conn: &mut Conn| Ok(conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?);
    shop.app.db.read_blocking(gather).expect("a checkpoint");
    let size = std::fs::metadata(path).expect("a file").len() / 1024;
    let mut answered = 0;
    {
        let full = Server::start(&shop.app.config, Some(u32::try_from(size).expect("a size") + 1_000)).await;
        let mut is_full = false;
        while !is_full {
            let (body, signature) = large(answered);
            match post(&full.url, body, &signature, "198.51.100.7").await.status().as_u16() {
                200 => answered += 1,
                503 => is_full = true,
                status => panic!("{status}"),
            }
            assert!(answered < 1_000, "the disk never gets full");
        }
        // Smaller writes still fit for a moment.
        let begun_at = Instant::now();
        while health(&full.url, "ready").await == 200 {
            let (body, signature) = signed(&shop, answered.to_string().into_bytes());
            answered += usize::from(post(&full.url, body, &signature, "198.51.100.7").await.status() == 200);
            assert!(begun_at.elapsed() < Duration::from_secs(30), "nothing more can be written, and it is ready");
        }
        assert_eq!(health(&full.url, "live").await, 200);
        let (body, signature) = approved(&shop, &payment_id);
        assert_eq!(post(&full.url, body, &signature, "198.51.100.7").await.status(), 503);
    }
    let again = Server::start(&shop.app.config, None).await;
    assert!(kept(&shop).0 >= answered as i64, "{answered} were answered 200, {} are stored", kept(&shop).0);
    let (body, signature) = approved(&shop, &payment_id);
    assert_eq!(post(&again.url, body, &signature, "198.51.100.7").await.status(), 200);
    assert_eq!(shop.balance(&customer).await, "25.00");
}

/// We cannot fill the disk of a PostgreSQL server, so the tables raise `disk_full` as on a full one.
async fn while_postgres_has_no_space(shop: &Shop, customer: &Customer) {
    let payment_id = top_up(shop, customer).await;
    let begin = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON gateway_callbacks EXECUTE FUNCTION refuse();
        CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON write_probes EXECUTE FUNCTION refuse();";
    let end = "DROP TRIGGER full_disk ON gateway_callbacks; DROP TRIGGER full_disk ON write_probes;";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(begin)?)).expect("a full disk");
    let before = kept(shop).0;
    let (body, signature) = approved(shop, &payment_id);
    assert_eq!(post(&shop.url, body.clone(), &signature, "198.51.100.7").await.status(), 503);
    let begun_at = Instant::now();
    while health(&shop.url, "ready").await == 200 {
        assert!(begun_at.elapsed() < Duration::from_secs(30), "nothing more can be written, and it is ready");
    }
    assert_eq!((health(&shop.url, "live").await, kept(shop).0), (200, before));
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(end)?)).expect("space");
    assert_eq!(post(&shop.url, body, &signature, "198.51.100.7").await.status(), 200);
    assert_eq!(shop.balance(customer).await, "25.00");
}

#[actix_web::test]
async fn the_upgrade_keeps_signed_callbacks_and_shortens_unsigned_ones() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let payment_id = top_up(&shop, &customer).await;
    let (body, signature) = approved(&shop, &payment_id);
    let body = String::from_utf8(body).expect("text");
    let is_sqlite = sqlite_path(&shop.app.config.database_url).is_some();
    let down = if is_sqlite {
        include_str!("../../../migrations/sqlite/0002_callbacks_and_limits/down.sql")
    } else {
        include_str!("../../../migrations/postgres/0002_callbacks_and_limits/down.sql")
    };
    let then = "'2026-01-01 00:00:00'";
    let old = format!(
        "{down} DELETE FROM __diesel_schema_migrations WHERE version = '0002';
         INSERT INTO gateway_callbacks (gateway, body, signature, verdict, received_at, judged_at) VALUES
             ('sandbox', '{{\"is\":\"genuine\"}}', 'aa', 'repeat', {then}, {then}),
             ('sandbox', '{}', 'bb', 'bad_signature', {then}, {then}),
             ('sandbox', '{body}', '{signature}', NULL, {then}, NULL);",
        "支付".repeat(500)
    );
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(&old)?)).expect("a database from before");
    let upgraded = postern_server::app::open((*shop.app.config).clone()).expect("an upgrade");
    let rows: Vec<(Option<Vec<u8>>, i64, String, String)> = upgraded
        .db
        .read_blocking(|conn| {
            let columns = (
                gateway_callbacks::body,
                gateway_callbacks::size_bytes,
                gateway_callbacks::beginning,
                gateway_callbacks::signature,
            );
            Ok(gateway_callbacks::table.order(gateway_callbacks::id).select(columns).load(conn)?)
        })
        .expect("rows");
    assert_eq!(rows[0], (Some(br#"{"is":"genuine"}"#.to_vec()), 16, r#"{"is":"genuine"}"#.into(), "aa".into()));
    assert_eq!((&rows[1].0, rows[1].1, rows[1].2.chars().count(), rows[1].3.as_str()), (&None, 3_000, 200, ""));
    assert_eq!(rows[2].0.as_deref(), Some(body.as_bytes()));
    drop(upgraded);
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "25.00", "what was not processed then is processed now");
    assert_eq!(kept(&shop), (2, 0));
}
