//! Invoices: issued with the payment, numbered without gaps, visible only to their account.
use crate::pdf_text::PdfText;
use crate::shop::{Customer, Shop, order_for};
use postern_core::invoice::{InvoiceKind, InvoiceLine, InvoiceSnapshot, Party};
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, PaymentMethod};
use postern_core::quote::{Discount, DiscountKind};
use postern_server::db::prelude::*;
use postern_server::error::AppError;
use postern_server::fulfilment::fulfil::pay_from_wallet;
use postern_server::invoices::pdf::print;
use postern_server::invoices::types::{InvoiceDetail, InvoiceView};
use postern_server::ledger::lock_wallet;
use postern_server::order_rows::rows::lock;
use postern_server::schema::invoices;
use serde_json::{Value, json};
use std::sync::Arc;

pub async fn documents(shop: &Shop, customer: &Customer) -> Vec<Value> {
    let list = shop.call(customer, "Billing/GetInvoiceList", json!({"PageSize": 200})).await;
    assert_eq!(list.code, 1000, "{list:?}");
    list.data["Rows"].as_array().cloned().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn invoices_of_other_accounts_are_not_found() {
    let shop = Shop::open();
    let (owner, stranger) = (shop.owner_of(1, 0).await, shop.customer(0));
    let number = documents(&shop, &owner).await[0]["InvoiceNumber"].clone();
    let answer = shop.call(&stranger, "Billing/GetInvoice", json!({"InvoiceNumber": number})).await;
    assert_eq!((answer.code, answer.data), (3004, Value::Null));
    assert!(documents(&shop, &stranger).await.is_empty());
    let operator = shop.operator();
    assert_eq!(shop.call(&operator, "Billing/GetInvoice", json!({"InvoiceNumber": number})).await.code, 1000);
}

#[actix_web::test]
async fn an_unpaid_order_and_a_top_up_get_no_invoice() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(0);
    shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let top_up = json!({"Amount": "100", "PaymentMethod": "sandbox"});
    let started = shop.call(&customer, "Wallet/CreateTopUp", top_up).await;
    shop.post_form(started.data["Payment"]["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    assert_eq!(shop.balance(&customer).await, "100.00");
    assert!(documents(&shop, &customer).await.is_empty());
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_paid_order_has_an_immutable_invoice() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let customer = shop.customer(5_000);
    let details = json!({
        "FirstName": "Ann", "LastName": "Lee", "CompanyName": "Lee Ltd", "Address": "1 High Street",
        "City": "Leeds", "Country": "gb", "PostalCode": "ls1 1aa", "TaxNumber": "gb 123",
    });
    let kept = shop.call(&customer, "User/UpdateAccountDetails", details).await;
    assert_eq!((kept.code, &kept.data["Country"], &kept.data["TaxNumber"]), (1000, &json!("GB"), &json!("GB 123")));
    shop.buys(&customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    shop.call(&customer, "User/UpdateAccountDetails", json!({"CompanyName": "Other"})).await;
    let rows = documents(&shop, &customer).await;
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["Kind"], &rows[0]["Total"]), (&json!("invoice"), &json!("10.00")));
    let year = shop.app.clock.now().format("%Y");
    assert_eq!(rows[0]["InvoiceNumber"], format!("INV-{year}-000001"));
    let answer = shop.call(&customer, "Billing/GetInvoice", json!({"InvoiceNumber": rows[0]["InvoiceNumber"]})).await;
    assert_eq!(
        (&answer.data["Buyer"]["Name"], &answer.data["Buyer"]["TaxNumber"]),
        (&json!("Lee Ltd"), &json!("GB 123"))
    );
    assert_eq!(answer.data["Seller"]["Name"], "Postern");
    assert_eq!((&answer.data["PaymentMethod"], &answer.data["Lines"][0]["Quantity"]), (&json!("wallet"), &json!(2)));
    assert_eq!(
        (&answer.data["Lines"][0]["City"], &answer.data["Lines"][0]["Net"]),
        (&json!("new-york"), &json!("10.00"))
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_invoice_names_the_payment_method() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(0);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "sandbox"});
    let payment = shop.call(&customer, "Order/PayOrder", pay).await.data["Payment"].clone();
    shop.post_form(payment["PayUrl"].as_str().unwrap_or_default(), "action=twice").await;
    let rows = documents(&shop, &customer).await;
    assert_eq!(rows.len(), 1, "two callbacks, one invoice");
    let answer = shop.call(&customer, "Billing/GetInvoice", json!({"InvoiceNumber": rows[0]["InvoiceNumber"]})).await;
    assert_eq!(answer.data["PaymentMethod"], "sandbox");
}

