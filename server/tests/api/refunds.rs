//! Refunds: unused time and amounts, with credit notes, never more than was paid.
use crate::invoices::documents;
use crate::shop::{Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::ledger::EntryKind;
use postern_server::db::prelude::*;
use postern_server::schema::{ledger_transactions, orders};
use serde_json::{Value, json};
use std::sync::Arc;

async fn order_of(shop: &Shop, customer: &Customer) -> Value {
    let list = shop.call(customer, "Order/GetOrderList", json!({})).await;
    list.data["Rows"][0].clone()
}

fn asked(order: &Value, more: Value) -> Value {
    let mut body = json!({"OrderNumber": order["OrderNumber"], "Reason": "It was slow"});
    for (name, value) in more.as_object().expect("fields") {
        body[name] = value.clone();
    }
    body
}

fn refund_rows(shop: &Shop) -> i64 {
    let rows = ledger_transactions::table.filter(ledger_transactions::kind.eq(EntryKind::Refund)).count();
    shop.app.db.read_blocking(|conn| Ok(rows.get_result(conn)?)).expect("a number")
}

#[actix_web::test]
async fn only_an_operator_refunds() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let order = order_of(&shop, &customer).await;
    for call in ["Operator/PreviewRefund", "Operator/RefundOrder", "Operator/GetOrder", "Operator/GetOrderList"] {
        let answer = shop.call(&customer, call, asked(&order, json!({}))).await;
        assert_eq!(answer.code, 3003, "{call}");
    }
    assert_eq!(refund_rows(&shop), 0);
}

