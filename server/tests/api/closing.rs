//! Closing an account and exporting its data: nothing is lost without consent, no partial state, no personal data left.
use crate::receiver::{Manner, Receiver};
use crate::shop::{Customer, PASSWORD, Shop, order_for};
use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::sql_query;
use diesel::sql_types::Text;
use postern_core::event::EventKind;
use postern_core::webhook_delivery::WebhookState;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::events;
use postern_server::schema::{commissions, webhooks};
use serde_json::{Value, json};

async fn close(shop: &Shop, customer: &Customer, more: Value) -> Value {
    let mut body = json!({"Password": PASSWORD});
    body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    let answer = shop.call(customer, "User/CloseAccount", body).await;
    if answer.code == 1000 {
        answer.data
    } else {
        json!({"Code": answer.code, "Key": answer.data["Key"], "Data": answer.data})
    }
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Text)]
    text: String,
}

/// Every row of every table, as text.
fn all_rows(shop: &Shop) -> String {
    let rows = |conn: &mut Conn| {
        let tables = match conn {
            Conn::Postgres(_) => {
                "SELECT table_name::text AS text FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
            }
            Conn::Sqlite(_) => {
                "SELECT name AS text FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            }
        };
        let mut all = String::new();
        for table in sql_query(tables).load::<Found>(conn)? {
            let row = match conn {
                Conn::Postgres(_) => "t::text".to_owned(),
                Conn::Sqlite(_) => {
                    let columns = format!("SELECT name AS text FROM pragma_table_info('{}')", table.text);
                    let columns: Vec<Found> = sql_query(columns).load(conn)?;
                    let columns = columns.iter().map(|column| format!("ifnull(CAST(\"{}\" AS TEXT), '')", column.text));
                    columns.collect::<Vec<_>>().join(" || ' ' || ")
                }
            };
            for found in sql_query(format!("SELECT {row} AS text FROM {} AS t", table.text)).load::<Found>(conn)? {
                all.push_str(&found.text);
                all.push('\n');
            }
        }
        Ok(all)
    };
    shop.app.db.read_blocking(rows).expect("all rows")
}

#[actix_web::test]
async fn an_account_without_anything_is_closed_at_once_and_its_address_can_sign_up_again() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let other = shop.signs_in(&customer);
    assert_eq!(close(&shop, &customer, json!({"Password": "not the password"})).await["Key"], "wrongPassword");
    assert_eq!(close(&shop, &customer, json!({})).await, json!({"Closed": true}));
    for session in [&customer, &other] {
        assert_eq!(shop.call(session, "User/GetUserInfo", json!({})).await.code, 3001, "its sessions have ended");
    }
    let login = json!({"Email": customer.email, "Password": PASSWORD});
    assert_eq!(shop.send("User/Login", login.clone(), &[]).await.data["Key"], "signInFailed");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "is closed"), 1);

    shop.send("User/SignUp", json!({"Email": customer.email, "Password": PASSWORD}), &[]).await;
    shop.run_jobs().await;
    let verify = json!({"VerifyToken": shop.mailed_token(&customer.email, "verify"), "Password": PASSWORD});
    assert_eq!(shop.send("User/VerifyEmail", verify, &[]).await.code, 1000);
    assert_eq!(shop.send("User/Login", login, &[]).await.code, 1000);
}

#[actix_web::test]
async fn remaining_assets_are_listed_and_lost_only_with_consent() {
    let shop = Shop::open_with_traffic();
    let customer = shop.owner_of(2, 1_000).await;
    let traffic = json!({"Gigabytes": 1, "PeriodDays": 30, "ExpectedTotal": "4.00", "PayFromWallet": true});
    assert_eq!(shop.call(&customer, "Traffic/CreateTrafficOrder", traffic).await.code, 1000);
    let form = json!({"Name": "closing_1", "LimitCycle": "none"});
    assert_eq!(shop.call(&customer, "ProxyUsers/AddProxyUser", form).await.code, 1000);
    let refused = close(&shop, &customer, json!({})).await;
    assert_eq!(
        refused["Data"],
        json!({"Key": "closingLeaves", "Balance": "6.00", "Currency": "USD", "Proxies": 2, "Gigabytes": "1", "Commissions": "0.00"})
    );
    assert_eq!(shop.nodes_of(&customer).await.len(), 2);
    assert_eq!(close(&shop, &customer, json!({"GiveUpBalance": true})).await, json!({"Closed": true}));
    assert_eq!(shop.nodes_in_state("assigned"), 0);
    assert_eq!(shop.nodes_in_state("quarantined"), 2);
    shop.run_jobs().await;
    shop.ledger_adds_up();
    let operator = shop.operator();
    let account = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": customer.account_id})).await.data;
    assert_eq!(
        (&account["Account"]["State"], &account["Account"]["WalletBalance"]),
        (&json!("suspended"), &json!("0.00")),
        "{account}"
    );
    assert!(account["ClosedAt"].is_string(), "{account}");
}

