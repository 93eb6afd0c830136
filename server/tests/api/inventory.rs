//! Inventory files: imported as a whole or not at all, and exported.
use crate::carriers::Carrier;
use crate::shop::{REGULAR, Shop};
use postern_server::audit::Actor;
use postern_server::db::prelude::*;
use postern_server::inventory::{Retired, Source, export, import, in_words, retire};
use postern_server::schema::nodes;
use serde_json::{Value, json};
use std::path::PathBuf;

const HEADER: &str = "ip,http_port,socks5_port,country,city,isp,asn,ver_str,supplier,cost";

fn line(ip: &str, city: &str) -> String {
    format!("{ip},8000,1080,US,{city},Northlight Fiber,64500,{REGULAR},Acme,1.20")
}

struct File(PathBuf);

impl File {
    fn of(lines: &[String]) -> File {
        let name = format!("postern-inventory-{}-{:?}", std::process::id(), std::thread::current().id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, format!("{HEADER}\n{}\n", lines.join("\n"))).expect("a file");
        File(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn load(shop: &Shop, file: &File, is_dry_run: bool) -> (usize, Vec<String>) {
    let source = Source::Path(&file.0);
    let found = import(&shop.app, &source, is_dry_run, &Actor::command(), &mut |_| {}).expect("an import");
    (found.nodes, found.wrong.iter().map(|cell| in_words(&shop.app, cell)).collect())
}

#[actix_web::test]
async fn a_valid_file_is_imported_and_exported_unchanged() {
    let shop = Shop::open();
    let file = File::of(&[line("198.18.200.1", "new-york"), line("2001:db8::7", "Dallas")]);
    assert_eq!(load(&shop, &file, true), (2, vec![]));
    assert_eq!(shop.nodes_in_state("available"), 0, "a dry run writes nothing");
    assert_eq!(load(&shop, &file, false), (2, vec![]));
    let customer = shop.customer(0);
    let stock = shop.call(&customer, "Ips/GetServerNodeInventory", json!({})).await;
    assert_eq!(stock.data.as_array().map(Vec::len), Some(2), "{stock:?}");

    let mut out = Vec::new();
    assert_eq!(export(&shop.app, &mut out).expect("an export"), 2);
    let text = String::from_utf8(out).expect("UTF-8");
    assert!(text.starts_with("\u{feff}ip,"), "Excel needs the mark");
    assert!(
        text.contains(&format!(
            "2001:db8::7,8000,1080,US,dallas,Northlight Fiber,64500,{REGULAR},,Acme,1.20,,available"
        )),
        "{text}"
    );
    let other = Shop::open();
    std::fs::write(&file.0, &text).expect("a file");
    assert_eq!(load(&other, &file, false), (2, vec![]), "what export writes, import reads");
}

#[actix_web::test]
async fn a_node_may_have_http_alone_and_belong_to_a_server() {
    let shop = Shop::open();
    Carrier::registers(&shop, "isp-1", "static").await;
    Carrier::registers(&shop, "pool", "residential").await;
    let file = File::of(&[]);
    let header = "ip,http_port,country,city,isp,asn,ver_str,server";
    let row = |ip: &str, server: &str| format!("{ip},8000,US,dallas,Northlight Fiber,64500,{REGULAR},{server}");
    std::fs::write(&file.0, [header, &row("198.18.200.1", "pool"), &row("198.18.200.2", "isp-2")].join("\n"))
        .expect("a file");
    let (_, wrong) = load(&shop, &file, false);
    assert!(wrong.len() == 2 && wrong.iter().all(|line| line.contains("server: There is no")), "{wrong:?}");
    std::fs::write(&file.0, [header, &row("198.18.200.1", ""), &row("198.18.200.2", "isp-1")].join("\n"))
        .expect("a file");
    assert_eq!(load(&shop, &file, false), (2, vec![]));
    let mut out = Vec::new();
    export(&shop.app, &mut out).expect("an export");
    let text = String::from_utf8(out).expect("UTF-8");
    for line in ["198.18.200.1,8000,,US,dallas", ",,,0.00,,available", ",,,0.00,isp-1,available"] {
        assert!(text.contains(line), "{text}");
    }
}

#[actix_web::test]
async fn a_node_without_socks5_is_exported_with_its_http_port() {
    let shop = Shop::open();
    let owner = shop.owner_of(1, 0).await;
    let without = nodes::socks5_port.eq(None::<i32>);
    let updated = shop.app.db.write_blocking(|conn| Ok(diesel::update(nodes::table).set(without).execute(conn)?));
    assert_eq!(updated.ok(), Some(1));
    let node = shop.nodes_of(&owner).await.remove(0);
    assert_eq!((&node["Socks5Port"], &node["Protocols"]), (&Value::Null, &json!(["http"])));
    let export = json!({"NodeIds": [node["NodeId"]], "Format": "txt", "EndpointFormat": "url", "Protocol": "socks5"});
    let lines = shop.download(&owner, "Ips/ExportNodes", export).await;
    assert!(lines.starts_with("http://"), "{lines}");
}

#[actix_web::test]
async fn a_file_with_invalid_lines_reports_each_and_changes_nothing() {
    let shop = Shop::open();
    let first = File::of(&[line("198.18.201.1", "new-york")]);
    assert_eq!(load(&shop, &first, false).0, 1);
    drop(first);
    let file = File::of(&[
        line("198.18.201.2", "new-york"),
        line("198.18.201.2", "new-york"),
        line("198.18.201.1", "new-york"),
        line("198.18.201.300", "atlantis"),
        "198.18.201.9,8000".to_owned(),
    ]);
    let (_, wrong) = load(&shop, &file, false);
    let begins = |text: &str| wrong.iter().filter(|line| line.starts_with(text)).count();
    assert_eq!((begins("line 2"), begins("line 3, ip"), begins("line 4, ip")), (0, 1, 1), "{wrong:?}");
    assert_eq!((begins("line 5, ip"), begins("line 5, city")), (1, 1), "{wrong:?}");
    assert!(begins("line 6") >= 4, "{wrong:?}");
    assert_eq!(shop.nodes_in_state("available"), 1, "not even the good line");
    std::fs::write(&file.0, "\nip,port\n198.18.201.1,80\n").expect("a file");
    let (_, wrong) = load(&shop, &file, false);
    assert!(
        wrong.len() == 1 && wrong[0].starts_with("line 2, line: Unknown column: port. The columns are ip, "),
        "{wrong:?}"
    );
    std::fs::write(&file.0, "ip,cost\n").expect("a file");
    let (_, wrong) = load(&shop, &file, false);
    assert!(wrong.len() == 1 && wrong[0].contains("ip, http_port, country, city"), "{wrong:?}");
}

#[actix_web::test]
async fn files_of_spreadsheets_are_read_and_their_lines_are_counted_right() {
    let shop = Shop::open();
    let good = line("198.18.203.1", "New York").replace(",US,", ",USA,").replace(",64500,", ",AS 64500,");
    let bad = line("198.18.203.999", "dallas");
    for end in ["\n", "\r\n", "\r"] {
        let file = File::of(&[]);
        let write = |lines: &[&str]| std::fs::write(&file.0, lines.join(end)).expect("a file");
        let separated =
            |with: &str| [HEADER, good.as_str(), "", ",,,,,,,,,", bad.as_str()].map(|line| line.replace(',', with));
        write(&[HEADER, &bad]);
        assert!(load(&shop, &file, true).1[0].starts_with("line 2, ip"), "{end:?}");
        for (with, first) in
            [(",", None), (";", None), ("\t", None), ("|", None), (";", Some("sep=;")), (",", Some("\u{feff}sep=,"))]
        {
            let lines = separated(with);
            let lines: Vec<&str> = first.into_iter().chain(lines.iter().map(String::as_str)).collect();
            write(&lines);
            let (nodes, wrong) = load(&shop, &file, true);
            let begins = format!("line {}, ip: ", lines.len());
            assert!(nodes == 1 && wrong.len() == 1 && wrong[0].starts_with(&begins), "{with:?} {end:?}: {wrong:?}");
        }
    }
    let file = File::of(&[good.replace("Northlight", "North\u{202e}light")]);
    let (_, wrong) = load(&shop, &file, true);
    assert!(wrong.len() == 1 && wrong[0].starts_with("line 2, isp: "), "{wrong:?}");
    let latin: Vec<u8> = [HEADER.as_bytes(), b"\r\n\r\n", good.as_bytes(), b"\r\nM\xfcnchen"].concat();
    std::fs::write(&file.0, latin).expect("a file");
    assert_eq!(load(&shop, &file, true).1, ["line 4, line: This line is not UTF-8"]);
}

#[actix_web::test]
async fn unreachable_addresses_are_refused_and_in_production_example_ones_too() {
    let production = [("POSTERN_ENV", "production"), ("POSTERN_PUBLIC_URL", "https://shop.example")];
    let unreachable = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "192.168.1.1", "::1", "fe80::1", "224.0.0.1"];
    let examples = ["198.18.202.1", "203.0.113.9", "2001:db8::9"];
    for (settings, examples_are_refused) in [(&[][..], false), (&production[..], true)] {
        let shop = Shop::open_with(settings);
        let all = unreachable.iter().chain(&examples).chain(&["8.8.8.8"]);
        let file = File::of(&all.map(|ip| line(ip, "new-york")).collect::<Vec<_>>());
        let (_, wrong) = load(&shop, &file, false);
        let count = unreachable.len() + if examples_are_refused { examples.len() } else { 0 };
        assert_eq!(wrong.len(), count, "{wrong:?}");
        for (index, problem) in wrong.iter().enumerate() {
            let begins = format!("line {}, ip: This address cannot be reached", index + 2);
            assert!(problem.starts_with(&begins), "{problem}");
        }
        assert_eq!(shop.nodes_in_state("available"), 0);
        drop(file);
        assert_eq!(load(&shop, &File::of(&[line("8.8.8.8", "new-york")]), false), (1, vec![]));
    }
}

#[actix_web::test]
async fn a_broken_last_line_leaves_the_inventory_unchanged() {
    let shop = Shop::open();
    let mut lines: Vec<String> =
        (0..4_000).map(|index| line(&format!("198.19.{}.{}", index / 250, index % 250 + 1), "new-york")).collect();
    lines.push(line("198.19.100.1", "nowhere"));
    let file = File::of(&lines);
    let (nodes, wrong) = load(&shop, &file, false);
    assert_eq!((nodes, wrong.len(), shop.nodes_in_state("available")), (4_000, 1, 0));
    assert!(wrong[0].starts_with("line 4002, city"), "{wrong:?}");
    lines.pop();
    drop(file);
    assert_eq!(load(&shop, &File::of(&lines), false), (4_000, vec![]));
    assert_eq!(shop.nodes_in_state("available"), 4_000);
    // Numbering continues after the file's nodes.
    shop.stock("US", "new-york", 1);
}

#[actix_web::test]
async fn of_two_imports_of_a_file_at_once_one_finds_the_addresses_of_the_other() {
    let shop = Shop::open();
    let lines: Vec<String> = (1..=200).map(|last| line(&format!("198.18.210.{last}"), "new-york")).collect();
    let file = File::of(&lines);
    let imports = |_| {
        let (app, path) = (shop.app.clone(), file.0.clone());
        std::thread::spawn(move || import(&app, &Source::Path(&path), false, &Actor::command(), &mut |_| {}))
    };
    let running: Vec<_> = (0..4).map(imports).collect();
    let done = running.into_iter().map(|one| one.join().expect("a thread").expect("an answer"));
    let (good, other): (Vec<_>, Vec<_>) = done.partition(|found| found.wrong_cells == 0);
    assert_eq!((good.len(), other.len()), (1, 3));
    assert!(other.iter().all(|found| found.wrong_cells == 200));
    assert_eq!(shop.nodes_in_state("available"), 200);
}

#[actix_web::test]
async fn nodes_of_customers_are_not_retired() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    shop.stock("DE", "frankfurt", 1);
    let owned = shop.nodes_of(&customer).await[0]["Ip"].as_str().unwrap_or_default().to_owned();
    let mut out = Vec::new();
    export(&shop.app, &mut out).expect("an export");
    let text = String::from_utf8(out).expect("UTF-8");
    let free = text.lines().find(|line| line.contains("frankfurt")).and_then(|line| line.split(',').next());
    let free = free.unwrap_or_default().to_owned();
    let done = retire(&shop.app, &[owned.clone(), free, "203.0.113.1".to_owned()]).expect("an answer");
    assert_eq!(done, Retired { retired: 1, left: vec![owned, "203.0.113.1".to_owned()] });
    assert_eq!((shop.nodes_in_state("assigned"), shop.nodes_in_state("retired")), (1, 1));
}
