//! Payments through a gateway that speaks EPay, by both versions of the protocol.
use crate::btcpay::{cases, cases_of};
use crate::epay_double::{Epay, Version};
use crate::shop::{Customer, Shop, clients};
use crate::stripe::redirect_of;
use chrono::TimeDelta;
use serde_json::{Value, json};

fn open(version: Version) -> (Shop, Epay) {
    let epay = Epay::open(0, version);
    let settings = epay.settings();
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    (Shop::open_with(&settings), epay)
}

/// A shop in dollars whose customers pay in yuan.
pub async fn open_with_rate(version: Version) -> (Shop, Epay, Customer) {
    let (shop, epay) = open(version);
    let operator = shop.operator();
    let set = shop.call(&operator, "Operator/SetExchangeRate", json!({"Currency": "CNY", "Rate": "7.125"})).await;
    assert_eq!(set.code, 1000, "{set:?}");
    (shop, epay, operator)
}

/// Begins a top-up and opens the gateway's page for a wallet; returns the payment's id and the number of the gateway's order.
pub async fn top_up(shop: &Shop, epay: &Epay, customer: &Customer, amount: &str) -> (String, String) {
    let body = json!({"Amount": amount, "PaymentMethod": "epay"});
    let answer = shop.call(customer, "Wallet/CreateTopUp", body).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    let payment_id = answer.data["Payment"]["PaymentId"].as_str().expect("an id").to_owned();
    (payment_id.clone(), goes_to_wallet(shop, epay, &payment_id, "alipay").await)
}

async fn goes_to_wallet(shop: &Shop, epay: &Epay, payment_id: &str, wallet: &str) -> String {
    let address = redirect_of(shop, &format!("/pay/epay/{payment_id}/{wallet}")).await;
    let page = clients::get(address).await.expect("a page").text().await.expect("a page");
    assert!(page.contains(wallet), "{page}");
    epay.orders().pop().expect("an order")
}

/// Sends a callback; returns the status and the answer.
pub async fn send(shop: &Shop, query: &str) -> (u16, String) {
    let sent = shop.open_page(&format!("/gateway/callback/epay?{query}")).await;
    (sent.status().as_u16(), sent.text().await.expect("an answer"))
}

fn taken() -> (u16, String) {
    (200, "success".to_owned())
}