#[actix_web::test]
async fn renewals_and_paid_switches_are_invoiced() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 5_000).await;
    shop.stock("US", "new-york", 1);
    let node_id = shop.nodes_of(&customer).await[0]["NodeId"].clone();
    let renewal = json!({"NodeIds": [node_id], "PeriodDays": 30, "ExpectedTotal": "5.00"});
    let order = shop.call(&customer, "Ips/IpsNoneRenew", renewal).await;
    let paid = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", paid).await.code, 1000);
    let switch = json!({"NodeIds": [node_id], "Reason": "slow"});
    let switched = shop.call(&customer, "Ips/SwitchNodeByUnitPrice", switch).await;
    assert_eq!(switched.code, 1000, "{switched:?}");
    let rows = documents(&shop, &customer).await;
    assert_eq!(rows.iter().map(|row| text(&row["Total"])).collect::<Vec<_>>(), ["5.00", "5.00", "5.00"]);
    shop.ledger_adds_up();
}

/// The text of a PDF's pages, without blanks, and how many pages it has.
pub fn read_pdf(file: &[u8]) -> (String, usize) {
    assert!(file.starts_with(b"%PDF-"), "{}", String::from_utf8_lossy(&file[..file.len().min(200)]));
    let document = lopdf::Document::load_mem(file).expect("a PDF");
    let pages: Vec<u32> = document.get_pages().keys().copied().collect();
    let text = document.extract_text(&pages).expect("text");
    (text.split_whitespace().collect(), pages.len())
}

#[actix_web::test]
async fn a_pdf_names_seller_buyer_and_lines_in_both_languages() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (customer, stranger) = (shop.customer(5_000), shop.customer(0));
    let details =
        json!({"CompanyName": "深圳市云桥网络科技有限公司", "Address": "科技园一路 8 号 \u{1f680}", "Country": "CN"});
    shop.call(&customer, "User/UpdateAccountDetails", details).await;
    shop.buys(&customer, order_for(&[("US", "new-york", 3)], "15.00")).await;
    let invoice = documents(&shop, &customer).await[0].clone();
    let number = text(&invoice["InvoiceNumber"]);
    let mut sizes = Vec::new();
    for (language, words) in [
        ("en", ["Invoice", "Regular", "NewYork", "$15.00", "Paid:Wallet", "1of1"]),
        ("zh", ["发票", "普通", "纽约", "$15.00", "已付：钱包", "共1页"]),
    ] {
        let asked = json!({"InvoiceNumber": number, "Language": language});
        let file = shop.download_bytes(&customer, "Billing/GetInvoicePdf", asked).await;
        let (printed, pages) = read_pdf(&file);
        for word in words.into_iter().chain(["深圳市云桥网络科技有限公司", "科技园一路8号", number.as_str()])
        {
            assert!(printed.contains(word), "{language}: {word} is missing in {printed}");
        }
        assert!(printed.contains(&text(&invoice["OrderNumber"])) && pages == 1);
        sizes.push(file.len());
    }
    assert!(sizes.iter().all(|size| *size < 60_000), "only the characters that are used are in it: {sizes:?}");
    let answer = shop.call(&stranger, "Billing/GetInvoicePdf", json!({"InvoiceNumber": number})).await;
    assert_eq!(answer.code, 3004);
    let operator = shop.operator();
    let file = shop.download_bytes(&operator, "Billing/GetInvoicePdf", json!({"InvoiceNumber": number})).await;
    assert!(file.starts_with(b"%PDF-"));
}

