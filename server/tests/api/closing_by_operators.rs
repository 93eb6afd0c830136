//! What operators do for customers who cannot do it themselves: closing an account, and changing a mistyped address.
use crate::shop::{CallAnswer, Customer, PASSWORD, Shop, order_for};
use postern_core::staff::StaffRole;
use serde_json::{Value, json};

async fn close(shop: &Shop, operator: &Customer, customer: &Customer, gives_up: bool) -> CallAnswer {
    let body =
        json!({"AccountId": customer.account_id, "Reason": "asked for it by telephone", "GiveUpBalance": gives_up});
    shop.call(operator, "Operator/CloseAccount", body).await
}

async fn last_entry(shop: &Shop, operator: &Customer) -> Value {
    shop.call(operator, "Operator/GetAuditLog", json!({})).await.data["Rows"][0].clone()
}

#[actix_web::test]
async fn an_operator_closes_an_account_after_seeing_what_is_lost() {
    let shop = Shop::open();
    let operator = shop.operator();
    let customer = shop.owner_of(2, 1_600).await;
    let refused = close(&shop, &operator, &customer, false).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("closingLeaves")));
    assert_eq!((&refused.data["Balance"], &refused.data["Proxies"]), (&json!("16.00"), &json!(2)), "{refused:?}");
    let key = "the-same-click";
    let body = json!({"AccountId": customer.account_id, "Reason": "asked for it by telephone", "GiveUpBalance": true});
    let closed = shop.call_once(&operator, key, "Operator/CloseAccount", body.clone()).await;
    assert_eq!(closed.code, 1000, "{closed:?}");
    assert!(closed.data["ClosedAt"].is_string(), "{closed:?}");
    assert_eq!(shop.call_once(&operator, key, "Operator/CloseAccount", body).await.code, 1000, "a repeat is answered");
    let again = close(&shop, &operator, &customer, true).await;
    assert_eq!((again.code, &again.data["Key"]), (3333, &json!("accountClosed")));
    assert_eq!(shop.call(&customer, "User/GetUserInfo", json!({})).await.code, 3001, "its sessions have ended");
    let login = json!({"Email": customer.email, "Password": PASSWORD});
    assert_eq!(shop.send("User/Login", login, &[]).await.data["Key"], "signInFailed");
    assert_eq!((shop.nodes_in_state("assigned"), shop.nodes_in_state("quarantined")), (0, 2));
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "is closed"), 1);
    shop.ledger_adds_up();
    let entry = last_entry(&shop, &operator).await;
    assert_eq!((&entry["Action"], &entry["AccountId"]), (&json!("account_closed"), &json!(customer.account_id)));
    assert_eq!(entry["Reason"], "asked for it by telephone");
    assert!(!entry.to_string().contains(&customer.email), "{entry}");
}

#[actix_web::test]
async fn an_order_that_waits_for_its_payment_keeps_an_account_open() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    shop.stock("US", "new-york", 1);
    let mut order = order_for(&[("US", "new-york", 1)], "5.00");
    order["PaymentMethod"] = json!("transfer");
    order["PayFromWallet"] = json!(false);
    let made = shop.call(&customer, "Order/CreateOrder", order).await;
    assert_eq!(made.code, 1000, "{made:?}");
    let refused = close(&shop, &operator, &customer, true).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("closingUnpaidOrders")));
}

#[actix_web::test]
async fn accounts_of_staff_and_unknown_ones_are_not_closed_and_only_operators_close() {
    let shop = Shop::open();
    let (operator, other, customer) = (shop.operator(), shop.operator(), shop.customer(0));
    assert_eq!(close(&shop, &operator, &other, true).await.code, 3003);
    assert_eq!(close(&shop, &customer, &customer, true).await.code, 3003);
    let support = shop.customer(0);
    shop.appoints(&support, StaffRole::Support);
    for (call, more) in [
        ("CloseAccount", json!({"GiveUpBalance": true})),
        ("RequestEmailChange", json!({"Email": "new@northlight.io"})),
    ] {
        let ask = async |who: &Customer, account_id: i64, reason: &str| {
            let mut body = json!({"AccountId": account_id, "Reason": reason});
            body.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
            shop.call(who, &format!("Operator/{call}"), body).await
        };
        assert_eq!(ask(&support, customer.account_id, "r").await.code, 3003, "{call}");
        assert_eq!(ask(&operator, support.account_id, "r").await.code, 3003, "{call}");
        assert_eq!(ask(&operator, 9_999_999, "r").await.code, 3004, "{call}");
        let without = ask(&operator, customer.account_id, " ").await;
        assert_eq!(without.data["Fields"]["Reason"][0]["Rule"], "required", "{call}: {without:?}");
    }
    assert_eq!(shop.call(&customer, "User/GetUserInfo", json!({})).await.code, 1000);
}

