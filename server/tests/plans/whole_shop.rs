//! Runs the whole shop: every call and every job.
use crate::accounts::{api_keys, customers, sign_up_and_out};
use crate::lists::lists;
use crate::money::{automatic, back, made_to_claim, refund, transfer};
use crate::notifications::notifications;
use crate::recording::{Made, RECORDED};
use crate::referrals::{moved, referrals};
use crate::residential::residential;
use crate::seller::{seller, uploads, whole_lists};
use crate::shop::{Customer, PASSWORD, REGULAR, Shop, order_for};
use crate::static_proxies::calls;
use crate::support::support;
use crate::traffic::traffic;
use crate::webhooks::webhooks;
use chrono::TimeDelta;
use postern_server::app::openapi;
use postern_server::business::days::customers_now;
use postern_server::wallet::verify::verify;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Queries that may read everything: the nightly check of the books and count of customers, the operator's search for a part of a number or address among orders,
/// accounts and the audit log, the operator's lists of callbacks, nodes, payments, documents, mails and coupons, and an import. Returns their texts.
pub async fn read_everything(shop: &Shop) -> BTreeSet<String> {
    RECORDED.lock().expect("the record").clear();
    shop.app.db.snapshot_blocking(verify).expect("a verification");
    let now = shop.app.clock.now();
    shop.app.db.read_blocking(|conn| customers_now(conn, now)).expect("the customers");
    let mut whole = std::mem::take(&mut *RECORDED.lock().expect("the record"));
    let operator = shop.operator();
    for (call, body) in lists(
        "Operator/GetOrderList",
        &[("State", json!("fulfilled")), ("Kind", json!("purchase"))],
        &["CreatedAt", "Total"],
    ) {
        assert_eq!(shop.call(&operator, call, body).await.code, 1000);
    }
    let filters = [("Gateway", json!("sandbox")), ("Verdict", json!("settle")), ("IsRefused", json!(true))];
    for (call, body) in lists("Order/GetCallbackList", &filters, &["ReceivedAt"]) {
        if body["Search"].is_null() {
            assert_eq!(shop.call(&operator, call, body).await.code, 1000);
        }
    }
    for (call, body) in
        lists("Operator/GetAccountList", &[("Level", json!(1)), ("State", json!("active"))], &["CreatedAt"])
    {
        assert_eq!(shop.call(&operator, call, body).await.code, 1000);
    }
    let filters = [("State", json!("open")), ("IsWaiting", json!(true)), ("IsWaiting", json!(false))];
    for (call, body) in lists("Operator/GetConversationList", &filters, &["LastMessageAt", "WaitingSince"]) {
        assert_eq!(shop.call(&operator, call, body).await.code, 1000);
    }
    let filters = [("Action", json!("reply_sent")), ("Channel", json!("screen")), ("AccountId", json!(1))];
    for (call, body) in lists("Operator/GetAuditLog", &filters, &["At"]) {
        assert_eq!(shop.call(&operator, call, body).await.code, 1000);
    }
    assert!(shop.download(&operator, "Operator/ExportAuditLog", json!({})).await.len() > 100);
    whole_lists(shop, &operator).await;
    // The user, and data related to the rows found, is loaded as for anyone.
    let tables = [
        "orders",
        "gateway_callbacks",
        "accounts",
        "support_conversations",
        "audit_entries",
        "nodes",
        "payments",
        "invoices",
        "coupons",
        "mails",
    ]
    .map(|table| ["`", "\""].map(|quote| format!("{quote}{table}{quote}")));
    let of_orders = |text: &String| {
        let from = text.split("FROM ").nth(1).unwrap_or_default().trim_start_matches('(');
        tables.iter().flatten().any(|table| from.starts_with(table.as_str()))
    };
    whole.extend(std::mem::take(&mut *RECORDED.lock().expect("the record")).into_iter().filter(of_orders));
    whole
}