#[actix_web::test]
async fn a_closed_account_cannot_be_changed() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    assert_eq!(close(&shop, &customer, json!({})).await, json!({"Closed": true}));
    for (call, change) in [
        ("SetAccountState", json!({"State": "active", "Reason": ""})),
        ("SetAccountTerms", json!({"Level": 1, "Discount": "10"})),
        ("SetAccountFlags", json!({"ShowInvitationCode": true, "ShowAccessToken": true})),
        ("SaveAccountNote", json!({"Note": "n"})),
        ("AdjustWallet", json!({"Adjustment": "goodwill", "Amount": "1", "Reason": "r"})),
        ("TurnOffTwoFactor", json!({"Reason": "r"})),
        ("ViewAsCustomer", json!({})),
        ("CloseAccount", json!({"Reason": "r", "GiveUpBalance": true})),
        ("RequestEmailChange", json!({"Email": "new@northlight.io", "Reason": "r"})),
    ] {
        let mut body = json!({"AccountId": customer.account_id});
        body.as_object_mut().expect("an object").extend(change.as_object().cloned().expect("an object"));
        let answer = shop.call(&operator, &format!("Operator/{call}"), body).await;
        assert_eq!((answer.code, &answer.data["Key"]), (3333, &json!("accountClosed")), "{call}: {answer:?}");
    }
    let seen = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": customer.account_id})).await.data;
    assert_eq!((&seen["Account"]["Level"], &seen["ShowAccessToken"]), (&json!(0), &json!(false)), "{seen}");
    let gone = seen["Account"]["Email"].as_str().expect("what stands for the address").to_owned();
    for arguments in
        [&["level", &gone, "reseller", "--discount", "10"][..], &["show-token", &gone, "on"], &["resume", &gone]]
    {
        let output = shop.runs("account", arguments);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && printed.contains("permanently closed"), "{arguments:?}: {printed}");
    }
}