/// Keeps the files for inspection if the environment names a folder.
fn keep(name: &str, file: &[u8]) {
    if let Ok(folder) = std::env::var("TEST_PDF_FOLDER") {
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.pdf")), file).expect("a file");
    }
}

fn party(name: &str) -> Party {
    Party {
        name: name.to_owned(),
        address: vec!["Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle 123456".to_owned()],
        country: "DE".to_owned(),
        tax_number: "DE 123456789".to_owned(),
        email: "billing@example.com".to_owned(),
    }
}

/// An invoice with this number of lines of ten IPs each, and these IPs.
fn document(buyer: &str, lines: i64, ips: Vec<String>) -> InvoiceDetail {
    let money = Money::from_minor;
    let line = |index: i64| InvoiceLine {
        label_en: "Dedicated".to_owned(),
        label_zh: "尊享".to_owned(),
        country: Some("US".to_owned()),
        city: Some("new-york".to_owned()),
        period_days: Some(360),
        quantity: 10,
        unit_price: money(1_400 + index),
        amount: money(14_000 + 10 * index),
        net: money(12_600 + 9 * index),
        ..InvoiceLine::default()
    };
    let lines: Vec<InvoiceLine> = (0..lines).map(line).collect();
    let subtotal = Money::sum(lines.iter().map(|line| line.amount)).expect("a sum");
    let total = Money::sum(lines.iter().map(|line| line.net)).expect("a sum");
    let discount = subtotal.checked_sub(total).expect("a difference");
    let snapshot = InvoiceSnapshot {
        seller: party("Northlight Proxies"),
        buyer: party(buyer),
        order_number: "PO7K4QW2M9XA".to_owned(),
        order_kind: OrderKind::Purchase,
        ordered_at: "2026-11-20 10:00:00".to_owned(),
        paid_at: "2026-11-20 10:02:00".to_owned(),
        payment_method: PaymentMethod::Stripe,
        refund_reference: String::new(),
        corrects: None,
        reason: String::new(),
        lines,
        ips,
        subtotal,
        discounts: vec![Discount { kind: DiscountKind::Period, basis_points: 1_000, amount: discount }],
        total,
    };
    assert_eq!(snapshot.check(), Ok(()));
    let invoice = InvoiceView {
        invoice_number: "INV-2026-000042".to_owned(),
        kind: InvoiceKind::Invoice,
        order_id: 1,
        order_number: snapshot.order_number.clone(),
        currency: Currency::Usd,
        total,
        issued_at: "2026-11-20 10:02:00".to_owned(),
        corrects: None,
    };
    InvoiceDetail { invoice, snapshot }
}

#[actix_web::test]
async fn long_documents_have_pages_and_long_names_wrap() {
    let shop = Shop::open();
    let long = "The Very Long Name of a Company That Sells Proxies to Everybody Who Needs Them Everywhere Limited";
    let chinese = "深圳市云桥网络科技有限公司上海浦东新区张江高科技园区分公司财务结算中心";
    for (count, buyer, expected_pages) in [(1, chinese, 1), (60, long, 3)] {
        let document = document(buyer, count, Vec::new());
        for language in [Language::En, Language::Zh] {
            let file = print(&document, &shop.app.texts, language, None, &shop.app.fonts).expect("a PDF");
            keep(&format!("invoice-{count}-{}", language.as_str()), &file);
            let (printed, pages) = read_pdf(&file);
            assert_eq!(pages, expected_pages);
            assert!(printed.contains("kapitänswitwenrenten"), "{printed}");
            assert!(printed.contains(&document.invoice.total.display(Currency::Usd)), "{printed}");
            let label = if language == Language::En { "Dedicated" } else { "尊享" };
            assert_eq!(printed.matches(label).count() as i64, count);
        }
    }
}

