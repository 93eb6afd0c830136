//! What is counted of a real Squid's traffic, and that the shop gets it once.
use crate::harness::*;
use crate::origin;
use crate::shop::{Mood, Shop, USER_ID};
use crate::squid_process::*;
use rustix::process::Signal;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;

const CLIENT: [u8; 4] = [127, 30, 0, 3];
const SQUID: [u8; 4] = [127, 0, 0, 1];
const USER: &str = "user-ann-country-us-session-a1";

fn reader(squid: &Squid, shop: &Shop) -> Child {
    let place = |name: &str| squid.folder.path().join(name);
    let mut reading = command(&squid.folder, shop, "squid-usage");
    reading.arg("--log").arg(place("postern.log")).arg("--spool").arg(place("usage")).stderr(Stdio::null());
    reading.spawn().expect("a process")
}

/// A request and a tunnel, and attempts that are nobody's. Returns the bytes that went up and down at the client.
async fn some_traffic(squid: &Squid, http: SocketAddr, echo: SocketAddr) -> (u64, u64) {
    let request = get(USER, "right", &format!("http://{http}/"));
    let response = squid.send(CLIENT, SQUID, &request).await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}\n{}", squid.log());
    let head = connect(USER, "right", &echo.to_string());
    let (mut tunnel, answer) = squid.tunnel(CLIENT, SQUID, &head).await;
    let mut back = vec![0; 30_000];
    tunnel.write_all(&back.clone()).await.expect("written");
    tunnel.read_exact(&mut back).await.expect("read");
    drop(tunnel);
    let wrong = get(USER, "wrong", &format!("http://{http}/"));
    let unreachable = get(USER, "right", "http://127.0.0.1:1/");
    for attempt in [wrong, unreachable] {
        let response = squid.send(CLIENT, SQUID, &attempt).await;
        assert!(["407", "503"].iter().any(|status| response.starts_with(&format!("HTTP/1.1 {status}"))), "{response}");
    }
    let bytes = |texts: [&str; 2]| texts.map(str::len).iter().sum::<usize>() as u64 + 30_000;
    (bytes([&request, &head]), bytes([&response, &answer]))
}

fn sum(parts: &[(u64, u64)]) -> (u64, u64) {
    parts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

#[tokio::test]
async fn every_byte_is_counted_once_through_kills_rotations_and_a_shop_that_is_away() {
    let (shop, http, echo, port) =
        (Shop::start("residential").await, origin::http().await, origin::echo().await, free_port());
    let folder = folder();
    let (listen, allow) = (format!("0.0.0.0:{port}"), format!("{http},{echo},127.0.0.1:1"));
    let printed = configuration(&folder, &shop, &["--listen", &listen, "--allow", &allow]).await;
    let squid = Squid::start(folder, port, &printed.expect("a configuration")).await;
    let log = squid.folder.path().join("postern.log");
    let old = |number: u8| squid.folder.path().join(format!("postern.log.{number}"));
    let mut carried = vec![some_traffic(&squid, http, echo).await];

    // Killed while it reports.
    shop.state().report_status = Some(503);
    let mut first = reader(&squid, &shop);
    carried.push(some_traffic(&squid, http, echo).await);
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    first.kill().await.expect("killed");
    carried.push(some_traffic(&squid, http, echo).await);

    // Renamed twice while nobody reads; Squid goes on in the old file until it is told.
    fs::rename(&log, old(1)).expect("renamed");
    carried.push(some_traffic(&squid, http, echo).await);
    squid.signal(Signal::USR1);
    wait_for_file(&log).await;
    carried.push(some_traffic(&squid, http, echo).await);
    fs::rename(old(1), old(2)).expect("renamed");
    fs::rename(&log, old(1)).expect("renamed");
    squid.signal(Signal::USR1);
    wait_for_file(&log).await;

    shop.state().report_status = None;
    let mut second = reader(&squid, &shop);
    let (up, down) = sum(&carried);
    assert_eq!(shop.wait_for_bytes("127.0.0.1", up + down).await, (up, down));

    // With the log, Squid has started the command again that answers questions. It learns whom the shop allows, as soon as Squid's own memory is over.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    carried.push(some_traffic(&squid, http, echo).await);

    // The shop is away, and the log is copied and truncated.
    let away = Duration::from_millis(if is_long() { 30_000 } else { 1_500 });
    shop.state().mood = Mood::Away;
    carried.push(some_traffic(&squid, http, echo).await);
    tokio::time::sleep(away).await;
    fs::copy(&log, old(3)).expect("copied");
    File::options().write(true).open(&log).expect("opened").set_len(0).expect("truncated");
    carried.push(some_traffic(&squid, http, echo).await);
    tokio::time::sleep(away).await;
    shop.state().mood = Mood::Answers;
    let (up, down) = sum(&carried);
    assert_eq!(shop.wait_for_bytes("127.0.0.1", up + down).await, (up, down));
    second.kill().await.expect("killed");

    // One that forgot how far it had read repeats everything.
    fs::remove_file(squid.folder.path().join("usage/position.json")).expect("removed");
    let reported = shop.state().reports.concat().len();
    let mut third = reader(&squid, &shop);
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if shop.state().reports.concat().len() >= reported + 2 * carried.len() {
            break;
        }
    }
    assert_eq!(shop.counted().into_iter().collect::<Vec<_>>(), [("127.0.0.1".to_owned(), (up, down))]);
    let records = shop.state().reports.concat();
    assert!(records.len() >= reported + 2 * carried.len(), "{} records after {reported}", records.len());
    assert!(records.iter().all(|record| (record.proxy_user_id, record.country.as_str()) == (Some(USER_ID), "US")));

    // One that is stopped reports the last moment.
    carried.push(some_traffic(&squid, http, echo).await);
    send_signal(&third, Signal::TERM);
    let stopped = tokio::time::timeout(Duration::from_secs(8), third.wait()).await.expect("an end").expect("a status");
    assert!(stopped.success(), "{stopped}");
    assert_eq!(shop.counted()["127.0.0.1"], sum(&carried));
}

async fn wait_for_file(path: &std::path::Path) {
    for _ in 0..100 {
        if path.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} expected", path.display());
}
