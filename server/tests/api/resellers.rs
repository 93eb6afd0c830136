//! Resellers: granted by operators and commands, priced alike by server and browser, kept by orders, never refunded above what was paid.
use crate::invoices::documents;
use crate::shop::{CallAnswer, Customer, REGULAR, Shop, order_for};
use chrono::TimeDelta;
use postern_core::money::Money;
use postern_core::operator_forms::{AccountTermsForm, CouponForm};
use postern_core::quote::{QuoteRequest, Terms, quote_with_terms};
use postern_core::tier::Catalogue;
use postern_server::accounts::queries::set_terms_of;
use postern_server::audit::Actor;
use postern_server::coupons;
use serde_json::{Value, json};

async fn grants(shop: &Shop, operator: &Customer, account_id: i64, level: u8, discount: &str) -> CallAnswer {
    let body = json!({"AccountId": account_id, "Level": level, "Discount": discount});
    shop.call(operator, "Operator/SetAccountTerms", body).await
}

/// A customer with money and this discount, and the operator who granted it.
async fn reseller(shop: &Shop, discount: &str, balance_minor: i64) -> (Customer, Customer) {
    let (reseller, operator) = (shop.customer(balance_minor), shop.operator());
    let granted = grants(shop, &operator, reseller.account_id, 1, discount).await;
    assert_eq!(granted.code, 1000, "{granted:?}");
    (reseller, operator)
}

async fn discount_of(shop: &Shop, customer: &Customer) -> (Value, Value) {
    let info = shop.call(customer, "User/GetUserInfo", json!({})).await.data;
    (info["Level"].clone(), info["ResellerBasisPoints"].clone())
}

#[actix_web::test]
async fn only_operators_see_accounts_and_grant_discounts() {
    let shop = Shop::open();
    let (reseller, _) = reseller(&shop, "15", 0).await;
    let customer = shop.customer(0);
    for who in [&customer, &reseller] {
        for call in ["Operator/GetAccountList", "Operator/GetAccount", "Operator/SetAccountTerms"] {
            let body = json!({"AccountId": who.account_id, "Level": 1, "Discount": "50"});
            assert_eq!(shop.call(who, call, body).await.code, 3003, "{call}");
        }
    }
    assert_eq!(discount_of(&shop, &customer).await, (json!(0), json!(0)));
    assert_eq!(discount_of(&shop, &reseller).await, (json!(1), json!(1_500)));
}

#[actix_web::test]
async fn invalid_terms_are_refused_and_change_nothing() {
    let shop = Shop::open();
    let (operator, colleague, customer) = (shop.operator(), shop.operator(), shop.customer(0));
    for (level, discount, field, rule) in [
        (1, "", "Discount", "required"),
        (1, "90.01", "Discount", "discount"),
        (1, "-5", "Discount", "discount"),
        (1, "fifteen", "Discount", "discount"),
        (0, "15", "Discount", "discountOfResellers"),
        (3, "", "Level", "unknownLevel"),
    ] {
        let answer = grants(&shop, &operator, customer.account_id, level, discount).await;
        assert_eq!((answer.code, &answer.data["Fields"][field][0]["Rule"]), (2001, &json!(rule)), "{level} {discount}");
    }
    assert_eq!(grants(&shop, &operator, customer.account_id, 2, "").await.code, 3003, "nobody makes staff here");
    for staff in [&operator, &colleague] {
        assert_eq!(grants(&shop, &operator, staff.account_id, 0, "").await.code, 3003);
        assert_eq!(discount_of(&shop, staff).await, (json!(2), json!(0)));
    }
    assert_eq!(grants(&shop, &operator, 999_999, 1, "15").await.code, 3004);
    let found = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": customer.account_id})).await;
    assert_eq!((&found.data["Account"]["Level"], &found.data["History"]), (&json!(0), &json!([])));
}

