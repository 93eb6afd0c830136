//! Attacks generated from the OpenAPI document: a new call is attacked as soon as it is documented. They run against a separate server while a
//! bystander uses it; nothing may fail, hang, grow or leak.
//!
//! A short run is one of the tests; `make attack` is the long one. `ATTACK_LONG=1` runs everything, `ATTACK_SEED` repeats the random choices of a
//! short run.
mod calls;
mod costly;
mod described;
mod findings;
mod paths;
mod pauses;
#[allow(dead_code)]
#[path = "../api/shop.rs"]
mod shop;
mod slow;
mod target;
mod unread;
mod uploads;
mod values;
mod wire;

use calls::Call;
use findings::{Findings, for_each};
use serde_json::{Value, json};
use shop::{Customer, Shop};
use slow::Slowness;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use target::{People, Target, stand_by};
use wire::{Answer, Request, send};

/// Allowed growth of the server's memory, in MB, after half a minute: over a server that has answered every call, and so has loaded what it keeps.
const KEPT_MB: u64 = 16;
/// The memory of an idle server, in MB, with its code: a debug build has three times as much code.
const IDLE_MB: u64 = 96;
const AT_REST: Duration = Duration::from_secs(10);
/// Allowed growth of the database by a flood of forged callbacks, in MB.
const FLOOD_MB: u64 = 24;
const QUIET_AGAIN: Duration = Duration::from_secs(30);

/// Routes that take a body but are not calls: callbacks of gateways, and pages with forms.
const OTHER_ROUTES: &[&str] = &[
    "/gateway/callback/sandbox",
    "/gateway/callback/stripe",
    "/gateway/callback/btcpay",
    "/gateway/callback/epay",
    "/gateway/callback/transfer",
    "/gateway/callback/nobody",
    "/proxy-server/usage",
    "/proxy-server/authorize",
    "/proxy-server/describe",
    "/proxy-server/heartbeat",
    "/proxy-server/nodes",
    "/sandbox/pay/pay_1",
    "/sandbox/card/card_1",
    "/login",
    "/nowhere",
];

/// The size of the run.
struct Size {
    is_long: bool,
    random: fastrand::Rng,
}

impl Size {
    /// All of them in a long run, a random selection in a short one.
    fn some<T>(&mut self, mut all: Vec<T>, few: usize) -> Vec<T> {
        if !self.is_long {
            self.random.shuffle(&mut all);
            all.truncate(few);
        }
        all
    }

    fn many(&self, few: usize, many: usize) -> usize {
        if self.is_long { many } else { few }
    }
}