#[actix_web::test]
async fn every_name_is_printed_as_it_was_typed() {
    let shop = Shop::open();
    let rows = include_str!("names.txt").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let (script, name) = row.split_once('\t').expect("a script");
        let name = name.split_once('\t').expect("a reason").0;
        for language in [Language::En, Language::Zh] {
            let file = print(&document(name, 1, Vec::new()), &shop.app.texts, language, None, &shop.app.fonts);
            let file = file.expect("a PDF");
            let printed = PdfText::read(&file);
            assert_eq!(printed.pages, 1);
            for word in name.split_whitespace() {
                assert!(printed.has(word), "{script}: {word} of {name} is not on the invoice");
            }
            assert!(file.len() < 80_000, "{name}: {} bytes", file.len());
            keep(&format!("{script}-{name}-{}", language.as_str()), &file);
        }
    }
}

#[actix_web::test]
async fn a_long_list_of_ips_is_truncated_to_about_a_page() {
    let shop = Shop::open();
    let four: Vec<String> = (0..200).map(|number| format!("198.18.200.{number}")).collect();
    let six: Vec<String> = (0..200).map(|number| format!("2001:db8:aaaa:bbbb:cccc:dddd:eeee:{number:04x}")).collect();
    for (name, ips, lines, named, pages) in [
        ("few", four[..3].to_vec(), 1, 3, 1),
        ("four", four.clone(), 20, 200, 2),
        ("more", four, 100, 200, 5),
        ("six", six, 100, 100, 5),
    ] {
        let mut document = document("Lee Ltd", lines, ips.clone());
        if name == "few" {
            document.snapshot.lines[0].quantity = 3;
        }
        let more = document.snapshot.more_ips(named);
        for language in [Language::En, Language::Zh] {
            let file = print(&document, &shop.app.texts, language, None, &shop.app.fonts).expect("a PDF");
            keep(&format!("ips-{name}-{}", language.as_str()), &file);
            let (printed, found) = read_pdf(&file);
            assert!(found <= pages, "{name}: {found} pages");
            assert!(printed.contains(&ips[0]) && printed.contains(&ips[named - 1]), "{name}: {printed}");
            assert!(!ips.get(named).is_some_and(|ip| printed.contains(ip)), "{name}: {printed}");
            let words = if language == Language::En { format!("and{more}more") } else { format!("另有{more}个") };
            assert_eq!(printed.contains(&words), more > 0, "{name}: {printed}");
        }
    }
}

#[actix_web::test]
async fn an_invoice_names_its_seller_and_the_ips_as_sold() {
    let shop = Shop::open_with(&[
        ("POSTERN_SELLER_NAME", "Northlight Proxies Ltd"),
        ("POSTERN_SELLER_ADDRESS", "1 Harbour Road | Cork"),
        ("POSTERN_SELLER_TAX_NUMBER", "IE 1234567X"),
    ]);
    let customer = shop.owner_of(3, 5_000).await;
    shop.stock("US", "new-york", 1);
    let nodes = shop.nodes_of(&customer).await;
    let ips: Vec<String> = nodes.iter().map(|node| text(&node["Ip"])).collect();
    let number = text(&documents(&shop, &customer).await[0]["InvoiceNumber"]);
    let switch = json!({"NodeIds": [nodes[0]["NodeId"]], "Reason": "slow"});
    assert_eq!(shop.call(&customer, "Ips/SwitchNodeByUnitPrice", switch).await.code, 1000);
    let switched = shop.nodes_of(&customer).await;
    let new = switched.iter().map(|node| text(&node["Ip"])).find(|ip| !ips.contains(ip)).expect("another IP");
    let answer = shop.call(&customer, "Billing/GetInvoice", json!({"InvoiceNumber": number})).await;
    assert_eq!(answer.data["Ips"], json!(ips));
    let of_switch = text(&documents(&shop, &customer).await[0]["InvoiceNumber"]);
    let answer = shop.call(&customer, "Billing/GetInvoice", json!({"InvoiceNumber": of_switch})).await;
    assert_eq!(answer.data["Ips"], json!([new]));
    for (language, tax_number) in [("en", "TaxnumberIE1234567X"), ("zh", "税号IE1234567X")] {
        let asked = json!({"InvoiceNumber": number, "Language": language});
        let (printed, pages) = read_pdf(&shop.download_bytes(&customer, "Billing/GetInvoicePdf", asked).await);
        let seller = ["NorthlightProxiesLtd", "1HarbourRoad", "Cork", tax_number, "support@example.com"];
        for word in seller.into_iter().chain(ips.iter().map(String::as_str)) {
            assert!(printed.contains(word), "{language}: {word} is missing in {printed}");
        }
        assert!(!printed.contains(&new) && !printed.contains("more") && pages == 1, "{printed}");
    }
}