/// Makes every documented call, and gives every job something to do. No call may move money without the right to spend and a recent code.
pub async fn run_the_shop(shop: &Shop) {
    let mut made = Made::default();
    made.calls.extend(
        [
            "Operator/GetOrderList",
            "Operator/GetAccountList",
            "Operator/GetAuditLog",
            "Operator/ExportAuditLog",
            "Operator/GetConversationList",
            "Operator/GetInventory",
            "Operator/GetPaymentList",
            "Operator/GetPaymentCaseList",
            "Operator/GetPaymentReturnList",
            "Operator/GetInvoiceList",
            "Operator/GetMailList",
            "Operator/GetStock",
            "Operator/ExportInventory",
            "Operator/GetDisputeEvidence",
            "Operator/ExportInvoices",
            "Order/GetCallbackList",
        ]
        .map(str::to_owned),
    );
    let owner = shop.owner_of(8, 100_000).await;
    shop.stock("US", "new-york", 20);
    let node_ids: Vec<i64> = shop.nodes_of(&owner).await.iter().filter_map(|node| node["NodeId"].as_i64()).collect();
    let mut call = async |who: &Customer, call: &str, body: Value| {
        made.calls.insert(call.to_owned());
        let key = format!("key-{}", made.calls.len());
        let answer = made.note(shop, call, shop.call_once(who, &key, call, body.clone())).await;
        let answer = match answer.code {
            2009 => made.note(shop, call, shop.call(who, call, body.clone())).await,
            _ => answer,
        };
        assert_eq!(answer.code, 1000, "{call} {body}: {answer:?}");
        answer.data
    };
    let group_id =
        call(&owner, "Ips/AddUserPlanGroup", json!({"Name": "Mine", "Colour": "", "Note": ""})).await["GroupId"]
            .clone();
    let entry = json!({"VerStr": REGULAR, "Address": "8.8.8.8", "Label": "home"});
    let white_id = call(&owner, "Ips/AddWhiteList", entry).await["WhiteId"].clone();
    let shelf = json!({"Filter": {"City": "new-york"}});
    let rows = call(&owner, "Ips/GetMyPurchasableNodeList", shelf).await["Rows"].clone();
    let free = rows.as_array().and_then(|rows| rows.last()).expect("a free node")["NodeId"].clone();
    let order_id =
        call(&owner, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await["OrderId"].clone();
    for (name, mut body) in calls(&node_ids, &group_id, &white_id, &free, &order_id) {
        let found = call(&owner, name, body.clone()).await;
        if found["Next"].is_string() {
            body["After"] = found["Next"].clone();
            call(&owner, name, body).await;
        }
    }
    // All kinds of orders: with a target, of picked nodes, a renewal, through a gateway, and an unpaid one.
    let mut targeted = order_for(&[("US", "new-york", 2)], "10.00");
    targeted["Target"] = json!("search");
    let order = call(&owner, "Order/CreateOrder", targeted).await;
    call(&owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"})).await;
    let shelf = json!({"Filter": {"City": "chicago"}});
    let exact = call(&owner, "Ips/GetMyPurchasableNodeList", shelf).await["Rows"][0]["NodeId"].clone();
    let mut picked = order_for(&[], "5.00");
    picked["NodeIds"] = json!([exact]);
    let order = call(&owner, "Order/CreateOrder", picked).await;
    let mut paid = order_for(&[("US", "chicago", 1)], "5.00");
    paid["PayFromWallet"] = json!(true);
    call(&owner, "Order/CreateOrder", paid).await;
    let started =
        call(&owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox"})).await;
    let payment = json!({"PaymentId": started["Payment"]["PaymentId"]});
    call(&owner, "Order/GetPayment", payment.clone()).await;
    let pay_url = started["Payment"]["PayUrl"].as_str().unwrap_or_default().to_owned();
    assert_eq!(shop.post_form(&pay_url, "action=twice").await.status(), 303);
    back(&mut call, &shop.operator(), &order["OrderNumber"], "1.00").await;
    made_to_claim(shop);
    call(&owner, "Order/ClaimRefund", json!({"ReturnId": 1})).await;
    let renewal = json!({"NodeIds": [node_ids[4]], "PeriodDays": 30, "ExpectedTotal": "5.00"});
    let order = call(&owner, "Ips/IpsNoneRenew", renewal).await;
    call(&owner, "Order/PayOrder", json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"})).await;
    refund(&mut call, &shop.operator(), &owner, &order["OrderNumber"]).await;
    transfer(shop, &mut call, &shop.operator(), &owner).await;
    traffic(shop, &mut call, &shop.operator(), &owner).await;
    call(&owner, "Wallet/GetMonthlyExpenses", json!({})).await;
    automatic(shop, &mut call, &shop.customer(500)).await;
    residential(shop, &mut call, &owner, &shop.operator()).await;
    notifications(shop, &mut call, &owner).await;
    let (referrer, earning) = referrals(shop, &mut call, &shop.operator()).await;
    webhooks(shop, &mut call, &owner).await;
    support(shop, &mut call, &owner, &shop.operator()).await;
    api_keys(&mut call, &shop.customer(0), &shop.operator()).await;
    customers(shop, &mut call, &shop.customer(500), &shop.operator()).await;
    let boss = shop.operator();
    let shelf = json!({"Filter": {"State": "available"}});
    let shelf = call(&boss, "Operator/GetInventory", shelf).await["Rows"].clone();
    let shelf = shelf.as_array().expect("rows").iter().filter(|row| row["City"] == "new-york");
    let free: Vec<i64> = shelf.filter_map(|row| row["NodeId"].as_i64()).take(3).collect();
    let owned = shop.nodes_of(&owner).await.remove(0)["NodeId"].clone();
    seller(shop, &mut call, &boss, (&owned, &free)).await;
    let closing = json!({"Password": PASSWORD, "GiveUpBalance": true});
    call(&shop.customer(500), "User/CloseAccount", closing).await;
    let picture = include_bytes!("../../../docs/screenshot.png");
    assert_eq!(shop.upload(&owner, "User/UploadAvatar", "a.png", picture).await.code, 1000);
    assert!(shop.get(&owner, "User/GetAvatar").await.status().is_success());
    call(&owner, "User/DeleteAvatar", json!({})).await;
    call(&owner, "Order/CreateOrder", order_for(&[("US", "los-angeles", 1)], "5.00")).await;
    call(&owner, "Wallet/CreateTopUp", json!({"Amount": "30", "PaymentMethod": "sandbox"})).await;
    let list = call(&owner, "Billing/GetInvoiceList", json!({})).await;
    let invoice = json!({"InvoiceNumber": list["Rows"][0]["InvoiceNumber"]});
    let moves = call(&owner, "Wallet/GetTransactionList", json!({})).await["Rows"].clone();
    for (name, body) in [
        ("Ips/ExportNodes", json!({"All": true, "Format": "csv"})),
        ("Ips/ExportSwitchRecording", json!({"Format": "json"})),
        ("Wallet/ExportTransactions", json!({"Search": "INV-"})),
        ("Order/ExportOrders", json!({})),
        ("ProxyUsers/ExportProxyUsers", json!({})),
        (
            "Usage/ExportUsage",
            json!({"Kind": "residential", "StartTime": "2026-01-01 00:00:00", "EndTime": "2026-03-01 00:00:00"}),
        ),
    ] {
        made.calls.insert(name.to_owned());
        assert!(shop.download(&owner, name, body).await.len() > 100, "{name}");
    }
    made.calls.insert("Billing/GetInvoicePdf".to_owned());
    made.calls.insert("Billing/ExportInvoices".to_owned());
    made.calls.insert("Billing/GetReceiptPdf".to_owned());
    let issued_at = list["Rows"][0]["IssuedAt"].clone();
    let day = json!({"StartTime": issued_at, "EndTime": issued_at});
    let file = shop.download_bytes(&owner, "Billing/ExportInvoices", day).await;
    assert!(file.starts_with(b"PK"), "{}", String::from_utf8_lossy(&file));
    let of_support = ["UploadAttachment", "GetAttachment", "WaitForMessages"].map(|name| format!("Support/{name}"));
    made.calls.extend(of_support.into_iter().chain(["Operator/WaitForConversations".to_owned()]));
    assert!(shop.download_bytes(&owner, "Billing/GetInvoicePdf", invoice).await.starts_with(b"%PDF"));
    let with_receipt = moves.as_array().into_iter().flatten().find(|row| !row["ReceiptNumber"].is_null());
    let receipt = json!({"TransactionId": with_receipt.expect("a top-up")["TransactionId"]});
    assert!(shop.download_bytes(&owner, "Billing/GetReceiptPdf", receipt).await.starts_with(b"%PDF"));
    made.calls.extend(["User/UploadAvatar", "User/GetAvatar"].map(str::to_owned));
    uploads(shop, &shop.operator(), &mut made, 2).await;
    sign_up_and_out(shop, &mut made).await;
    let forged = shop.post_raw("/gateway/callback/sandbox", "{}".to_owned(), &[]).await;
    assert_eq!(forged.status(), 400);
    assert!(shop.open_page("/health/ready").await.status().is_success());
    // The jobs, on days when they have something to do; the money runs out before the nodes expire.
    for days in [1, 26, 2, 1, 1, 4, 2, 62] {
        shop.app.clock.advance(TimeDelta::days(days));
        shop.run_jobs().await;
    }
    moved(shop, &mut made, &referrer, &earning).await;
    let document = openapi::document();
    let described: BTreeSet<&str> =
        document["paths"].as_object().expect("paths").keys().filter_map(|path| path.strip_prefix("/api/")).collect();
    let missed: Vec<_> = described.iter().filter(|call| !made.calls.contains(**call)).collect();
    assert!(missed.is_empty(), "calls whose queries nobody has looked at: {missed:?}");
    assert!(made.unrecorded().is_empty(), "calls and the audit log: {:?}", made.unrecorded());
    let expected = ["Ips/MySpecifySwitchNode", "Operator/RefundOrder", "Order/PayOrder", "User/CloseAccount"];
    assert!(expected.iter().all(|call| made.posting.contains(*call)), "{:?}", made.posting);
    assert!(made.unguarded().is_empty(), "calls that move money without a right or a code: {:?}", made.unguarded());
}
