//! Files about money: the orders as a list, and the documents of a month as one file.
use crate::invoices::{documents, read_pdf};
use crate::shop::{Shop, order_for};
use serde_json::{Value, json};
use std::io::{Cursor, Read};
use zip::ZipArchive;

fn names(file: &[u8]) -> Vec<String> {
    let archive = ZipArchive::new(Cursor::new(file)).expect("a ZIP file");
    archive.file_names().map(|name| name.expect("a name").into_owned()).collect()
}

#[actix_web::test]
async fn the_documents_of_a_month_are_one_file() {
    let shop = Shop::open();
    // More documents than a page of the list has.
    let customer = shop.owner_of(30, 10_000).await;
    let other = shop.owner_of(1, 0).await;
    let node_id = shop.nodes_of(&customer).await[0]["NodeId"].clone();
    shop.call(&customer, "Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [node_id], "Reason": "slow"})).await;
    let own = documents(&shop, &customer).await;
    let month = |from: &str, to: &str| json!({"StartTime": from, "EndTime": to});
    let now = shop.app.clock.now();
    let (first, last) = (now - chrono::TimeDelta::days(15), now + chrono::TimeDelta::days(15));
    let wire = |time: chrono::NaiveDateTime| time.format("%Y-%m-%d %H:%M:%S").to_string();
    let this = month(&wire(first), &wire(last));
    let file = shop.download_bytes(&customer, "Billing/ExportInvoices", this.clone()).await;
    let mut found = names(&file);
    found.sort();
    let mut expected: Vec<String> =
        own.iter().map(|row| format!("{}.pdf", row["InvoiceNumber"].as_str().unwrap_or_default())).collect();
    expected.sort();
    assert_eq!(found, expected);
    let mut archive = ZipArchive::new(Cursor::new(&file[..])).expect("a ZIP file");
    for row in &own {
        let number = row["InvoiceNumber"].as_str().unwrap_or_default();
        let mut printed = Vec::new();
        archive.by_name(&format!("{number}.pdf")).expect("a document").read_to_end(&mut printed).expect("bytes");
        assert!(read_pdf(&printed).0.contains(number), "{number}");
        let alone = json!({"InvoiceNumber": number});
        assert_eq!(printed.len(), shop.download_bytes(&customer, "Billing/GetInvoicePdf", alone).await.len());
    }
    // The second in which one was issued is a range.
    let at = &own[0]["IssuedAt"];
    let second = json!({"StartTime": at, "EndTime": at});
    let first = format!("{}.pdf", own[0]["InvoiceNumber"].as_str().unwrap_or_default());
    assert!(names(&shop.download_bytes(&customer, "Billing/ExportInvoices", second).await).contains(&first));
    let theirs = names(&shop.download_bytes(&other, "Billing/ExportInvoices", this.clone()).await);
    assert!(theirs.len() == 1 && !found.contains(&theirs[0]), "{theirs:?}");
    let credit_notes =
        json!({"StartTime": this["StartTime"], "EndTime": this["EndTime"], "Filter": {"Kind": "credit_note"}});
    let none = shop.call(&customer, "Billing/ExportInvoices", credit_notes).await;
    assert_eq!((none.code, &none.data["Key"]), (3333, &json!("noInvoices")));
}

#[actix_web::test]
async fn a_file_of_documents_is_of_a_month_at_most() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let fields = async |body: Value| {
        let answer = shop.call(&customer, "Billing/ExportInvoices", body).await;
        assert_eq!(answer.code, 2001, "{answer:?}");
        answer.data["Fields"].clone()
    };
    let missing = fields(json!({})).await;
    assert_eq!(
        (&missing["StartTime"][0]["Rule"], &missing["EndTime"][0]["Rule"]),
        (&json!("required"), &json!("required"))
    );
    let long = fields(json!({"StartTime": "2026-01-01 00:00:00", "EndTime": "2026-02-28 23:59:59"})).await;
    assert_eq!(long["EndTime"][0], json!({"Rule": "tooLongRange", "Params": {"Max": "31"}}));
    let reversed = fields(json!({"StartTime": "2026-02-01 00:00:00", "EndTime": "2026-01-01 00:00:00"})).await;
    assert_eq!(reversed["EndTime"][0]["Rule"], "endsBeforeItBegins");
    // October in a time zone whose clocks are turned back in it.
    let october = json!({"StartTime": "2026-09-30 22:00:00", "EndTime": "2026-10-31 22:59:59"});
    assert_eq!(shop.call(&customer, "Billing/ExportInvoices", october).await.code, 3333);
}

#[actix_web::test]
async fn orders_are_a_file_with_the_filters_of_the_list() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 1_000).await;
    shop.stock("US", "new-york", 2);
    shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": "12,50", "PaymentMethod": "sandbox"})).await;
    let file = shop.download(&customer, "Order/ExportOrders", json!({})).await;
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines.len(), 4, "{file}");
    assert!(lines[1].contains(",purchase,fulfilled,2,shared ISP proxies plan,30,10.00,0.00,10.00,0.00,USD,"), "{file}");
    assert!(lines[2].contains(",purchase,unpaid,1,") && lines[2].ends_with(",USD,"), "{file}");
    assert!(lines[3].contains(",top_up,unpaid,") && lines[3].contains(",12.50,"), "a decimal comma is read: {file}");
    for (filter, count) in [
        (json!({"Filter": {"State": "unpaid"}}), 3),
        (json!({"Filter": {"Kind": "top_up"}}), 2),
        (json!({"Filter": {"Kind": "top_up", "State": "fulfilled"}}), 1),
        (json!({"EndTime": "2020-01-01 00:00:00"}), 1),
    ] {
        let narrowed = shop.download(&customer, "Order/ExportOrders", filter.clone()).await;
        assert_eq!(narrowed.lines().count(), count, "{filter}: {narrowed}");
    }
    assert_eq!(shop.call(&customer, "Order/ExportOrders", json!({"Filter": {"Stat": "x"}})).await.code, 2002);
}

#[actix_web::test]
async fn an_amount_with_a_comma_is_read_and_thousands_are_not_guessed_at() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for (typed, code) in [("12,50", 1000), ("1,000", 2001), ("1.000,00", 2001), ("1 000", 2001), ("12,5,0", 2001)] {
        let top_up = json!({"Amount": typed, "PaymentMethod": "sandbox"});
        assert_eq!(shop.call(&customer, "Wallet/CreateTopUp", top_up).await.code, code, "{typed}");
    }
    let orders = shop.call(&customer, "Order/GetOrderList", json!({})).await;
    assert_eq!(orders.data["Rows"][0]["Total"], "12.50");
}