#[actix_web::test]
async fn commissions_are_named_before_they_are_lost_and_no_more_are_earned() {
    let shop = Shop::open();
    let referrer = shop.customer_invited_by("", "203.0.113.1", 0);
    let code = shop.invite_code_of(&referrer);
    let friend = shop.customer_invited_by(&code, "203.0.113.2", 10_000);
    shop.stock("US", "new-york", 6);
    shop.buys(&friend, order_for(&[("US", "new-york", 3)], "15.00")).await;
    let refused = close(&shop, &referrer, json!({})).await;
    assert_eq!(
        (&refused["Key"], &refused["Data"]["Commissions"], &refused["Data"]["Balance"]),
        (&json!("closingLeaves"), &json!("1.50"), &json!("0.00"))
    );
    assert_eq!(close(&shop, &referrer, json!({"GiveUpBalance": true})).await, json!({"Closed": true}));
    shop.buys(&friend, order_for(&[("US", "new-york", 3)], "15.00")).await;
    let earned = shop.app.db.read_blocking(|conn| {
        let own = commissions::table.filter(commissions::referrer_id.eq(referrer.account_id));
        Ok(own.select(commissions::amount_minor).load::<i64>(conn)?)
    });
    assert_eq!(earned.expect("commissions"), [150], "the second order earns nothing");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn webhooks_end_and_messages_are_deleted() {
    let shop = Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")]);
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(204));
    let form = json!({ "Url": receiver.url });
    assert_eq!(shop.call(&customer, "Webhooks/AddWebhook", form).await.code, 1000);
    let answer = shop.call(&customer, "Support/SendMessage", json!({"Text": "My aunt's name is Zabriskie"})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    let operator = shop.operator();
    for (call, field) in [("Operator/SendReply", "Text"), ("Operator/SaveAccountNote", "Note")] {
        let body = json!({"AccountId": customer.account_id, field: "About Mrs Zabriskie"});
        assert_eq!(shop.call(&operator, call, body).await.code, 1000, "{call}");
    }
    assert!(all_rows(&shop).contains("Mrs Zabriskie"), "rows are looked at");
    assert_eq!(close(&shop, &customer, json!({})).await, json!({"Closed": true}));
    shop.run_jobs().await;
    assert!(!all_rows(&shop).contains("Zabriskie"));
    let left = shop.app.db.read_blocking(|conn| {
        let own = webhooks::table.filter(webhooks::account_id.eq(customer.account_id));
        Ok(own.select(webhooks::state).load::<WebhookState>(conn)?)
    });
    assert!(left.expect("webhooks").iter().all(|state| *state == WebhookState::Deleted));
    let received = receiver.received().len();
    let now = shop.app.clock.now();
    let happens = |conn: &mut Conn| {
        events::record(conn, customer.account_id, EventKind::CommissionEarned, &json!({"Amount": "1.00"}), now)
    };
    shop.app.db.write_blocking(happens).expect("an event");
    shop.run_jobs().await;
    assert_eq!(receiver.received().len(), received, "nothing is sent for a closed account");
}

#[actix_web::test]
async fn money_for_a_closed_account_raises_an_alarm_until_it_is_paid_back() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]);
    let (customer, other, operator) = (shop.customer(0), shop.customer(0), shop.operator());
    let alarms = async || shop.call(&operator, "Operator/GetAlarmList", json!({})).await.data;
    let begins = async |customer: &Customer| {
        let top_up = json!({"Amount": "50", "PaymentMethod": "transfer"});
        let started = shop.call(customer, "Wallet/CreateTopUp", top_up).await.data;
        let cancel = json!({"OrderId": started["Order"]["OrderId"]});
        assert_eq!(shop.call(customer, "Order/CancelOrder", cancel).await.code, 1000);
        json!({"PaymentId": started["Payment"]["PaymentId"], "Amount": "50"})
    };
    let (arrival, others) = (begins(&customer).await, begins(&other).await);
    assert_eq!(close(&shop, &customer, json!({})).await, json!({"Closed": true}));
    assert_eq!(shop.call(&operator, "Order/SettlePayment", others).await.data["State"], "succeeded");
    assert_eq!(alarms().await, json!([]), "the other account is open");
    assert_eq!(shop.call(&operator, "Order/SettlePayment", arrival).await.data["State"], "succeeded");
    let raised = alarms().await;
    assert_eq!(raised[0]["Alarm"], "closed_accounts", "{raised}");
    let sentence = raised[0]["Problems"][0].as_str().expect("a sentence").to_owned();
    assert!(
        sentence.contains(&format!("account {} ", customer.account_id)) && sentence.contains("50.00 USD"),
        "{sentence}"
    );
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&operator.email, "money has arrived for closed accounts"), 1);
    shop.app.clock.advance(TimeDelta::hours(24));
    shop.run_jobs().await;
    let operator = shop.signs_in(&operator);
    let alarms = async || shop.call(&operator, "Operator/GetAlarmList", json!({})).await.data;
    assert_eq!(alarms().await[0]["Problems"], json!([sentence]), "the nightly check finds it again");
    let name = sentence.split('"').nth(1).expect("a name");
    let output = shop.runs("account", &["paid-back", name]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(alarms().await, json!([]));
    assert!(!shop.runs("account", &["paid-back", name]).status.success(), "once");
    assert!(!shop.runs("account", &["paid-back", &other.email]).status.success(), "an open account keeps its money");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_unpaid_order_prevents_closing() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.stock("US", "new-york", 1);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.data;
    assert_eq!(close(&shop, &customer, json!({"GiveUpBalance": true})).await["Key"], "closingUnpaidOrders");
    let top_up = json!({"Amount": "50", "PaymentMethod": "sandbox"});
    shop.call(&customer, "Order/CancelOrder", json!({"OrderId": order["OrderId"]})).await;
    let started = shop.call(&customer, "Wallet/CreateTopUp", top_up).await;
    assert_eq!(started.code, 1000, "{started:?}");
    assert_eq!(close(&shop, &customer, json!({})).await["Key"], "closingUnpaidOrders");
    let id = started.data["Order"]["OrderId"].clone();
    assert_eq!(shop.call(&customer, "Order/CancelOrder", json!({"OrderId": id})).await.code, 1000);
    assert_eq!(close(&shop, &customer, json!({})).await, json!({"Closed": true}));
    assert_eq!(shop.nodes_in_state("available"), 1);
}

