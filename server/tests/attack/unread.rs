//! The largest answers that a customer can ask for, many at once, unread: they hold little memory, and are cut.
use crate::findings::Findings;
use crate::shop::Customer;
use crate::target::{People, Target};
use crate::wire::{Request, head};
use postern_server::http::connection::TIMES;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Receivers of each answer. An account has fewer fetches of lists at once, so three share them.
const AT_ONCE: usize = 21;

/// Allowed growth of the server's memory while nobody reads, in MB.
const UNREAD_MB: u64 = 48;

/// A receiver with less of a long answer was cut; the buffers of both systems hold more of a short one.
const CUT_BYTES: usize = 32 << 20;

struct Unread {
    path: String,
    stream: TcpStream,
}

/// Requests all of them, reads nothing until the server should have given up, and then everything.
pub fn largest_answers(target: &Target, people: &People, findings: &Findings) {
    let before = target.memory_mb();
    let mut held = Vec::new();
    // The other attacks have used up what `people.customer` may add.
    let customers = [&people.bystander, &people.reseller, &people.owner];
    let lists = lists(target, people, &customers, findings);
    for number in 0..AT_ONCE {
        let who = customers[number % customers.len()];
        let token = target.token_of(who);
        held.extend(ask(target, "GET", &lists[number % lists.len()], &token, b""));
        held.extend(ask(target, "GET", "/api/openapi.json", &token, b""));
        let file = attachment(target, who, findings);
        held.extend(ask(target, "POST", "/api/Support/GetAttachment", &token, file.to_string().as_bytes()));
        for call in ["Wallet/ExportTransactions", "Order/ExportOrders", "Ips/ExportNodes", "Ips/ExportSwitchRecording"]
        {
            held.extend(ask(target, "POST", &format!("/api/{call}"), &token, b"{}"));
        }
    }
    findings.requests.fetch_add(held.len() as u64, std::sync::atomic::Ordering::Relaxed);
    let (begin, mut most) = (Instant::now(), 0);
    while begin.elapsed() < TIMES.stalled + Duration::from_secs(10) {
        most = most.max(target.memory_mb());
        std::thread::park_timeout(Duration::from_millis(200));
    }
    println!("  memory: {before} MB before, {most} MB with {} unread answers", held.len());
    if most > before + UNREAD_MB {
        findings.add("unread answers hold memory", "", &format!("{before} MB before, {most} MB with {}", held.len()));
    }
    for Unread { path, stream } in held {
        if path.starts_with("/lists/") {
            let received = everything(stream);
            if received >= CUT_BYTES {
                findings.add("an unread answer is not cut", "/lists/", &format!("{received} bytes"));
            }
        }
    }
}

fn call(target: &Target, who: &Customer, call: &str, body: &Value, findings: &Findings) -> Value {
    let answer = target.post(&format!("/api/{call}"), &target.token_of(who), &[], body.to_string().as_bytes());
    findings.judge(call, &body.to_string(), &answer);
    if answer.code != Some(1000) {
        findings.add("the largest answer cannot be prepared", call, &answer.short());
    }
    answer.data()
}

/// A list for each of these customers, with the longest lines that are accepted.
fn lists(target: &Target, people: &People, customers: &[&Customer], findings: &Findings) -> Vec<String> {
    let server =
        json!({"Name": "unread", "Kind": "residential", "Host": "gate.example", "HttpPort": "8000", "Socks5Port": ""});
    call(target, &people.operator, "Operator/AddProxyServer", &server, findings);
    let servers = call(target, customers[0], "Endpoints/GetServerList", &json!({}), findings);
    let list_of = |number: usize, who: &&Customer| {
        let form = json!({"Name": format!("unread_{number}")});
        let user = call(target, who, "ProxyUsers/AddProxyUser", &form, findings);
        let url = |template: &str| {
            let settings = json!({
                "ServerId": servers[0]["ServerId"], "Scheme": "http", "Sticky": true, "Count": 100_000, "Format": "url",
                "Template": template,
            });
            json!({"Name": "unread", "ProxyUserId": user["ProxyUser"]["ProxyUserId"], "Settings": settings})
        };
        let absurd = url(&"{user}".repeat(166)).to_string();
        let refused = target.post("/api/Endpoints/CreateUrl", &target.token_of(who), &[], absurd.as_bytes());
        if refused.code != Some(2001) {
            findings.add("a list with endless lines is accepted", "Endpoints/CreateUrl", &refused.short());
        }
        let longest = url(&format!("{{user}}{}", "x".repeat(900)));
        let made = call(target, who, "Endpoints/CreateUrl", &longest, findings);
        let path = made["Url"].as_str().and_then(|url| Some(url[url.find("/lists/")?..].to_owned()));
        path.unwrap_or_default()
    };
    customers.iter().enumerate().map(|(number, who)| list_of(number, who)).collect()
}

/// An attachment of the largest size.
fn attachment(target: &Target, who: &Customer, findings: &Findings) -> Value {
    let head = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n";
    let body = [head.as_bytes(), &vec![b'a'; 5 << 20], b"\r\n--edge--\r\n"].concat();
    let kind = [("Content-Type", "multipart/form-data; boundary=edge"), ("Idempotency-Key", "unread")];
    let sent = target.post("/api/Support/UploadAttachment", &target.token_of(who), &kind, &body);
    findings.judge("Support/UploadAttachment", "5 MB", &sent);
    json!({"AttachmentId": sent.data()["AttachmentId"]})
}

fn ask(target: &Target, method: &str, path: &str, token: &str, body: &[u8]) -> Option<Unread> {
    let mut stream = TcpStream::connect_timeout(&target.server, Duration::from_secs(5)).ok()?;
    let request = Request { method, path, token, from: target.another_sender(), headers: &[], body };
    stream.write_all(&[&head(&request)[..], body].concat()).ok()?;
    Some(Unread { path: path.to_owned(), stream })
}

/// The bytes until the connection ends.
fn everything(mut stream: TcpStream) -> usize {
    let (mut part, mut count) = (vec![0; 1 << 16], 0);
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    while let Ok(more @ 1..) = stream.read(&mut part) {
        count += more;
    }
    count
}