#[actix_web::test]
async fn every_change_is_recorded_with_its_author_and_the_previous_value() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(700), shop.operator());
    assert_eq!(grants(&shop, &operator, customer.account_id, 1, "15").await.code, 1000);
    let again = grants(&shop, &operator, customer.account_id, 1, "15.00").await;
    assert_eq!(again.data["History"].as_array().map(Vec::len), Some(1), "the same again is no change");
    shop.app.clock.advance(TimeDelta::days(1));
    let now = shop.app.clock.now();
    let form = AccountTermsForm { level: 1, discount: "12.5".to_owned(), role: None };
    let email = format!(" {} ", customer.email.to_uppercase());
    shop.app
        .db
        .write_blocking(|conn| set_terms_of(conn, &email, &form, &Actor::command(), now))
        .expect("a command's change");
    assert_eq!(grants(&shop, &operator, customer.account_id, 0, "").await.code, 1000);
    let found = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": customer.account_id})).await.data;
    let rows: Vec<Value> = found["History"].as_array().cloned().unwrap_or_default();
    let change = |row: &Value| {
        let changes = row["Changes"].as_array().expect("changes").iter();
        let text =
            |change: &Value| format!("{} {} {}", change["Field"], change["Before"], change["After"]).replace('"', "");
        (row["Operator"].clone(), row["Channel"].clone(), changes.map(text).collect::<Vec<_>>())
    };
    let changes = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        rows.iter().map(change).collect::<Vec<_>>(),
        [
            (json!(operator.email), json!("screen"), changes(&["level 1 0", "discount 1250 0"])),
            (Value::Null, json!("command"), changes(&["discount 1500 1250"])),
            (json!(operator.email), json!("screen"), changes(&["level 0 1", "discount 0 1500"])),
        ]
    );
    assert!(rows[2]["At"].as_str() < rows[1]["At"].as_str(), "{rows:?}");
    let account = &found["Account"];
    assert_eq!((&account["Email"], &account["WalletBalance"]), (&json!(customer.email), &json!("7.00")));
    let staff = AccountTermsForm { level: 2, discount: String::new(), role: None };
    shop.app
        .db
        .write_blocking(|conn| set_terms_of(conn, &customer.email, &staff, &Actor::command(), now))
        .expect("a new operator");
    assert_eq!(shop.call(&customer, "Operator/GetAccountList", json!({})).await.code, 1000);
}

#[actix_web::test]
async fn accounts_are_found_by_a_part_of_the_address_and_by_their_level() {
    let shop = Shop::open();
    let (reseller, operator) = reseller(&shop, "15", 0).await;
    let customers: Vec<Customer> = (0..3).map(|_| shop.customer(0)).collect();
    let list = async |body: Value| {
        let answer = shop.call(&operator, "Operator/GetAccountList", body).await;
        let rows = answer.data["Rows"].as_array().cloned().unwrap_or_default();
        let ids: Vec<i64> = rows.iter().filter_map(|row| row["AccountId"].as_i64()).collect();
        (answer.code, answer.data["Total"].as_u64(), ids)
    };
    let part = customers[1].email[2..14].to_uppercase();
    assert_eq!(list(json!({"Search": part})).await, (1000, Some(1), vec![customers[1].account_id]));
    assert_eq!(list(json!({"Search": "%"})).await.1, Some(0), "what is typed stands for itself");
    assert_eq!(list(json!({"Filter": {"Level": 1}})).await, (1000, Some(1), vec![reseller.account_id]));
    let (_, total, ids) = list(json!({"Page": 2, "PageSize": 2})).await;
    assert_eq!((total, ids), (Some(5), vec![customers[0].account_id, operator.account_id]), "newest first");
    assert_eq!(list(json!({"Filter": {"Password": "x"}})).await.0, 2002);
    assert_eq!(list(json!({"Sort": [{"Field": "Email"}]})).await.0, 2002);
}