#[actix_web::test]
async fn of_two_accounts_of_a_customer_one_is_closed_and_the_other_gets_its_balance() {
    let shop = Shop::open();
    let (operator, gone, kept) = (shop.operator(), shop.customer(1_250), shop.customer(300));
    let staff = shop.customer(0);
    shop.appoints(&staff, StaffRole::Support);
    let merge = |to: &str| json!({"AccountId": gone.account_id, "Reason": "signed up twice", "BalanceTo": to});
    for to in ["nobody@northlight.io", "no address", &gone.email, &staff.email] {
        let refused = shop.call(&operator, "Operator/CloseAccount", merge(to)).await;
        assert_eq!(refused.data["Fields"]["BalanceTo"][0]["Rule"], "noOtherAccount", "{to}: {refused:?}");
    }
    let (key, body) = ("the-same-click", merge(&format!(" {} ", kept.email.to_uppercase())));
    let (one, two) = tokio::join!(
        shop.call_once(&operator, key, "Operator/CloseAccount", body.clone()),
        shop.call_once(&operator, key, "Operator/CloseAccount", body.clone()),
    );
    assert_eq!((one.code, two.code), (1000, 1000), "{one:?} {two:?}");
    assert_eq!(one.data["Account"]["WalletBalance"], "0.00");
    let wallet = shop.call(&kept, "User/GetWallet", json!({})).await.data;
    assert_eq!(wallet["WalletBalance"], "15.50", "{wallet}");
    let rows = shop.call(&kept, "Wallet/GetTransactionList", json!({})).await.data;
    let row = &rows["Rows"][0];
    assert_eq!((&row["Kind"], &row["Reason"]), (&json!("credit"), &json!("signed up twice")), "{row}");
    assert_eq!(shop.call(&gone, "User/GetWallet", json!({})).await.code, 3001, "its sessions have ended");
    shop.run_jobs().await;
    assert_eq!(
        (shop.mails_about(&kept.email, "added to your wallet"), shop.mails_about(&gone.email, "is closed")),
        (1, 1)
    );
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({"PageSize": 3})).await.data;
    let actions: Vec<&Value> = log["Rows"].as_array().expect("rows").iter().map(|entry| &entry["Action"]).collect();
    assert_eq!(actions, ["account_closed", "wallet_credited", "wallet_debited"]);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_cannot_move_to_the_other_account_is_lost_only_with_consent_and_nothing_moves_before() {
    let shop = Shop::open();
    let (operator, gone, kept) = (shop.operator(), shop.owner_of(1, 900).await, shop.customer(0));
    let balance =
        async |who: &Customer| shop.call(who, "User/GetWallet", json!({})).await.data["WalletBalance"].clone();
    let before = balance(&gone).await;
    let mut body = json!({"AccountId": gone.account_id, "Reason": "r", "BalanceTo": kept.email});
    let refused = shop.call(&operator, "Operator/CloseAccount", body.clone()).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("closingLeaves")));
    assert_eq!((&refused.data["Balance"], &refused.data["Proxies"]), (&json!("0.00"), &json!(1)), "{refused:?}");
    assert_eq!((balance(&gone).await, balance(&kept).await), (before.clone(), json!("0.00")));
    body["GiveUpBalance"] = json!(true);
    assert_eq!(shop.call(&operator, "Operator/CloseAccount", body).await.code, 1000);
    assert_eq!(balance(&kept).await, before);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn accounts_that_are_merged_into_each_other_at_once_do_not_lose_money() {
    let shop = Shop::open();
    let operator = shop.operator();
    for _ in 0..3 {
        let (ann, bob) = (shop.customer(100), shop.customer(200));
        let merge = async |from: &Customer, to: &Customer| {
            let body = json!({"AccountId": from.account_id, "Reason": "r", "BalanceTo": to.email});
            shop.call(&operator, "Operator/CloseAccount", body).await.code
        };
        let (one, two) = tokio::join!(merge(&ann, &bob), merge(&bob, &ann));
        assert!([one, two].contains(&1000) && one != two, "{one} {two}");
        let kept = if one == 1000 { &bob } else { &ann };
        assert_eq!(shop.call(kept, "User/GetWallet", json!({})).await.data["WalletBalance"], "3.00");
    }
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_purchase_and_a_closing_at_once_leave_the_books_right() {
    let shop = Shop::open();
    let operator = shop.operator();
    for _ in 0..3 {
        let customer = shop.customer(500);
        shop.stock("US", "new-york", 1);
        let mut order = order_for(&[("US", "new-york", 1)], "5.00");
        order["PayFromWallet"] = json!(true);
        let (bought, closed) =
            tokio::join!(shop.call(&customer, "Order/CreateOrder", order), close(&shop, &operator, &customer, true));
        assert_eq!(closed.code, 1000, "{closed:?} {bought:?}");
    }
    assert_eq!(shop.nodes_in_state("assigned"), 0, "nothing is left with an account that is closed");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_operator_has_the_link_to_another_address_sent_and_its_owner_confirms() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let ask = async |email: &str| {
        let body = json!({"AccountId": customer.account_id, "Email": email, "Reason": "known by two invoices"});
        shop.call(&operator, "Operator/RequestEmailChange", body).await
    };
    assert_eq!(ask("nobody").await.data["Fields"]["Email"][0]["Rule"], "email");
    assert_eq!(ask(&customer.email).await.data["Fields"]["Email"][0]["Rule"], "emailSame");
    assert_eq!(ask("Right@Northlight.io").await.data, json!({"Sent": true}));
    shop.run_jobs().await;
    let notice = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(notice.contains("right@northlight.io") && notice.contains("stop="), "{notice}");
    let entry = last_entry(&shop, &operator).await;
    assert_eq!(
        (&entry["Action"], &entry["Reason"]),
        (&json!("email_change_requested"), &json!("known by two invoices"))
    );
    assert!(!entry.to_string().contains("northlight"), "{entry}");
    let of_customer = shop.call(&customer, "User/GetUserInfo", json!({})).await.data;
    assert_eq!(of_customer["Email"], json!(customer.email), "nothing has changed yet");
    let confirm = json!({"Token": shop.mailed_token("right@northlight.io", "confirm")});
    assert_eq!(shop.send("User/ConfirmEmailChange", confirm, &[]).await.data["Email"], "right@northlight.io");
    let login = json!({"Email": "right@northlight.io", "Password": PASSWORD});
    assert_eq!(shop.send("User/Login", login, &[]).await.code, 1000);
    let account = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": customer.account_id})).await.data;
    assert_eq!(account["Account"]["Email"], "right@northlight.io");
}