#[actix_web::test]
async fn impossible_refunds_are_refused_at_their_field() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(2, 0).await, shop.operator());
    let order = order_of(&shop, &customer).await;
    for (more, field, rule) in [
        (json!({"Amount": "10.01"}), "Amount", "amountMax"),
        (json!({"Amount": "0"}), "Amount", "amountMin"),
        (json!({"Amount": "ten"}), "Amount", "amount"),
        (json!({"Reason": " "}), "Reason", "required"),
        (json!({"NodeIds": [999_999]}), "NodeIds", "nothingToRefund"),
    ] {
        let answer = shop.call(&operator, "Operator/RefundOrder", asked(&order, more.clone())).await;
        assert_eq!((answer.code, &answer.data["Fields"][field][0]["Rule"]), (2001, &json!(rule)), "{more}");
    }
    let unknown = json!({"OrderNumber": "PO0000000000", "Reason": "x"});
    assert_eq!(shop.call(&operator, "Operator/RefundOrder", unknown).await.code, 3004);
    shop.stock("US", "new-york", 1);
    let unpaid = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let answer = shop.call(&operator, "Operator/RefundOrder", asked(&unpaid.data, json!({}))).await;
    assert_eq!((answer.code, &answer.data["State"]), (4005, &json!("unpaid")));
    assert_eq!(refund_rows(&shop), 0);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_preview_writes_nothing_and_matches_the_refund() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(3, 0).await, shop.operator());
    let order = order_of(&shop, &customer).await;
    shop.app.clock.advance(TimeDelta::days(20));
    let preview = shop.call(&operator, "Operator/PreviewRefund", asked(&order, json!({}))).await;
    assert_eq!((preview.code, &preview.data["Amount"]), (1000, &json!("5.00")), "{preview:?}");
    assert_eq!((&preview.data["LeftAfter"], &preview.data["IsWhole"]), (&json!("10.00"), &json!(false)));
    assert_eq!(preview.data["Nodes"].as_array().map(Vec::len), Some(3));
    assert_eq!((refund_rows(&shop), shop.nodes_in_state("assigned")), (0, 3));
    let done = shop.call(&operator, "Operator/RefundOrder", asked(&order, json!({}))).await;
    // A second may have passed between the two.
    let without_seconds = |refund: &Value| {
        let mut nodes = refund["Nodes"].clone();
        for node in nodes.as_array_mut().into_iter().flatten() {
            node["UnusedSeconds"] = Value::Null;
        }
        (refund["Amount"].clone(), nodes)
    };
    assert_eq!(without_seconds(&done.data), without_seconds(&preview.data));
    let year = shop.app.clock.now().format("%Y");
    assert_eq!(done.data["CreditNote"], format!("CN-{year}-000001"));
    assert_eq!((shop.nodes_in_state("quarantined"), shop.balance(&customer).await.as_str()), (3, "5.00"));
    let rows = documents(&shop, &customer).await;
    assert_eq!((&rows[0]["Kind"], &rows[0]["Corrects"]), (&json!("credit_note"), &rows[1]["InvoiceNumber"]));
    let note = shop.call(&customer, "Billing/GetInvoice", json!({"InvoiceNumber": rows[0]["InvoiceNumber"]})).await;
    assert_eq!((&note.data["Reason"], &note.data["Total"]), (&json!("It was slow"), &json!("5.00")));
    assert_eq!(note.data["Lines"].as_array().map(Vec::len), Some(3));
    let wallet = shop.call(&customer, "User/GetWallet", json!({})).await;
    assert_eq!(wallet.data["TotalExpenses"], "10.00", "what came back was not spent");
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(mail.contains("It was slow"), "{mail}");
    assert!(mail.contains(&format!("/order?OrderId={}", order["OrderId"])), "{mail}");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn refunding_nodes_one_by_one_equals_refunding_them_together() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(3, 0).await, shop.operator());
    let order = order_of(&shop, &customer).await;
    shop.app.clock.advance(TimeDelta::days(20));
    let mut amounts = Vec::new();
    for node in shop.nodes_of(&customer).await {
        let one = asked(&order, json!({"NodeIds": [node["NodeId"]]}));
        amounts.push(shop.call(&operator, "Operator/RefundOrder", one).await.data["Amount"].clone());
    }
    assert_eq!(amounts, [json!("1.67"), json!("1.66"), json!("1.67")]);
    assert_eq!(shop.balance(&customer).await, "5.00");
    let again = shop.call(&operator, "Operator/RefundOrder", asked(&order, json!({}))).await;
    assert_eq!(again.code, 2001, "nothing is left to end");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_amount_refund_keeps_the_nodes_until_everything_is_refunded() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(2, 0).await, shop.operator());
    let order = order_of(&shop, &customer).await;
    let some = shop.call(&operator, "Operator/RefundOrder", asked(&order, json!({"Amount": "4"}))).await;
    assert_eq!((&some.data["LeftAfter"], shop.nodes_in_state("assigned")), (&json!("6.00"), 2));
    assert_eq!(order_of(&shop, &customer).await["State"], "fulfilled");
    let rest = shop.call(&operator, "Operator/RefundOrder", asked(&order, json!({"Amount": "6.00"}))).await;
    assert_eq!((&rest.data["IsWhole"], shop.nodes_in_state("quarantined")), (&json!(true), 2));
    let order = order_of(&shop, &customer).await;
    assert_eq!((&order["State"], &order["Refunded"]), (&json!("refunded"), &json!("10.00")));
    let answer = shop.call(&operator, "Operator/RefundOrder", asked(&order, json!({"Amount": "0.01"}))).await;
    assert!(answer.code == 4005 || answer.code == 2001, "{answer:?}");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_renewal_is_refunded_before_the_order_that_it_extended() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(1, 500).await, shop.operator());
    let purchase = order_of(&shop, &customer).await;
    let node = shop.nodes_of(&customer).await[0].clone();
    shop.app.clock.advance(TimeDelta::days(15));
    let customer = shop.signs_in(&customer);
    let renewal = json!({"NodeIds": [node["NodeId"]], "PeriodDays": 30, "ExpectedTotal": "5.00"});
    let renewal = shop.call(&customer, "Ips/IpsNoneRenew", renewal).await.data;
    shop.call(&customer, "Order/PayOrder", json!({"OrderId": renewal["OrderId"], "PaymentMethod": "wallet"})).await;
    let operator = shop.signs_in(&operator);
    let answer = shop.call(&operator, "Operator/PreviewRefund", asked(&purchase, json!({}))).await;
    assert_eq!(answer.data["Fields"]["NodeIds"][0]["Rule"], "nothingToRefund");
    let back = shop.call(&operator, "Operator/RefundOrder", asked(&renewal, json!({}))).await;
    assert_eq!((&back.data["Amount"], &back.data["Nodes"][0]["Becomes"]), (&json!("5.00"), &json!("goes_on")));
    let kept = shop.nodes_of(&customer).await[0].clone();
    assert_eq!((&kept["ExpiresAt"], &kept["AutoRenew"]), (&node["ExpiresAt"], &json!(false)));
    let back = shop.call(&operator, "Operator/RefundOrder", asked(&purchase, json!({}))).await;
    assert_eq!((&back.data["Amount"], shop.nodes_in_state("quarantined")), (&json!("2.50"), 1));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_switched_node_ends_with_the_order_that_bought_its_time() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(1, 0).await, shop.operator());
    shop.stock("US", "new-york", 1);
    let order = order_of(&shop, &customer).await;
    let old = shop.nodes_of(&customer).await[0].clone();
    let switched = shop.call(&customer, "Ips/SwitchNode", json!({"NodeIds": [old["NodeId"]], "Reason": "slow"})).await;
    assert_eq!(switched.code, 1000, "{switched:?}");
    let new = shop.nodes_of(&customer).await[0].clone();
    assert_ne!(new["Ip"], old["Ip"]);
    let back = shop.call(&operator, "Operator/RefundOrder", asked(&order, json!({}))).await;
    assert_eq!((&back.data["Nodes"][0]["Ip"], &back.data["Amount"]), (&new["Ip"], &json!("5.00")));
    assert!(shop.nodes_of(&customer).await.is_empty());
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn undelivered_renewals_are_refunded_with_a_credit_note() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 1_000).await;
    let nodes = shop.nodes_of(&customer).await;
    let ids: Vec<_> = nodes.iter().map(|node| node["NodeId"].clone()).collect();
    let order = shop
        .call(&customer, "Ips/IpsNoneRenew", json!({"NodeIds": ids, "PeriodDays": 30, "ExpectedTotal": "10.00"}))
        .await
        .data;
    shop.take_away(ids[0].as_i64().unwrap_or_default());
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 1000);
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!((&order["State"], &order["Refunded"]), (&json!("partly_fulfilled"), &json!("5.00")));
    let rows = documents(&shop, &customer).await;
    assert_eq!((&rows[0]["Kind"], &rows[0]["Total"]), (&json!("credit_note"), &json!("5.00")));
    assert_eq!((&rows[0]["Corrects"], shop.balance(&customer).await.as_str()), (&rows[1]["InvoiceNumber"], "5.00"));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn operators_find_any_order_and_its_callbacks() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let (customer, other, operator) = (shop.customer(0), shop.owner_of(1, 0).await, shop.operator());
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.data;
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox"});
    let payment = shop.call(&customer, "Order/PayOrder", pay).await.data["Payment"].clone();
    shop.post_form(payment["PayUrl"].as_str().unwrap_or_default(), "action=twice").await;
    let number = order["OrderNumber"].as_str().unwrap_or_default();
    let part = number[3..9].to_lowercase();
    for search in [number, &part, &customer.email] {
        let list = shop.call(&operator, "Operator/GetOrderList", json!({"Search": search})).await;
        assert_eq!(
            (&list.data["Total"], &list.data["Rows"][0]["Email"]),
            (&json!(1), &json!(customer.email)),
            "{search}"
        );
    }
    for (search, total) in [("", 2), ("%", 0), ("_", 0), (other.email.as_str(), 1)] {
        let list = shop.call(&operator, "Operator/GetOrderList", json!({"Search": search})).await;
        assert_eq!(list.data["Total"], total, "{search}");
    }
    let found = shop.call(&operator, "Operator/GetOrder", json!({"OrderNumber": number})).await;
    assert_eq!((&found.data["Email"], &found.data["Order"]["State"]), (&json!(customer.email), &json!("fulfilled")));
    let verdicts: Vec<_> =
        found.data["Callbacks"].as_array().into_iter().flatten().map(|one| &one["Verdict"]).collect();
    assert_eq!(verdicts, ["settle", "repeat"]);
    let events: Vec<_> =
        found.data["Order"]["Timeline"].as_array().into_iter().flatten().map(|one| &one["Event"]).collect();
    assert_eq!(events, ["created", "paid", "fulfilled"]);
}