#[actix_web::test]
async fn nothing_fails_hangs_grows_or_opens_under_attack() {
    let seed =
        std::env::var("ATTACK_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(|| fastrand::u64(..));
    let is_long = std::env::var("ATTACK_LONG").is_ok_and(|text| text == "1");
    println!("seed {seed}, {}", if is_long { "everything" } else { "some of everything" });
    let mut size = Size { is_long, random: fastrand::Rng::with_seed(seed) };
    let shop = Shop::open_with_traffic();
    for (country, city) in [("US", "new-york"), ("DE", "frankfurt")] {
        shop.stock(country, city, 50);
    }
    let target = Target::start(shop);
    let people = target.people().await;
    let document: Value =
        serde_json::from_str(&target.get("/api/openapi.json").text).expect("a description of the API");
    let calls = calls::calls(&document);
    assert!(calls.len() > 80, "{} calls", calls.len());
    let findings = Findings::default();
    let is_over = AtomicBool::new(false);
    let (before_mb, (served, longest)) = std::thread::scope(|scope| {
        let bystander = scope.spawn(|| stand_by(&target, &people.bystander, &findings, &is_over));
        scope.spawn(|| pauses::make_pauses(&target, &people.bystander, is_long, &findings));
        let over = Over(&is_over);
        let before_mb = attack(&target, &people, &calls, &mut size, &findings);
        drop(over);
        (before_mb, bystander.join().expect("the bystander"))
    });
    println!("meanwhile another customer was served {served} times, after {} ms at most", longest.as_millis());
    findings.during("memory is given back", || memory_is_given_back(&target, before_mb, &findings));
    target.shop.ledger_adds_up();
    if !target.is_alive() {
        findings.add("the server is gone", "", "");
    }
    let found = findings.lines();
    println!("{} requests, {} findings", findings.requests.load(Ordering::Relaxed), found.len());
    for line in found
        .iter()
        .chain(&target.causes().iter().map(|cause| format!("the server's log: {cause}")).collect::<Vec<_>>())
    {
        println!("{line}");
    }
    assert!(found.is_empty(), "{} findings, listed above", found.len());
}

/// Stops the bystander, even if an attack panics.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns the server's memory, in MB, once every call has been answered.
fn attack(target: &Target, people: &People, calls: &[Call], size: &mut Size, findings: &Findings) -> u64 {
    // First: operators' calls change prices and limits later on, and the owner must still be able to buy.
    findings.during("somebody else's ids", || foreign(target, people, calls, findings));
    findings.during("spellings of paths", || spellings(target, people, calls, size, findings));
    findings.during("compressed bodies", || compressed(target, people, calls, size, findings));
    findings.during("bodies that are no request", || bodies(target, people, calls, size, findings));
    findings.during("uploads", || uploads(target, people, calls, size, findings));
    findings.during("slow passwords and large pictures", || costly::costly(target, people, findings));
    findings.during("absurd values", || absurd(target, people, calls, size, findings));
    std::thread::sleep(AT_REST);
    let before_mb = target.memory_mb();
    findings.during("lists", || lists(target, people, calls, size, findings));
    findings.during("two at once", || twice(target, people, calls, findings));
    findings.during("forged callbacks", || forged(target, size, findings));
    findings.during("the largest answers, unread", || unread::largest_answers(target, people, findings));
    findings.during("slow senders", || slow_senders(target, people, size, findings));
    findings
        .during("by the description", || described::keep_to_the_description(target, people, size.is_long, findings));
    before_mb
}

/// A user who may make a call.
fn user_of<'a>(people: &'a People, call: &Call) -> Option<&'a Customer> {
    match (call.needs_token, call.is_for_operators) {
        (false, _) => None,
        (true, false) => Some(&people.customer),
        (true, true) => Some(&people.operator),
    }
}

fn token_for(target: &Target, people: &People, call: &Call) -> String {
    user_of(people, call).map(|user| target.token_of(user)).unwrap_or_default()
}

/// Whether the call was admitted.
fn is_let_in(answer: &Answer) -> bool {
    answer.code.is_some_and(|code| ![3001, 3003, 3004].contains(&code)) && answer.status < 400
}

/// No spelling of a path admits a user who is refused at the plain one, and the plain one behaves as documented.
fn spellings(target: &Target, people: &People, calls: &[Call], size: &mut Size, findings: &Findings) {
    let everybody = [
        ("nobody", None),
        ("a customer", Some(&people.customer)),
        ("a reseller", Some(&people.reseller)),
        ("an operator", Some(&people.operator)),
        ("a suspended customer", Some(&people.suspended)),
    ];
    let mut tries = Vec::new();
    for call in calls {
        for (name, who) in everybody {
            let token = who.map(|who| target.token_of(who)).unwrap_or_default();
            let plain = send_as(target, &call.method, &call.path(), &token);
            findings.judge(&call.name, name, &plain);
            let is_meant = !call.needs_token || (who.is_some() && (!call.is_for_operators || name == "an operator"));
            if is_let_in(&plain) && !is_meant {
                findings.add("open to whom it is not meant for", &call.name, &format!("{name}: {}", plain.short()));
            }
            if !is_let_in(&plain) {
                let all = paths::spellings(&call.name, size.is_long, &mut size.random);
                let chosen = size.some(all, 12);
                tries.extend(chosen.into_iter().map(|path| (call, name, token.clone(), path)));
            }
        }
    }
    for_each(&tries, 4, |(call, name, token, path)| {
        let answer = send_as(target, &call.method, path, token);
        findings.judge(&call.name, path, &answer);
        if is_let_in(&answer) {
            findings.add("opened by a spelling", &call.name, &format!("{name}: {path} → {}", answer.short()));
        }
    });
    for call in calls {
        let other = if call.method == "GET" { "POST" } else { "GET" };
        for method in [other, "PUT", "DELETE", "PATCH", "TRACE", "NONSENSE"] {
            let token = token_for(target, people, call);
            let answer = send_as(target, method, &call.path(), &token);
            findings.judge(&call.name, method, &answer);
            if answer.status != 405 {
                findings.add(
                    "a wrong method is not answered 405",
                    &call.name,
                    &format!("{method}: {}", answer.short()),
                );
            }
        }
    }
}