#[actix_web::test]
async fn browser_and_server_quotes_are_equal_to_the_cent() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 60);
    for discount in ["0.01", "7.77", "12.34", "15", "33.33", "90"] {
        let (reseller, _) = reseller(&shop, discount, 0).await;
        // The browser's inputs: the account's response and the catalogue.
        let info = shop.call(&reseller, "User/GetUserInfo", json!({})).await.data;
        let reseller_basis_points = info["ResellerBasisPoints"].as_u64().and_then(|points| points.try_into().ok());
        let terms = Terms { reseller_basis_points: reseller_basis_points.expect("a discount"), coupon: None };
        for (quantity, period) in [(1, 30), (3, 90), (7, 30), (23, 180), (51, 360)] {
            let body = json!({"VerStr": REGULAR, "PeriodDays": period, "Lines": [{"Country": "US", "City": "new-york", "Quantity": quantity}]});
            let request: QuoteRequest = serde_json::from_value(body.clone()).expect("a request");
            let previewed = quote_with_terms(&request, &Catalogue::default(), &terms).expect("a quote");
            let quoted = shop.call(&reseller, "Order/QuoteOrder", body).await;
            assert_eq!(quoted.data, serde_json::to_value(&previewed).expect("json"), "{discount} {quantity} {period}");
        }
    }
}

#[actix_web::test]
async fn an_order_keeps_its_discount_and_shows_it_on_the_invoice() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 6);
    let (reseller, operator) = reseller(&shop, "15", 2_000).await;
    let made = shop.call(&reseller, "Order/CreateOrder", order_for(&[("US", "new-york", 3)], "12.75")).await;
    let line = json!([{"Kind": "reseller", "BasisPoints": 1500, "Amount": "2.25"}]);
    assert_eq!((made.code, &made.data["Subtotal"], &made.data["Discounts"]), (1000, &json!("15.00"), &line));
    grants(&shop, &operator, reseller.account_id, 1, "20").await;
    let pay = json!({"OrderId": made.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&reseller, "Order/PayOrder", pay).await.data["Order"]["Total"], "12.75");
    assert_eq!(shop.balance(&reseller).await, "7.25");
    let invoice = documents(&shop, &reseller).await[0]["InvoiceNumber"].clone();
    let invoice = shop.call(&reseller, "Billing/GetInvoice", json!({"InvoiceNumber": invoice})).await.data;
    assert_eq!(
        (&invoice["Subtotal"], &invoice["Discounts"], &invoice["Total"]),
        (&json!("15.00"), &line, &json!("12.75"))
    );
    // An ordinary customer has no discount.
    let customer = shop.customer(2_000);
    let answer = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 3)], "15.00")).await;
    assert_eq!((answer.code, &answer.data["Discounts"]), (1000, &json!([])));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_discount_changed_since_the_quote_refuses_the_order() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (reseller, operator) = reseller(&shop, "15", 2_000).await;
    let order = |total: &str| order_for(&[("US", "new-york", 3)], total);
    for (level, discount, old, new) in
        [(1, "20", "12.75", "12.00"), (1, "10", "12.00", "13.50"), (0, "", "13.50", "15.00")]
    {
        grants(&shop, &operator, reseller.account_id, level, discount).await;
        let answer = shop.call(&reseller, "Order/CreateOrder", order(old)).await;
        assert_eq!((answer.code, &answer.data), (4004, &json!({"OldPrice": old, "NewPrice": new, "Currency": "USD"})));
    }
    assert_eq!((discount_of(&shop, &reseller).await, shop.nodes_in_state("held")), ((json!(0), json!(0)), 0));
    assert_eq!(shop.call(&reseller, "Order/CreateOrder", order("15.00")).await.code, 1000);
}

#[actix_web::test]
async fn a_coupon_applies_after_the_discount() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (reseller, _) = reseller(&shop, "15", 2_000).await;
    let form = CouponForm { code: "TEN".to_owned(), percent: "10".to_owned(), ..CouponForm::default() };
    coupons::add(&shop.app, &form).expect("a coupon");
    // A tenth of 12.75 is 1.275, rounded to 1.28.
    let mut order = order_for(&[("US", "new-york", 3)], "11.47");
    order["Coupon"] = json!("ten");
    let made = shop.call(&reseller, "Order/CreateOrder", order).await;
    let amounts: Vec<_> = made.data["Discounts"].as_array().into_iter().flatten().map(|one| &one["Amount"]).collect();
    assert_eq!((made.code, amounts), (1000, vec![&json!("2.25"), &json!("1.28")]));
}