#[actix_web::test]
async fn the_nightly_check_raises_and_clears_an_alarm() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(1, 0).await, shop.operator());
    let alarms = async || shop.call(&operator, "Operator/GetAlarmList", json!({})).await.data;
    let spoil = |minor: i64| {
        let spoilt = shop.app.db.write_blocking(|conn| {
            Ok(diesel::update(orders::table).set(orders::refunded_minor.eq(minor)).execute(conn)?)
        });
        assert!(spoilt.is_ok());
    };
    shop.run_jobs().await;
    spoil(100);
    shop.run_jobs().await;
    assert_eq!(alarms().await, json!([]), "it is not night yet");
    shop.app.clock.advance(TimeDelta::hours(24));
    shop.run_jobs().await;
    let raised = alarms().await;
    assert!(raised[0]["Problems"][0].as_str().is_some_and(|text| text.contains("refunded 1.00")), "{raised}");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&operator.email, "do not add up"), 1);
    assert_eq!(shop.mails_about(&customer.email, "do not add up"), 0);
    let answer = shop.call(&customer, "Operator/GetAlarmList", json!({})).await;
    assert_eq!(answer.code, 3003);
    spoil(0);
    shop.app.clock.advance(TimeDelta::hours(24));
    shop.run_jobs().await;
    assert_eq!(alarms().await, json!([]));
}