fn send_as(target: &Target, method: &str, path: &str, token: &str) -> Answer {
    let from = target.another_sender();
    send(target.server, &Request { method, path, token, from, headers: &[], body: b"{}" })
}

/// A compressed body is refused before it is read, on every route.
fn compressed(target: &Target, people: &People, calls: &[Call], size: &mut Size, findings: &Findings) {
    let mut tries = Vec::new();
    let all = values::compressed();
    let posted = calls.iter().filter(|call| call.method == "POST");
    let routes = posted.map(|call| (call.path(), token_for(target, people, call)));
    for (path, token) in routes.chain(OTHER_ROUTES.iter().map(|path| ((*path).to_owned(), String::new()))) {
        let chosen = size.some((0..all.len()).collect(), 3);
        tries.extend(chosen.into_iter().map(|index| (path.clone(), token.clone(), index)));
    }
    for_each(&tries, 4, |(path, token, index)| {
        let (encoding, body) = &all[*index];
        let answer = target.post(path, token, &[("Content-Encoding", encoding)], body);
        findings.judge(path, encoding, &answer);
        if answer.status != 415 {
            findings.add("a compressed body is not answered 415", path, &format!("{encoding}: {}", answer.short()));
        }
    });
}

fn bodies(target: &Target, people: &People, calls: &[Call], size: &mut Size, findings: &Findings) {
    let all = values::bodies();
    let mut tries = Vec::new();
    let posted = calls.iter().filter(|call| call.method == "POST");
    let routes = posted.map(|call| (call.path(), token_for(target, people, call)));
    for (path, token) in routes.chain(OTHER_ROUTES.iter().map(|path| ((*path).to_owned(), String::new()))) {
        let chosen = size.some((0..all.len()).collect(), 8);
        tries.extend(chosen.into_iter().map(|index| (path.clone(), token.clone(), index)));
    }
    for_each(&tries, 4, |(path, token, index)| {
        let body = &all[*index];
        let answer = target.post(path, token, &[], body);
        let sent: String = String::from_utf8_lossy(body).chars().take(60).collect();
        findings.judge(path, &format!("{} bytes: {sent}", body.len()), &answer);
    });
}

/// Sends malformed forms, and files of false types, to every upload call.
fn uploads(target: &Target, people: &People, calls: &[Call], size: &mut Size, findings: &Findings) {
    let mut tries = Vec::new();
    for call in calls.iter().filter(|call| call.is_upload) {
        let forms = size.some(uploads::forms(), 30);
        tries.extend(forms.into_iter().map(|form| (call, token_for(target, people, call), form)));
    }
    assert!(!tries.is_empty(), "no call takes a file");
    for_each(&tries, 4, |(call, token, form)| {
        let answer = target.post(&call.path(), token, &[("Content-Type", &form.kind)], &form.body);
        findings.judge(&call.name, form.name, &answer);
    });
}

/// Sends values that no form would send in every field of every call.
fn absurd(target: &Target, people: &People, calls: &[Call], size: &mut Size, findings: &Findings) {
    let mut tries = Vec::new();
    for call in calls.iter().filter(|call| call.method == "POST") {
        let token = token_for(target, people, call);
        for field in &call.fields {
            let values = size.some(values::absurd(field.is_list), if field.is_list { 20 } else { 7 });
            tries.extend(values.into_iter().map(|value| (call, token.clone(), field, value)));
        }
    }
    for_each(&tries, 4, |(call, token, field, value)| {
        let answer = target.post(&call.path(), token, &[], call.body_with(field, value).as_bytes());
        let sent: String = value.chars().take(60).collect();
        findings.judge(&call.name, &format!("{}: {sent} ({} bytes)", field.way.join("."), value.len()), &answer);
    });
}

fn lists(target: &Target, people: &People, calls: &[Call], size: &mut Size, findings: &Findings) {
    let mut tries = Vec::new();
    for call in calls.iter().filter(|call| call.is_list()) {
        let token = token_for(target, people, call);
        let bodies = size.some(values::list_bodies(&call.words), 25);
        tries.extend(bodies.into_iter().map(|body| (call, token.clone(), body)));
    }
    for_each(&tries, 4, |(call, token, body)| {
        let answer = target.post(&call.path(), token, &[], body.as_bytes());
        findings.judge(&call.name, body, &answer);
    });
}

