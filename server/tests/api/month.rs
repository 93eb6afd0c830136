//! Payments and documents of all customers, and the month for the accountant.
use crate::shop::{Shop, order_for};
use chrono::TimeDelta;
use postern_core::time::to_wire;
use serde_json::json;
use std::io::{Cursor, Read};

#[actix_web::test]
async fn payments_are_found_by_method_state_customer_and_number() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]);
    let (ann, bob, operator) = (shop.customer(0), shop.customer(0), shop.operator());
    let mut started = Vec::new();
    for (who, method) in [(&ann, "transfer"), (&bob, "transfer"), (&ann, "sandbox")] {
        let body = json!({"Amount": "50", "PaymentMethod": method});
        started.push(shop.call(who, "Wallet/CreateTopUp", body).await.data);
    }
    let wrong = json!({"PaymentId": started[0]["Payment"]["PaymentId"], "Amount": "49.98"});
    assert_eq!(shop.call(&operator, "Order/SettlePayment", wrong).await.code, 2001);
    let number = started[1]["Order"]["OrderNumber"].as_str().expect("a number");
    for (body, count) in [
        (json!({}), 3),
        (json!({"Filter": {"PaymentMethod": "transfer", "State": "pending"}}), 2),
        (json!({"Filter": {"State": "succeeded"}}), 0),
        (json!({"Filter": {"AccountId": ann.account_id}}), 2),
        (json!({"Search": bob.email.to_uppercase()}), 1),
        (json!({"Search": number.to_lowercase()}), 1),
        (json!({"Search": started[2]["Payment"]["PaymentId"]}), 1),
        (json!({"Search": "_"}), 0),
        (json!({"EndTime": "2001-01-01 00:00:00"}), 0),
        (json!({"Sort": [{"Field": "Amount", "Direction": "desc"}]}), 3),
    ] {
        let found = shop.call(&operator, "Operator/GetPaymentList", body.clone()).await;
        assert_eq!(found.data["Rows"].as_array().map(Vec::len), Some(count), "{body}: {found:?}");
    }
    let found = shop.call(&operator, "Operator/GetPaymentList", json!({"Search": ann.email})).await.data;
    let transfer = found["Rows"].as_array().expect("rows").iter().find(|row| row["PaymentMethod"] == "transfer");
    let transfer = transfer.expect("the transfer");
    assert_eq!((&transfer["Email"], &transfer["LastVerdict"]), (&json!(ann.email), &json!("wrong_amount")));
    assert_eq!(shop.call(&ann, "Operator/GetPaymentList", json!({})).await.code, 3003);
}

#[actix_web::test]
async fn a_month_has_every_document_and_order_of_all_customers() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (ann, bob, operator) = (shop.customer(10_000), shop.customer(10_000), shop.operator());
    let details = json!({
        "CompanyName": "=Bob's Büro, Ltd", "Address": "1 High Street", "City": "Dallas", "Country": "US", "PostalCode": "75201",
    });
    shop.call(&bob, "User/UpdateAccountDetails", details).await;
    let mut orders = Vec::new();
    for who in [&ann, &bob, &bob] {
        let order_id = shop.buys(who, order_for(&[("US", "new-york", 1)], "5.00")).await;
        let order = shop.call(who, "Order/GetOrder", json!({ "OrderId": order_id })).await.data;
        orders.push(order["OrderNumber"].as_str().expect("a number").to_owned());
    }
    let refund = json!({"OrderNumber": orders[2], "Amount": "1.00", "Reason": "slow"});
    assert_eq!(shop.call(&operator, "Operator/RefundOrder", refund).await.code, 1000);
    let list = shop.call(&operator, "Operator/GetInvoiceList", json!({})).await.data;
    assert_eq!((&list["Total"], &list["Rows"][0]["Invoice"]["Kind"]), (&json!(4), &json!("credit_note")));
    assert_eq!(list["Rows"][0]["Email"], json!(bob.email));
    for (body, count) in [
        (json!({"Filter": {"Kind": "invoice"}}), 3),
        (json!({"Search": orders[2]}), 2),
        (json!({"Search": "CN-"}), 1),
        (json!({"Search": "nothing"}), 0),
    ] {
        let found = shop.call(&operator, "Operator/GetInvoiceList", body.clone()).await.data;
        assert_eq!(found["Total"], count, "{body}");
    }
    let now = shop.app.clock.now();
    let range = |from: i64, to: i64| json!({"StartTime": to_wire(now + TimeDelta::days(from)), "EndTime": to_wire(now + TimeDelta::days(to))});
    for wrong in [json!({}), range(-40, 1), range(1, -1)] {
        assert_eq!(shop.call(&operator, "Operator/ExportInvoices", wrong.clone()).await.code, 2001, "{wrong}");
    }
    assert_eq!(shop.call(&ann, "Operator/ExportInvoices", range(-1, 1)).await.code, 3003);
    let file = shop.download_bytes(&operator, "Operator/ExportInvoices", range(-1, 1)).await;
    let mut zip = zip::ZipArchive::new(Cursor::new(file)).expect("a ZIP file");
    let names: Vec<String> = zip.file_names().map(|name| name.expect("a name").into_owned()).collect();
    assert_eq!(names.len(), 4 + 2, "{names:?}");
    let mut text = |name: &str| {
        let mut text = String::new();
        zip.by_name(name).expect("the file").read_to_string(&mut text).expect("UTF-8");
        text
    };
    let (invoices, sold) = (text("invoices.csv"), text("orders.csv"));
    assert_eq!((invoices.lines().count(), sold.lines().count()), (1 + 4, 1 + 3), "{invoices}\n{sold}");
    assert!(orders.iter().all(|number| invoices.contains(number) && sold.contains(number)));
    assert!(invoices.contains("\"'=Bob's Büro, Ltd\"") && invoices.contains(",US,"), "no formula: {invoices}");
    assert!(sold.contains(&ann.email) && sold.contains(&bob.email));
    let credit_note = names.iter().find(|name| name.starts_with("CN-")).expect("the credit note");
    let mut pdf = Vec::new();
    zip.by_name(credit_note).expect("the file").read_to_end(&mut pdf).expect("a PDF");
    assert!(pdf.starts_with(b"%PDF"));
    let empty = shop.download_bytes(&operator, "Operator/ExportInvoices", range(-9, -8)).await;
    let mut zip = zip::ZipArchive::new(Cursor::new(empty)).expect("a ZIP file");
    assert_eq!(zip.len(), 2, "only the heads of two tables");
    let mut head = String::new();
    zip.by_name("orders.csv").expect("the file").read_to_string(&mut head).expect("UTF-8");
    assert_eq!(head.lines().count(), 1);
}
