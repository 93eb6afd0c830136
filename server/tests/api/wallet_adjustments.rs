//! Operators add money to wallets and take money from them, with a reason that the customer sees.
use crate::invoices::read_pdf;
use crate::shop::{Customer, PASSWORD, Shop};
use futures_util::future::join_all;
use serde_json::{Value, json};

fn adjusts(customer: &Customer, adjustment: &str, amount: &str) -> Value {
    json!({"AccountId": customer.account_id, "Adjustment": adjustment, "Amount": amount, "Reason": "slow on Tuesday"})
}

#[actix_web::test]
async fn money_is_added_and_taken_with_a_reason_a_mail_and_an_entry() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(1_000), shop.operator());
    for (adjustment, amount, balance, spent) in [
        ("received", "2.50", "12.50", "0.00"),
        ("goodwill", "5", "17.50", "-5.00"),
        ("returned", "7.50", "10.00", "-5.00"),
        ("correction", "5.00", "5.00", "0.00"),
    ] {
        let answer = shop.call(&operator, "Operator/AdjustWallet", adjusts(&ann, adjustment, amount)).await;
        let account = &answer.data["Account"];
        assert_eq!((answer.code, &account["WalletBalance"]), (1000, &json!(balance)), "{adjustment}");
        assert_eq!(account["TotalExpenses"], spent, "{adjustment}");
        let entry = &answer.data["History"][0];
        assert_eq!(entry["Changes"][0]["After"], adjustment);
        assert_eq!(entry["Reason"], "slow on Tuesday");
    }
    let list = shop.call(&ann, "Wallet/GetTransactionList", json!({})).await.data;
    let rows: Vec<(&Value, &Value)> =
        list["Rows"].as_array().expect("rows").iter().map(|row| (&row["Kind"], &row["Reason"])).collect();
    let reason = json!("slow on Tuesday");
    let kinds = [json!("debit"), json!("paid_back"), json!("credit"), json!("credit")];
    assert_eq!(rows[..4], kinds.iter().map(|kind| (kind, &reason)).collect::<Vec<_>>());
    let asked = json!({"AccountId": ann.account_id, "PageSize": 10});
    assert_eq!(shop.call(&operator, "Operator/GetTransactionList", asked.clone()).await.data["Rows"], list["Rows"]);
    assert_eq!(shop.call(&ann, "Operator/GetTransactionList", asked).await.code, 3003);
    let nobody = shop.call(&operator, "Operator/GetTransactionList", json!({"AccountId": 999_999})).await;
    assert_eq!(nobody.code, 3004);
    let file = shop.download(&ann, "Wallet/ExportTransactions", json!({})).await;
    assert!(file.lines().any(|line| line.contains("debit") && line.contains("slow on Tuesday")), "{file}");
    shop.run_jobs().await;
    let mail = shop.last_mail_about(&ann.email, "taken from your wallet").expect("a mail");
    assert!(mail.contains("slow on Tuesday") && mail.contains("5.00"), "{mail}");
    assert_eq!(shop.mails_about(&ann.email, "added to your wallet"), 2);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn the_same_request_twice_moves_money_once_and_two_at_once_take_no_more_than_there_is() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(1_000), shop.operator());
    let goodwill = adjusts(&ann, "goodwill", "1");
    let calls = (0..4).map(|_| shop.call_once(&operator, "k1", "Operator/AdjustWallet", goodwill.clone()));
    assert!(join_all(calls).await.iter().all(|answer| answer.code == 1000));
    assert_eq!(shop.balance(&ann).await, "11.00");
    let takes = adjusts(&ann, "returned", "6");
    let calls = (0..4).map(|_| shop.call(&operator, "Operator/AdjustWallet", takes.clone()));
    let answers = join_all(calls).await;
    assert_eq!(answers.iter().filter(|answer| answer.code == 1000).count(), 1);
    let refused = answers.iter().find(|answer| answer.code != 1000).expect("a refusal");
    assert_eq!(refused.data["Fields"]["Amount"][0], json!({"Rule": "amountMax", "Params": {"Max": "5.00"}}));
    assert_eq!(shop.balance(&ann).await, "5.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn operators_and_closed_accounts_are_refused() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(0), shop.operator());
    let own = shop.call(&operator, "Operator/AdjustWallet", adjusts(&operator, "goodwill", "1")).await;
    assert_eq!(own.code, 3003, "nobody fills their own wallet on screen");
    let closing = json!({"Password": PASSWORD, "GiveUpBalance": true});
    assert_eq!(shop.call(&ann, "User/CloseAccount", closing).await.code, 1000);
    let closed = shop.call(&operator, "Operator/AdjustWallet", adjusts(&ann, "goodwill", "1")).await;
    assert_eq!((closed.code, &closed.data["Key"]), (3333, &json!("accountClosed")));
    let nobody = json!({"AccountId": 999_999, "Adjustment": "goodwill", "Amount": "1", "Reason": "r"});
    assert_eq!(shop.call(&operator, "Operator/AdjustWallet", nobody).await.code, 3004);
    for (field, value) in [("Amount", "0"), ("Amount", "1000000.01"), ("Amount", "1e3"), ("Reason", "")] {
        let mut body = adjusts(&operator, "goodwill", "1");
        body["AccountId"] = json!(shop.customer(0).account_id);
        body[field] = json!(value);
        let answer = shop.call(&operator, "Operator/AdjustWallet", body).await;
        assert!(answer.code == 2001 && answer.data["Fields"][field].is_array(), "{field} {value}: {answer:?}");
    }
}