/// Uses the owner's ids in every call as another user: nothing is returned or changed.
fn foreign(target: &Target, people: &People, calls: &[Call], findings: &Findings) {
    let list = target.list_of(&people.owner);
    let first = |call: &str, field: &str| {
        let rows = target.post(&format!("/api/{call}"), &people.owner.token, &[], b"{}").data();
        let row = rows.get("Rows").unwrap_or(&rows)[0].clone();
        row.get(field).cloned().unwrap_or(Value::Null)
    };
    let make = |call: &str, body: Value, field: &str| {
        let made = target.post(&format!("/api/{call}"), &people.owner.token, &[], body.to_string().as_bytes());
        made.data().get(field).cloned().unwrap_or(Value::Null)
    };
    let tier = shop::REGULAR;
    let order = json!({"VerStr": tier, "PeriodDays": 30, "Lines": [{"Country": "DE", "City": "frankfurt", "Quantity": 1}], "ExpectedTotal": "5.00"});
    let node_id = &list["Rows"][0]["NodeId"];
    let ids = [
        ("NodeIds", json!([node_id])),
        ("NodeId", node_id.clone()),
        ("NewNodeId", list["Rows"][1]["NodeId"].clone()),
        ("GroupId", make("Ips/AddUserPlanGroup", json!({"Name": "The owner's own group"}), "GroupId")),
        (
            "WhiteIds",
            json!([make(
                "Ips/AddWhiteList",
                json!({"VerStr": tier, "Address": "8.8.8.8", "Label": "The owner's own door"}),
                "WhiteId"
            )]),
        ),
        ("OrderId", make("Order/CreateOrder", order, "OrderId")),
        ("OrderNumber", first("Order/GetOrderList", "OrderNumber")),
        ("InvoiceNumber", first("Billing/GetInvoiceList", "InvoiceNumber")),
        (
            "PaymentId",
            make("Wallet/CreateTopUp", json!({"Amount": "100", "PaymentMethod": "sandbox"}), "Payment")["PaymentId"]
                .clone(),
        ),
        ("CardRequestId", make("Wallet/RememberCard", json!({"PaymentMethod": "sandbox"}), "CardRequestId")),
        ("AccountId", people.owner.account_id.into()),
    ];
    let missing: Vec<_> =
        ids.iter().filter(|(_, id)| id.is_null() || *id == json!([null])).map(|(name, _)| *name).collect();
    if !missing.is_empty() {
        findings.add("the owner cannot get what is to be attacked", &missing.join(", "), "");
        return;
    }
    let secrets: Vec<String> = ["UserName", "Password", "Ip"]
        .iter()
        .filter_map(|field| list["Rows"][0][*field].as_str())
        .chain(["The owner's own", "8.8.8.8", &people.owner.email])
        .map(str::to_owned)
        .collect();
    let before = everything_of(target, calls, &people.owner);
    for call in calls.iter().filter(|call| call.needs_token && !call.fields.is_empty()) {
        let mut body = call.example.clone();
        let mut names_one = false;
        for (name, id) in ids.iter().filter(|(name, _)| call.fields.iter().any(|field| field.way == [*name])) {
            body[*name] = id.clone();
            names_one = true;
        }
        if !names_one {
            continue;
        }
        for (name, who) in [("another customer", &people.customer), ("a reseller", &people.reseller)] {
            let answer = target.post(&call.path(), &target.token_of(who), &[], body.to_string().as_bytes());
            findings.judge(&call.name, name, &answer);
            let told = secrets.iter().find(|secret| answer.text.contains(*secret));
            if let Some(secret) = told {
                findings.add("tells of somebody else's", &call.name, &format!("{secret}: {}", answer.short()));
            }
        }
        let after = everything_of(target, calls, &people.owner);
        if after != before {
            findings.add("changed somebody else's", &call.name, &body.to_string());
        }
    }
}

/// Everything the owner can read without ids.
fn everything_of(target: &Target, calls: &[Call], owner: &Customer) -> Vec<Value> {
    let names = [
        "Ips/GetUserNodeList",
        "Ips/GetUserPlanGroupList",
        "Ips/GetMyWhiteList",
        "Ips/GetUserVerPlan",
        "User/GetWallet",
    ];
    let names = names.iter().chain(&["Wallet/GetAutoTopUp", "Billing/GetInvoiceList", "User/GetAccountDetails"]);
    let known = names.filter(|name| calls.iter().any(|call| call.name == **name));
    known.map(|name| target.post(&format!("/api/{name}"), &owner.token, &[], b"{}").data()).collect()
}