#[actix_web::test]
async fn transactions_link_to_their_documents_and_are_found_by_number() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(1, 700).await, shop.operator());
    let order = order_of(&shop, &customer).await;
    shop.call(&operator, "Operator/RefundOrder", asked(&order, json!({"Amount": "1"}))).await;
    let rows = shop.call(&customer, "Wallet/GetTransactionList", json!({})).await.data["Rows"].clone();
    let year = shop.app.clock.now().format("%Y");
    let numbers: Vec<_> = rows.as_array().into_iter().flatten().map(|row| row["InvoiceNumber"].clone()).collect();
    assert_eq!(numbers, [json!(format!("CN-{year}-000001")), json!(format!("INV-{year}-000001")), Value::Null]);
    let number = order["OrderNumber"].as_str().unwrap_or_default().to_lowercase();
    for (search, total) in [(number.as_str(), 2), ("inv-", 2), ("cn-", 2), ("no such", 0), ("%", 0)] {
        let found = shop.call(&customer, "Wallet/GetTransactionList", json!({"Search": search})).await;
        assert_eq!(found.data["Total"], total, "{search}");
    }
    let file = shop.download(&customer, "Wallet/ExportTransactions", json!({})).await;
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines[0], "CreatedAt (UTC),Kind,Amount,BalanceAfter,Currency,OrderNumber,InvoiceNumber,Reason");
    assert!(lines[1].contains(",credit,12.00,12.00,USD,,"), "{file}");
    assert!(lines[2].contains(",purchase,-5.00,7.00,USD,PO") && lines[2].ends_with("-000001,"), "{file}");
    assert!(lines[3].contains(",refund,1.00,8.00,USD,PO") && lines.len() == 4, "{file}");
    let narrowed = json!({"Filter": {"Kind": "refund"}});
    assert_eq!(shop.download(&customer, "Wallet/ExportTransactions", narrowed).await.lines().count(), 2);
    let refused = shop.call(&customer, "Wallet/ExportTransactions", json!({"Filter": {"Kin": "x"}})).await;
    assert_eq!(refused.code, 2002);
}

#[actix_web::test]
async fn concurrent_refunds_execute_once_per_key_and_never_exceed_the_payment() {
    let shop = Arc::new(Shop::open());
    let (customer, operator) = (shop.owner_of(1, 0).await, shop.operator());
    let order = order_of(&shop, &customer).await;
    let send = async |amount: &'static str, key: fn(usize) -> String| {
        let mut tasks = Vec::new();
        for index in 0..20 {
            let (shop, operator, body) = (shop.clone(), operator.clone(), asked(&order, json!({"Amount": amount})));
            tasks.push(actix_web::rt::spawn(async move {
                shop.call_once(&operator, &key(index), "Operator/RefundOrder", body).await.code
            }));
        }
        let mut codes = Vec::new();
        for task in tasks {
            codes.push(task.await.expect("a code"));
        }
        codes
    };
    assert!(send("1.00", |_| "one-key".to_owned()).await.iter().all(|code| *code == 1000));
    assert_eq!((refund_rows(&shop), shop.balance(&customer).await.as_str()), (1, "1.00"));
    let codes = send("1.00", |index| format!("key-{index}")).await;
    assert_eq!(codes.iter().filter(|code| **code == 1000).count(), 4);
    assert_eq!(shop.balance(&customer).await, "5.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn the_database_itself_refuses_refunds_above_the_payment() {
    let shop = Shop::open();
    shop.owner_of(1, 0).await;
    let too_much = shop
        .app
        .db
        .write_blocking(|conn| Ok(diesel::update(orders::table).set(orders::refunded_minor.eq(501)).execute(conn)?));
    assert!(too_much.is_err());
}