#[actix_web::test]
async fn operators_and_suspended_accounts_do_not_close() {
    use postern_core::account::AccountState;
    use postern_server::schema::accounts;
    let shop = Shop::open();
    let operator = shop.operator();
    assert_eq!(close(&shop, &operator, json!({})).await["Key"], "closingOperator");
    let customer = shop.customer(0);
    let suspended = shop.app.db.write_blocking(|conn| {
        let account = diesel::update(accounts::table.find(customer.account_id));
        Ok(account.set(accounts::state.eq(AccountState::Suspended)).execute(conn)?)
    });
    assert_eq!(suspended.expect("an update"), 1);
    assert_eq!(close(&shop, &customer, json!({})).await["Code"], 3003);
}

#[actix_web::test]
async fn closing_needs_a_code_and_a_refusal_does_not_consume_it() {
    let shop = Shop::open();
    let customer = shop.customer(100);
    let (secret, _) = crate::two_factor::turn_on(&shop, &customer).await;
    let code = shop.code_of(&secret, 0);
    assert_eq!(close(&shop, &customer, json!({"Code": code})).await["Key"], "closingLeaves");
    let gives_up = |code: &str| json!({"Code": code, "GiveUpBalance": true});
    assert_eq!(close(&shop, &customer, gives_up("")).await["Key"], "twoFactorNeeded");
    assert_eq!(close(&shop, &customer, gives_up("000000")).await["Key"], "twoFactorWrong");
    assert_eq!(close(&shop, &customer, gives_up(&code)).await, json!({"Closed": true}));
}

#[actix_web::test]
async fn a_failed_closing_changes_nothing() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 1_000).await;
    // Make a late statement of the transaction fail.
    let rename = |from: &str, to: &str| {
        let rename = format!("ALTER TABLE {from} RENAME TO {to}");
        shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(&rename)?)).expect("another name");
    };
    rename("known_devices", "hidden_devices");
    assert_eq!(close(&shop, &customer, json!({"GiveUpBalance": true})).await["Code"], 5000);
    rename("hidden_devices", "known_devices");
    assert_eq!(shop.balance(&customer).await, "10.00");
    assert_eq!(shop.nodes_of(&customer).await.len(), 1);
    assert_eq!(shop.call(&customer, "User/GetUserInfo", json!({})).await.data["Email"], customer.email.as_str());
    shop.ledger_adds_up();
    let closing = [0; 3].map(|_| close(&shop, &customer, json!({"GiveUpBalance": true})));
    let answers = futures_util::future::join_all(closing).await;
    assert_eq!(answers.iter().filter(|answer| **answer == json!({"Closed": true})).count(), 1, "{answers:?}");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn personal_data_is_deleted_except_on_invoices() {
    let shop = Shop::open();
    let customer = shop.customer(10_000);
    let details = json!({"FirstName": "Quirin", "LastName": "Zabriskie", "Phone": "+49 30 1234567", "Website": "https://zabriskie.example"});
    assert_eq!(shop.call(&customer, "User/UpdateAccountDetails", details).await.code, 1000);
    let there = [("X-Forwarded-For", "203.0.113.77"), ("User-Agent", "zabriskie-browser")];
    shop.send("User/Login", json!({"Email": customer.email, "Password": PASSWORD}), &there).await;
    let request = json!({"Email": "zabriskie@example.org", "Password": PASSWORD});
    assert_eq!(shop.call(&customer, "User/RequestEmailChange", request).await.code, 1000);
    let form = json!({"Name": "zabriskie's", "Scopes": ["account:read"], "Addresses": ["203.0.113.77/32"]});
    let key = shop.call(&customer, "ApiKeys/AddApiKey", form).await;
    let secret = key.data["Secret"].as_str().unwrap_or_else(|| panic!("{key:?}")).to_owned();
    shop.run_jobs().await;
    assert_eq!(close(&shop, &customer, json!({"GiveUpBalance": true})).await, json!({"Closed": true}));
    let there = [("X-Forwarded-For", "203.0.113.77"), ("Token", secret.as_str())];
    assert_eq!(shop.send("User/GetUserInfo", json!({}), &there).await.status, 401, "keys end, too");
    shop.run_jobs().await;
    // Sent mails and attempt counts are kept for a while.
    shop.app.clock.advance(TimeDelta::days(31));
    shop.run_jobs().await;
    let rows = all_rows(&shop);
    assert!(rows.contains("closed "), "rows are looked at");
    for personal in ["Quirin", "abriskie", "301234567", "203.0.113.77", &customer.email] {
        let line = rows.lines().find(|line| line.contains(personal));
        assert_eq!(line, None, "{personal}");
    }
}