#[actix_web::test]
async fn what_has_no_invoice_has_a_receipt() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]);
    let (operator, ann, ben) = (shop.operator(), shop.owner_of(1, 1_000).await, shop.customer(0));
    let started =
        shop.call(&ann, "Wallet/CreateTopUp", json!({"Amount": "50", "PaymentMethod": "transfer"})).await.data;
    let arrived = json!({"PaymentId": started["Payment"]["PaymentId"], "Amount": "50"});
    assert_eq!(shop.call_once(&operator, "k0", "Order/SettlePayment", arrived).await.code, 1000);
    let body =
        json!({"AccountId": ann.account_id, "Adjustment": "goodwill", "Amount": "12.50", "Reason": "a slow week"});
    let adjusted = shop.call_once(&operator, "k1", "Operator/AdjustWallet", body).await;
    assert_eq!(adjusted.code, 1000, "{adjusted:?}");
    let list = shop.call(&ann, "Wallet/GetTransactionList", json!({})).await.data["Rows"].clone();
    let rows = list.as_array().expect("rows");
    for row in rows {
        let documents = [&row["InvoiceNumber"], &row["ReceiptNumber"]].map(|number| !number.is_null());
        assert_eq!(documents.iter().filter(|is_there| **is_there).count(), 1, "{row}");
    }
    let credit = rows.iter().find(|row| row["Kind"] == "credit").expect("the credit");
    let number = credit["ReceiptNumber"].as_str().expect("a number");
    let asked = |language: &str| json!({"TransactionId": credit["TransactionId"], "Language": language});
    let (printed, pages) = read_pdf(&shop.download_bytes(&ann, "Billing/GetReceiptPdf", asked("en")).await);
    assert_eq!(pages, 1);
    for text in [number, "Receipt", "$12.50", "aslowweek", &ann.email, "notaninvoice"] {
        assert!(printed.contains(text), "{text}: {printed}");
    }
    let (chinese, _) = read_pdf(&shop.download_bytes(&operator, "Billing/GetReceiptPdf", asked("zh")).await);
    assert!(chinese.contains("收据") && chinese.contains(number), "{chinese}");
    assert_eq!(shop.call(&ben, "Billing/GetReceiptPdf", asked("en")).await.code, 3004, "somebody else's");
    let purchase = rows.iter().find(|row| row["Kind"] == "purchase").expect("the purchase");
    for id in [purchase["TransactionId"].clone(), json!(0), json!(i64::MAX)] {
        assert_eq!(shop.call(&ann, "Billing/GetReceiptPdf", json!({"TransactionId": id})).await.code, 3004, "{id}");
    }
    // A top-up names the order and how it was paid.
    let top_up = rows.iter().find(|row| row["OrderNumber"] == started["Order"]["OrderNumber"]).expect("the top-up");
    let asked = json!({"TransactionId": top_up["TransactionId"], "Language": "en"});
    let (printed, _) = read_pdf(&shop.download_bytes(&ann, "Billing/GetReceiptPdf", asked).await);
    let order = top_up["OrderNumber"].as_str().expect("its order");
    assert!(["Top-up", "Banktransfer", order].iter().all(|text| printed.contains(text)), "{printed}");
}
