//! Torture test: 200 clients go through two gates while their proxy users, limits and passwords change, and while the gates and the shop are killed
//! and started again, and its PostgreSQL server is stopped for a minute. Nobody without a right gets through later than 5 seconds after the change, nobody with one is refused for longer than the restart,
//! and the shop has counted what was carried, less the last second of each killed gate.
//!
//! It is run by `make torture`, which sets `TORTURE_SHOP` (the command `postern`) and `TORTURE_SECONDS`; `TORTURE_SEED` repeats the random choices.
mod api;
mod client;
mod origin;
mod processes;
mod rights;

use api::Api;
use client::{Carried, Client};
use processes::{Database, Process, free_port, gate_command, shop_command};
use rights::{Right, Up, World};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::time::sleep;

const CLIENTS: usize = 200;

const DATABASE_STOPPED: Duration = Duration::from_secs(60);

/// What a killed gate may lose: the bytes since it last wrote them to disk, which it does every second, and the time that this takes.
const LOST: Duration = Duration::from_millis(1_500);

fn setting(name: &str, fallback: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(fallback)
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rights_and_bytes_are_kept_while_gates_and_the_shop_are_killed() {
    let Ok(binary) = std::env::var("TORTURE_SHOP") else {
        return eprintln!("not run without TORTURE_SHOP");
    };
    let (length, seed) = (setting("TORTURE_SECONDS", 30), setting("TORTURE_SEED", u64::from(std::process::id())));
    println!("seed {seed}");
    let folder = std::env::temp_dir().join(format!("postern-gate-torture-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    run(&PathBuf::from(binary), &folder, Duration::from_secs(length), Random(seed)).await;
    std::fs::remove_dir_all(&folder).expect("removed");
}

async fn run(binary: &Path, folder: &Path, length: Duration, mut random: Random) {
    let shop_port = free_port();
    assert!(shop_command(binary, folder, shop_port, "demo").status().expect("a shop").success());
    let (shop_binary, shop_folder) = (binary.to_owned(), folder.to_owned());
    let serve = move || shop_command(&shop_binary, &shop_folder, shop_port, "serve");
    let mut shop = Process::new(format!("127.0.0.1:{shop_port}"), serve);
    shop.start().await;
    let url = format!("http://127.0.0.1:{shop_port}");
    let api = Arc::new(Api::sign_in(&url, folder).await);
    let (origin, at_origin) = origin::start().await;
    let (mut gates, mut addresses) = (Vec::new(), Vec::new());
    for number in 0..2 {
        let (port, folder, url) = (free_port(), folder.to_owned(), url.clone());
        addresses.push(([127, 0, 0, 1], port).into());
        let command = move || gate_command(&folder, number, port, &url, &origin.to_string());
        let mut gate = Process::new(format!("127.0.0.1:{port}"), command);
        gate.start().await;
        gates.push(gate);
    }

    let mut ids = Vec::new();
    let mut rights = Vec::new();
    for user in 0..CLIENTS {
        let password = format!("battery{user}staple");
        let form = json!({ "Name": name(user), "Password": password });
        let added = api.ask("ProxyUsers/AddProxyUser", &form).await;
        ids.push(added["ProxyUser"]["ProxyUserId"].as_i64().expect("an id"));
        let (old_password, since) = (None, Instant::now());
        rights.push(Mutex::new(Right { password, old_password, is_allowed: Some(true), since, version: 0 }));
    }
    let (began, used_before) = (Instant::now(), api.used_bytes().await);
    let up = || Mutex::new(Up { since: Some(began) });
    let world = Arc::new(World {
        rights,
        shop: up(),
        gates: [up(), up()],
        faults: Mutex::default(),
        judged: Mutex::default(),
        cuts: Mutex::default(),
        served_in_grace: AtomicU64::default(),
        end: began + length,
    });
    let carried = Arc::new(Mutex::new(Carried::default()));
    let gate_addresses: [std::net::SocketAddr; 2] = [addresses[0], addresses[1]];
    let mut tasks = Vec::new();
    for user in 0..CLIENTS {
        let client = Client {
            user,
            name: name(user),
            world: world.clone(),
            gates: gate_addresses,
            origin,
            carried: carried.clone(),
            began,
            random: random.below(u64::MAX >> 40) * 2 + 1,
        };
        tasks.push(tokio::spawn(client.live()));
    }
    tasks.push(tokio::spawn(change_rights(api.clone(), world.clone(), ids, Random(random.below(1 << 30)))));

    let mut kills = Vec::new();
    let database = Database::of_the_shop();
    let mut is_database_due = database.is_server();
    while Instant::now() < world.end {
        sleep(Duration::from_millis(4_000 + random.below(10_000))).await;
        if is_database_due && began.elapsed() > length / 3 {
            is_database_due = false;
            *world.shop.lock().expect("a state") = Up::default();
            database.pause();
            sleep(DATABASE_STOPPED.min(length / 3)).await;
            database.resume();
            api.used_bytes().await;
            *world.shop.lock().expect("a state") = Up { since: Some(Instant::now()) };
            println!("the database was stopped: {:?} of {length:?}", began.elapsed());
        }
        let which = usize::try_from(random.below(3)).expect("small");
        let (process, state) = match which {
            2 => (&mut shop, &world.shop),
            gate => (&mut gates[gate], &world.gates[gate]),
        };
        *state.lock().expect("a state") = Up::default();
        process.kill();
        kills.push((which, began.elapsed()));
        sleep(Duration::from_millis(random.below(2_000))).await;
        process.start().await;
        *state.lock().expect("a state") = Up { since: Some(Instant::now()) };
    }
    for task in tasks {
        task.await.expect("a client");
    }
    let counted = settled(&api, folder, used_before).await;
    let carried = carried.lock().expect("the clients' bytes");
    judge(&world, &carried, &kills, at_origin.load(Ordering::Relaxed), counted);
}

fn judge(world: &World, carried: &Carried, kills: &[(usize, Duration)], at_origin: u64, counted: u64) {
    let lost = |window: Duration| -> u64 {
        let of = |(gate, at): &(usize, Duration)| -> u64 {
            let (from, to) = (at.saturating_sub(window).as_millis() / 100, at.as_millis() / 100);
            carried.whole.range((*gate, from)..=(*gate, to)).map(|(_, bytes)| bytes).sum()
        };
        kills.iter().filter(|(which, _)| *which < 2).map(of).sum()
    };
    let whole: u64 = carried.whole.values().sum();
    let (judged, faults) = (*world.judged.lock().expect("numbers"), world.faults.lock().expect("faults"));
    let shops = kills.iter().filter(|(which, _)| *which == 2).count();
    println!("killed: gates {}, the shop {shops}", kills.len() - shops);
    println!("judged: {} attempts with a right, {} without one", judged[1], judged[0]);
    let mut cuts = world.cuts.lock().expect("times").clone();
    cuts.sort_unstable();
    let part = |of: usize| cuts.get((cuts.len() * of / 100).min(cuts.len().saturating_sub(1)));
    println!(
        "{} open tunnels ended after their right: median {:?}, 90 % {:?}, last {:?}",
        cuts.len(),
        part(50),
        part(90),
        part(100)
    );
    println!("served while the shop was down: {}", world.served_in_grace.load(Ordering::Relaxed));
    println!("clients: {whole} bytes whole, at most {} interrupted; origin: {at_origin}", carried.interrupted);
    println!("shop: {counted}, {} fewer than at the origin", i128::from(at_origin) - i128::from(counted));
    println!("carried in the last second of killed gates: {}", lost(Duration::from_secs(1)));
    assert!(faults.is_empty(), "{} faults: {:#?}", faults.len(), &faults[..faults.len().min(20)]);
    assert!(counted <= at_origin + carried.interrupted, "more than was carried");
    assert!(counted + lost(LOST) + carried.interrupted >= at_origin, "less than was carried");
    assert!(judged[0] > 50 && judged[1] > 200, "too few attempts to judge");
    assert!(!kills.is_empty());
}

fn name(user: usize) -> String {
    format!("tortured_{user}")
}

/// Changes what the users may do, as their owner does.
async fn change_rights(api: Arc<Api>, world: Arc<World>, ids: Vec<i64>, mut random: Random) {
    let mut number = 0;
    while Instant::now() < world.end {
        sleep(Duration::from_millis(40 + random.below(120))).await;
        let user = usize::try_from(random.below(CLIENTS as u64)).expect("small");
        let (id, mut right) = (ids[user], world.right(user).clone());
        {
            let mut under_way = world.right(user);
            under_way.is_allowed = None;
            under_way.version += 1;
        }
        number += 1;
        let form = |limit: &str, cycle: &str| {
            json!({ "ProxyUserId": id, "Name": name(user), "Note": "", "LimitGigabytes": limit, "LimitCycle": cycle,
                    "ExpiresAt": "", "Countries": [] })
        };
        match random.below(5) {
            0 | 1 => {
                // Whatever it was before, the user is free now.
                api.ask("ProxyUsers/ResumeProxyUsers", &json!({ "ProxyUserIds": [id] })).await;
                api.ask("ProxyUsers/EditProxyUser", &form("", "none")).await;
                right.is_allowed = Some(true);
            }
            2 => {
                api.ask("ProxyUsers/PauseProxyUsers", &json!({ "ProxyUserIds": [id] })).await;
                right.is_allowed = Some(false);
            }
            3 => {
                let password = format!("battery{user}staple{number}");
                let form = json!({ "ProxyUserId": id, "Password": password, "OldValidMinutes": 0 });
                api.ask("ProxyUsers/ChangeProxyUserPassword", &form).await;
                right.old_password = Some(std::mem::replace(&mut right.password, password));
            }
            _ => {
                let edited = api.ask("ProxyUsers/EditProxyUser", &form("0.001", "month")).await;
                let state = edited["ProxyUser"]["State"].as_str().or(edited["State"].as_str()).unwrap_or_default();
                // Otherwise it depends on its next bytes.
                right.is_allowed = (state == "exhausted" || state == "paused").then_some(false);
            }
        }
        let version = world.right(user).version + 1;
        *world.right(user) = Right { since: Instant::now(), version, ..right };
    }
}

/// Waits until the gates have reported everything and the shop has added it up.
async fn settled(api: &Api, folder: &Path, used_before: u64) -> u64 {
    let waiting = || -> usize {
        let batches = |gate: usize| std::fs::read_dir(folder.join(format!("spool-{gate}/batches"))).expect("a spool");
        (0..2).map(|gate| batches(gate).count()).sum()
    };
    let (mut last, mut quiet) = (0, 0);
    for _ in 0..120 {
        sleep(Duration::from_secs(1)).await;
        let used = api.used_bytes().await - used_before;
        quiet = if used == last && waiting() == 0 { quiet + 1 } else { 0 };
        if quiet >= 8 {
            return used;
        }
        last = used;
    }
    panic!("{} reports are still waiting", waiting());
}