#[actix_web::test]
async fn old_documents_without_ips_are_printed_unchanged() {
    let mut old = serde_json::to_value(document("Lee Ltd", 1, vec!["198.18.0.1".to_owned()]).snapshot).expect("JSON");
    old.as_object_mut().expect("an object").remove("Ips");
    let snapshot: InvoiceSnapshot = serde_json::from_value(old).expect("a snapshot");
    assert!(snapshot.ips.is_empty() && snapshot.more_ips(0) == 0);
}

/// How many pictures are in a PDF.
fn pictures(file: &[u8]) -> usize {
    let document = lopdf::Document::load_mem(file).expect("a PDF");
    let is_picture = |object: &lopdf::Object| {
        let found = object.as_stream().and_then(|stream| stream.dict.get(b"Subtype")).and_then(lopdf::Object::as_name);
        found.is_ok_and(|name| name == b"Image")
    };
    document.objects.values().filter(|object| is_picture(object)).count()
}

#[actix_web::test]
async fn a_logo_that_is_a_png_stands_above_the_seller() {
    let file = |name: &str, bytes: &[u8]| {
        let path = std::env::temp_dir().join(format!("postern_invoices_{}_{name}", std::process::id()));
        std::fs::write(&path, bytes).expect("a logo");
        path
    };
    let mut png = Vec::new();
    let blue = image::RgbImage::from_pixel(300, 100, image::Rgb([36, 87, 214]));
    blue.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).expect("a picture");
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    for (path, expected) in [(file("logo.png", &png), 1), (file("logo.svg", svg), 0)] {
        let shop = Shop::open_with(&[("POSTERN_LOGO_FILE", path.to_str().expect("a path"))]);
        std::fs::remove_file(&path).expect("it is read at the start");
        let customer = shop.owner_of(1, 0).await;
        let number = documents(&shop, &customer).await[0]["InvoiceNumber"].clone();
        let printed = shop.download_bytes(&customer, "Billing/GetInvoicePdf", json!({"InvoiceNumber": number})).await;
        keep(&format!("logo-{expected}"), &printed);
        assert_eq!(pictures(&printed), expected);
        let (printed, pages) = read_pdf(&printed);
        assert!(printed.contains("Postern") && pages == 1, "{printed}");
    }
}

/// Fifty customers pay at once, and every third payment is rolled back after its invoice was issued.
#[actix_web::test]
async fn concurrent_payments_number_invoices_without_gaps() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 50);
    let mut orders = Vec::new();
    for _ in 0..50 {
        let customer = shop.customer(1_000);
        let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
        assert_eq!(order.code, 1000, "{order:?}");
        orders.push((customer.account_id, order.data["OrderId"].as_i64().unwrap_or_default()));
    }
    let mut threads = Vec::new();
    for (index, (account_id, order_id)) in orders.into_iter().enumerate() {
        let shop = shop.clone();
        threads.push(std::thread::spawn(move || {
            let paid = shop.app.db.write_blocking(|conn| {
                lock_wallet(conn, account_id)?;
                let order = lock(conn, order_id)?;
                pay_from_wallet(conn, &shop.app.key, &order, shop.app.clock.now())?;
                if index % 3 == 0 { Err(AppError::internal("the server died")) } else { Ok(()) }
            });
            assert_eq!(paid.is_ok(), index % 3 != 0);
        }));
    }
    for thread in threads {
        thread.join().expect("a thread");
    }
    let mut numbers: Vec<i64> = shop
        .app
        .db
        .read_blocking(|conn| Ok(invoices::table.select(invoices::number_in_series).load(conn)?))
        .expect("numbers");
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=33).collect::<Vec<_>>());
    shop.ledger_adds_up();
}