#[actix_web::test]
async fn an_export_has_everything_of_the_account_and_nothing_of_others() {
    let shop = Shop::open();
    let customer = shop.owner_of(3, 1_000).await;
    let stranger = shop.owner_of(2, 0).await;
    shop.call(&customer, "User/UpdateAccountDetails", json!({"FirstName": "Quirin"})).await;
    shop.send("User/Login", json!({"Email": customer.email, "Password": PASSWORD}), &[]).await;
    let text = shop.download(&customer, "User/ExportData", json!({})).await;
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let count = |name: &str| all[name].as_array().unwrap_or_else(|| panic!("{name}: {text}")).len();
    assert_eq!(all["Account"][0]["FirstName"], "Quirin");
    assert_eq!(all["Users"][0]["Email"], customer.email.as_str());
    assert_eq!((count("Proxies"), count("Orders"), count("Invoices"), count("Sessions")), (3, 1, 1, 2));
    assert_eq!(all["Wallet"][0]["Balance"], "10.00");
    let order = &all["Orders"][0];
    assert_eq!((&order["Lines"][0]["Quantity"], &order["Payments"][0]["State"]), (&json!(3), &json!("succeeded")));
    assert!(!text.contains(&stranger.email) && !text.contains("argon2") && !text.contains(&customer.token));
    let log = shop.call(&customer, "User/GetSecurityLog", json!({})).await.data;
    assert_eq!(log["Rows"][0]["Kind"], "data_exported");
    let mut exports = 1;
    while shop.call(&customer, "User/GetWallet", json!({})).await.code == 1000 && exports < 10 {
        let text = shop.download(&customer, "User/ExportData", json!({})).await;
        if text.contains("\"Code\":4290") {
            break;
        }
        exports += 1;
    }
    assert_eq!(exports, 5, "an export is much work");
}

#[actix_web::test]
async fn an_export_of_many_rows_has_each_of_them_once() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let insert = "INSERT INTO white_list (account_id, ver_str, address, created_at) \
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
        SELECT ACCOUNT, 'shared ISP proxies plan', 'a' || i, '2026-01-01 00:00:00' FROM n";
    let insert = insert.replace("ACCOUNT", &customer.account_id.to_string()).replace(
        "'2026-01-01 00:00:00'",
        match shop.app.config.database_url.starts_with("postgres") {
            true => "CAST('2026-01-01 00:00:00' AS TIMESTAMP)",
            false => "'2026-01-01 00:00:00'",
        },
    );
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(&insert)?)).expect("rows");
    let text = shop.download(&customer, "User/ExportData", json!({})).await;
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let mut addresses: Vec<&str> =
        all["Whitelist"].as_array().expect("a list").iter().filter_map(|row| row["Address"].as_str()).collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), 2_000);
}