/// Sends the same request twice concurrently, with and without an idempotency key: both are answered, and identically with a key.
fn twice(target: &Target, people: &People, calls: &[Call], findings: &Findings) {
    for call in calls.iter().filter(|call| call.is_once) {
        let token = token_for(target, people, call);
        let body = call.example.to_string();
        for round in 0..3 {
            let key = format!("{}-{round}", call.name.replace('/', "-"));
            let with_key = [("Idempotency-Key", key.as_str())];
            for headers in [&with_key[..], &[]] {
                let answers: Vec<Answer> = std::thread::scope(|scope| {
                    let both =
                        [0, 1].map(|_| scope.spawn(|| target.post(&call.path(), &token, headers, body.as_bytes())));
                    both.map(|one| one.join().expect("an answer")).into()
                });
                answers.iter().for_each(|answer| findings.judge(&call.name, &body, answer));
                if !headers.is_empty() && answers[0].text != answers[1].text && answers.iter().all(is_done) {
                    let both = format!("{} and {}", answers[0].short(), answers[1].short());
                    findings.add("one key was answered in two ways", &call.name, &both);
                }
            }
        }
    }
}

fn is_done(answer: &Answer) -> bool {
    answer.code == Some(1000)
}

/// Forged callbacks: refused or dropped, and not stored in full.
fn forged(target: &Target, size: &Size, findings: &Findings) {
    let before = target.database_mb();
    let large = format!("{{\"id\":\"{}\"}}", "x".repeat(60_000));
    let too_large = "x".repeat(70_000);
    let tries: Vec<usize> = (0..size.many(300, 4_000)).collect();
    for_each(&tries, 8, |number| {
        let gateway = ["sandbox", "stripe", "btcpay", "epay", "transfer", "nobody"][number % 6];
        let signature = [("Stripe-Signature", "t=1,v1=00"), ("Sandbox-Signature", "00"), ("BTCPay-Sig", "sha256=00")];
        let body = if number % 10 == 9 { &too_large } else { &large };
        // Half of them come from one sender.
        let from = if number % 2 == 0 { 7 } else { target.another_sender() };
        let path = format!("/gateway/callback/{gateway}");
        let request =
            Request { method: "POST", path: &path, token: "", from, headers: &signature, body: body.as_bytes() };
        let answer = send(target.server, &request);
        findings.judge(&path, "a forged callback", &answer);
        if body.len() > 65_536 && answer.status < 400 {
            findings.add("a callback of more than 64 KB is taken", &path, &answer.short());
        }
    });
    let grown = target.database_mb().saturating_sub(before);
    println!("  the database grew by {grown} MB");
    if grown > FLOOD_MB {
        findings.add("forged callbacks fill the disk", "", &format!("{} of them left {grown} MB", tries.len()));
    }
}

/// Slow senders and readers: they are disconnected, and others are served.
fn slow_senders(target: &Target, people: &People, size: &Size, findings: &Findings) {
    let count = size.many(150, 1_200);
    let token = target.token_of(&people.owner);
    let mut slow = Vec::new();
    for (how, count) in [(Slowness::Head, count), (Slowness::Body, count), (Slowness::Reader, count / 3)] {
        slow.extend(slow::connect(target, how, count, &token));
    }
    findings.requests.fetch_add(slow.len() as u64, Ordering::Relaxed);
    let answer = target.get("/health/ready");
    findings.judge("/health/ready", "while many take their time", &answer);
    let held = slow::hold(&mut slow, Duration::from_secs(size.many(30, 60) as u64));
    if held > 0 {
        findings.add(
            "slow senders are held on to",
            "",
            &format!("{held} of {count} heads and {count} bodies after the time"),
        );
    }
}

fn memory_is_given_back(target: &Target, before_mb: u64, findings: &Findings) {
    let (begin, most) = (Instant::now(), target.memory_mb());
    std::thread::sleep(QUIET_AGAIN);
    let (now, seconds) = (target.memory_mb(), begin.elapsed().as_secs());
    println!("  memory: {before_mb} MB before, {most} MB at the end, {now} MB {seconds} s later");
    if now > before_mb + KEPT_MB {
        findings.add("memory is not given back", "", &format!("{before_mb} MB before, {now} MB {seconds} s after"));
    }
    let idle = target.resident_mb();
    println!("  with code: {idle} MB");
    if idle > IDLE_MB && !cfg!(debug_assertions) {
        findings.add("an idle server is too large", "", &format!("{idle} MB"));
    }
}