async fn last_verdict(shop: &Shop, operator: &Customer) -> String {
    let found = shop.call(operator, "Order/GetCallbackList", json!({})).await.data;
    found["Rows"][0]["Verdict"].as_str().unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn a_payment_is_charged_at_the_rate_that_it_began_with() {
    for version in [Version::Md5, Version::Rsa] {
        let (shop, epay, operator) = open_with_rate(version).await;
        let customer = shop.customer(0);
        let body = json!({"Amount": "25.01", "PaymentMethod": "epay"});
        let payment = shop.call(&customer, "Wallet/CreateTopUp", body).await.data["Payment"].clone();
        // 25.01 x 7.125 = 178.19625
        assert_eq!(
            (&payment["ChargedAmount"], &payment["ChargedCurrency"], &payment["Rate"]),
            (&json!("178.20"), &json!("CNY"), &json!("7.125"))
        );
        let payment_id = payment["PaymentId"].as_str().expect("an id").to_owned();
        shop.call(&operator, "Operator/SetExchangeRate", json!({"Currency": "CNY", "Rate": "9"})).await;
        let page = shop.open_page(payment["PayUrl"].as_str().expect("a path")).await.text().await.expect("a page");
        for text in ["¥178.20", "$25.01", "1 USD = 7.125 CNY", "Rounded up", "Alipay", "WeChat Pay"] {
            assert!(page.contains(text), "{text}: {page}");
        }
        let trade_no = goes_to_wallet(&shop, &epay, &payment_id, "wxpay").await;
        let asked = epay.asked(&trade_no);
        assert_eq!((asked["money"].as_str(), asked["type"].as_str()), ("178.20", "wxpay"));
        assert_eq!(asked["notify_url"], "http://shop.example/gateway/callback/epay");
        assert_eq!(asked["return_url"], format!("http://shop.example/pay/epay/{payment_id}/return"));
        epay.is_paid(&trade_no);
        for _ in 0..2 {
            assert_eq!(send(&shop, &epay.callback(&trade_no, &[])).await, taken());
        }
        assert_eq!(shop.balance(&customer).await, "25.01");
        let back = format!("/billing/wallet?PaymentId={payment_id}");
        assert_eq!(
            redirect_of(&shop, &format!("/pay/epay/{payment_id}/return?{}", epay.callback(&trade_no, &[]))).await,
            back
        );
        assert_eq!(redirect_of(&shop, &format!("/pay/epay/{payment_id}/alipay")).await, back, "nobody pays twice");
        assert!(cases(&shop).await.is_empty());
        shop.ledger_adds_up();
    }
}

#[actix_web::test]
async fn a_lost_callback_is_made_up_for_by_asking() {
    for version in [Version::Md5, Version::Rsa] {
        let (shop, epay, _) = open_with_rate(version).await;
        let customer = shop.customer(0);
        let (payment_id, trade_no) = top_up(&shop, &epay, &customer, "10").await;
        let get = json!({"PaymentId": payment_id});
        assert_eq!(shop.call(&customer, "Order/GetPayment", get.clone()).await.data["State"], "pending");
        epay.is_paid(&trade_no);
        assert_eq!(shop.call(&customer, "Order/GetPayment", get).await.data["State"], "succeeded");
        assert_eq!(shop.balance(&customer).await, "10.00");
        assert_eq!(send(&shop, &epay.callback(&trade_no, &[])).await, taken());
        assert_eq!(shop.balance(&customer).await, "10.00");
        shop.ledger_adds_up();
    }
}

#[actix_web::test]
async fn who_pays_twice_or_another_amount_has_it_in_the_wallet() {
    let (shop, epay, operator) = open_with_rate(Version::Md5).await;
    let customer = shop.customer(0);
    let (payment_id, first) = top_up(&shop, &epay, &customer, "10").await;
    let second = goes_to_wallet(&shop, &epay, &payment_id, "wxpay").await;
    assert_ne!(first, second);
    for trade_no in [&first, &second, &first, &second] {
        assert_eq!(send(&shop, &epay.callback(trade_no, &[])).await, taken());
    }
    assert_eq!(shop.balance(&customer).await, "20.00");
    assert_eq!(cases(&shop).await, [("10.00".to_owned(), "20.00".to_owned())]);
    assert_eq!(cases_of(&shop, "Reported", "ReportedCurrency").await, [("142.50".to_owned(), "CNY".to_owned())]);
    let other = shop.customer(0);
    let (_, trade_no) = top_up(&shop, &epay, &other, "10").await;
    // 71.25 was due.
    send(&shop, &epay.callback(&trade_no, &[("money", "71.24")])).await;
    assert_eq!(
        (shop.balance(&other).await.as_str(), last_verdict(&shop, &operator).await.as_str()),
        ("9.99", "settle")
    );
    let third = shop.customer(0);
    let (_, less) = top_up(&shop, &epay, &third, "10").await;
    send(&shop, &epay.callback(&less, &[("money", "0.01")])).await;
    assert_eq!(
        (shop.balance(&third).await.as_str(), last_verdict(&shop, &operator).await.as_str()),
        ("0.00", "wrong_amount"),
        "worth less than a cent"
    );
    send(&shop, &epay.callback(&less, &[("money", "71.25")])).await;
    assert_eq!(shop.balance(&third).await, "10.00");
    let more = epay.callback(&trade_no, &[("money", "142.5")]);
    send(&shop, &more).await;
    assert_eq!(
        (shop.balance(&other).await.as_str(), last_verdict(&shop, &operator).await.as_str()),
        ("20.00", "credit_wallet")
    );
    send(&shop, &epay.callback(&trade_no, &[("money", "71.25")])).await;
    assert_eq!(
        (shop.balance(&other).await.as_str(), last_verdict(&shop, &operator).await.as_str()),
        ("20.00", "repeat")
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn only_what_the_gateway_signed_counts() {
    let (shop, epay, operator) = open_with_rate(Version::Md5).await;
    let customer = shop.customer(0);
    let (_, trade_no) = top_up(&shop, &epay, &customer, "10").await;
    let good = epay.callback(&trade_no, &[]);
    let forged = [
        good.replace("money=71.25", "money=71.26"),
        good.replace("trade_status=TRADE_SUCCESS", "trade_status="),
        format!("{good}&extra=1"),
        format!("{good}&money=7125.00"),
        good.replace("sign_type=MD5", "sign_type=RSA"),
        good.split("&sign=").next().unwrap_or_default().to_owned(),
        String::new(),
        "%ff%00&&&=".to_owned(),
    ];
    for query in forged {
        assert_eq!(send(&shop, &query).await.0, 400, "{query}");
    }
    // An empty field more, and another order, change nothing that is signed.
    let mut fields: Vec<&str> = good.split('&').collect();
    fields.reverse();
    let signed = [
        (epay.callback(&trade_no, &[("pid", "1002")]), "wrong_merchant"),
        (epay.callback(&trade_no, &[("param", "another shop")]), "wrong_merchant"),
        (epay.callback(&trade_no, &[("trade_status", "WAIT_BUYER_PAY")]), "no_interest"),
        (epay.callback(&trade_no, &[("out_trade_no", "nobody")]), "unknown_payment"),
        (epay.callback(&trade_no, &[("money", "much")]), "wrong_amount"),
        (epay.callback(&trade_no, &[("money", "-71.25")]), "wrong_amount"),
    ];
    for (query, verdict) in signed {
        assert_eq!((send(&shop, &query).await, last_verdict(&shop, &operator).await.as_str()), (taken(), verdict));
    }
    assert_eq!(shop.balance(&customer).await, "0.00");
    // Not every gateway returns the shop's mark.
    assert_eq!(send(&shop, &epay.callback(&trade_no, &[("param", ""), ("money", "0.00")])).await, taken());
    assert_eq!(last_verdict(&shop, &operator).await, "wrong_amount");
    let reordered = format!("{}&empty=", fields.join("&"));
    assert_eq!((send(&shop, &reordered).await, last_verdict(&shop, &operator).await.as_str()), (taken(), "settle"));
    assert_eq!(shop.balance(&customer).await, "10.00");
    let posted = shop.post_raw("/gateway/callback/epay", good, &[]).await;
    assert_eq!(posted.status(), 404, "its callbacks come by GET");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_signature_of_version_1_says_nothing_to_an_account_of_version_2() {
    let (shop, epay, _) = open_with_rate(Version::Rsa).await;
    let customer = shop.customer(0);
    let (_, trade_no) = top_up(&shop, &epay, &customer, "10").await;
    assert_eq!(send(&shop, &epay.signing(Version::Md5).callback(&trade_no, &[])).await.0, 400);
    let good = epay.callback(&trade_no, &[]);
    assert_eq!(send(&shop, &good.replace("sign_type=RSA", "sign_type=MD5")).await.0, 400);
    assert_eq!(send(&shop, &good.replace("sign=", "sign=AAAA")).await.0, 400);
    assert_eq!(send(&shop, &good).await, taken());
}

#[actix_web::test]
async fn without_a_rate_nobody_is_offered_to_pay() {
    let (shop, _) = open(Version::Md5);
    let (customer, operator) = (shop.customer(0), shop.operator());
    let methods = |answer: &Value| -> Vec<String> {
        let rows = answer.as_array().expect("methods").iter();
        rows.map(|row| row["PaymentMethod"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let list = json!({"Kind": "top_up"});
    assert_eq!(methods(&shop.call(&customer, "Order/GetPaymentMethodList", list.clone()).await.data), ["sandbox"]);
    let refused = shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": "10", "PaymentMethod": "epay"})).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("noExchangeRate")));
    shop.call(&operator, "Operator/SetExchangeRate", json!({"Currency": "CNY", "Rate": "7.1"})).await;
    let found = shop.call(&customer, "Order/GetPaymentMethodList", list).await.data;
    assert_eq!(methods(&found), ["sandbox", "epay"]);
    assert_eq!((&found[1]["ChargedCurrency"], &found[1]["Rate"]), (&json!("CNY"), &json!("7.10")));
    shop.app.clock.advance(TimeDelta::days(400));
    let customer = shop.signs_in(&customer);
    let body = json!({"Amount": "10", "PaymentMethod": "epay"});
    assert_eq!(shop.call(&customer, "Wallet/CreateTopUp", body).await.code, 1000, "a rate that was set stays");
}