#[actix_web::test]
async fn renewals_use_the_current_discount() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 2);
    let (reseller, operator) = reseller(&shop, "15", 3_000).await;
    shop.buys(&reseller, order_for(&[("US", "new-york", 2)], "8.50")).await;
    grants(&shop, &operator, reseller.account_id, 1, "20").await;
    let renew = |total: &str| json!({"All": true, "PeriodDays": 30, "ExpectedTotal": total});
    let preview = shop.call(&reseller, "Ips/IpsNoneRenewByPrice", json!({"All": true, "PeriodDays": 30})).await.data;
    assert_eq!(
        (&preview["Quote"]["Total"], &preview["Quote"]["Discounts"][0]["Kind"]),
        (&json!("8.00"), &json!("reseller"))
    );
    assert_eq!(shop.call(&reseller, "Ips/IpsNoneRenew", renew("8.50")).await.code, 4004);
    let order = shop.call(&reseller, "Ips/IpsNoneRenew", renew("8.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&reseller, "Order/PayOrder", pay).await.code, 1000);
    assert_eq!(shop.balance(&reseller).await, "13.50");
    let on = json!({"VerStr": REGULAR, "AutoRenew": true});
    assert_eq!(shop.call(&reseller, "Ips/SetAutoRenew", on).await.data["Changed"], 2);
    grants(&shop, &operator, reseller.account_id, 1, "50").await;
    shop.app.clock.advance(TimeDelta::days(58));
    shop.run_jobs().await;
    let (reseller, operator) = (shop.signs_in(&reseller), shop.signs_in(&operator));
    assert_eq!(shop.balance(&reseller).await, "8.50", "two IPs at half their price");
    grants(&shop, &operator, reseller.account_id, 0, "").await;
    shop.app.clock.advance(TimeDelta::days(30));
    shop.run_jobs().await;
    let reseller = shop.signs_in(&reseller);
    assert_eq!(shop.balance(&reseller).await, "3.50", "one at the full price: it is all that the wallet pays for");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_discounted_order_refunds_exactly_what_was_paid() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 7);
    let (reseller, operator) = reseller(&shop, "12.34", 3_068).await;
    // 35.00 less 4.319, rounded to 4.32: seven IPs for 30.68, which cannot all cost the same.
    shop.buys(&reseller, order_for(&[("US", "new-york", 7)], "30.68")).await;
    grants(&shop, &operator, reseller.account_id, 0, "").await;
    let order = shop.call(&reseller, "Order/GetOrderList", json!({})).await.data["Rows"][0].clone();
    let list_price = json!({"OrderNumber": order["OrderNumber"], "Amount": "35.00", "Reason": "r"});
    let answer = shop.call(&operator, "Operator/RefundOrder", list_price).await;
    assert_eq!((answer.code, &answer.data["Fields"]["Amount"][0]["Params"]), (2001, &json!({"Max": "30.68"})));
    let mut total = Money::ZERO;
    for node in shop.nodes_of(&reseller).await {
        let one = json!({"OrderNumber": order["OrderNumber"], "NodeIds": [node["NodeId"]], "Reason": "r"});
        let done = shop.call(&operator, "Operator/RefundOrder", one).await;
        let amount = Money::parse(done.data["Amount"].as_str().unwrap_or_default()).expect("an amount");
        assert!(amount <= Money::from_minor(439), "{amount} of an IP that was listed at 5.00");
        total = total.checked_add(amount).expect("a sum");
    }
    assert!(total <= Money::from_minor(3_068) && total > Money::from_minor(3_060), "{total} of 30.68");
    assert_eq!(shop.balance(&reseller).await, total.to_string());
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_paid_switch_costs_a_reseller_the_unit_price_too() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (reseller, _) = reseller(&shop, "15", 2_000).await;
    shop.buys(&reseller, order_for(&[("US", "new-york", 1)], "4.25")).await;
    let node = shop.nodes_of(&reseller).await[0]["NodeId"].clone();
    let answer = shop.call(&reseller, "Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [node]})).await;
    assert_eq!((answer.code, &answer.data["Total"]), (1000, &json!("5.00")), "{answer:?}");
    assert_eq!(shop.balance(&reseller).await, "10.75");
    shop.ledger_adds_up();
}
