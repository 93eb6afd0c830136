//! Refunds at Stripe, BTCPay Server and EPay: made once, whatever is lost on the way.
use crate::btcpay_double::Btcpay;
use crate::epay_double::{Epay, Lie, Version};
use crate::shop::{Customer, Shop};
use crate::source_refunds::{cases, later, listed, progress, refunds, seen, to_source};
use crate::stripe::{send_event, session_of};
use crate::stripe_double::{Failure, Stripe};
use crate::{btcpay, epay, stripe};
use chrono::TimeDelta;
use postern_server::returns::send;
use serde_json::json;

/// The number of the customer's only order.
async fn number_of(shop: &Shop, customer: &Customer) -> String {
    let orders = shop.call(customer, "Order/GetOrderList", json!({})).await.data;
    orders["Rows"][0]["OrderNumber"].as_str().expect("a number").to_owned()
}

/// A customer who topped up 25.00 through Stripe; the order's number and the payment intent.
async fn paid_by_stripe(shop: &Shop, stripe: &Stripe) -> (Customer, String, String) {
    let customer = shop.customer(0);
    let (_, path) = stripe::top_up(shop, &customer, "25").await;
    let session = session_of(shop, &path).await;
    stripe.is_paid(&session);
    assert_eq!(send_event(shop, stripe.event("checkout.session.completed", &session)).await, "settle");
    let number = number_of(shop, &customer).await;
    (customer, number, format!("pi_of_{session}"))
}

/// One round of jobs of which some fail.
async fn fails(shop: &Shop) {
    let failed = postern_server::jobs::round(&shop.app).await.into_iter().filter(|(_, result)| result.is_err());
    assert_eq!(failed.count(), 1);
}

#[actix_web::test]
async fn stripe_makes_a_refund_once_whatever_is_lost() {
    let (shop, stripe) = stripe::open();
    let (customer, number, intent) = paid_by_stripe(&shop, &stripe).await;
    stripe.refunds_are("pending");
    refunds(&shop, &number, "10.00").await;
    stripe.fails_with(&[Failure::Status(500, Some(60))]);
    fails(&shop).await;
    let row = listed(&shop).await.remove(0);
    assert!(row["Trouble"].as_str().is_some_and(|text| text.contains("refused with 500")), "{row}");
    assert_eq!(row["Progress"], "requested");
    // The next one is made, and its answer lost.
    shop.app.clock.advance(TimeDelta::minutes(6));
    stripe.fails_with(&[Failure::AnswerLost]);
    fails(&shop).await;
    assert_eq!((stripe.made_refunds().len(), progress(&shop, &customer).await), (1, vec!["requested".to_owned()]));
    // Stripe has forgotten the key by then.
    shop.app.clock.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    let refund = stripe.made_refunds().remove(0);
    assert_eq!((&refund["amount"], &refund["payment_intent"]), (&json!(1_000), &json!(intent)));
    assert_eq!(progress(&shop, &customer).await, ["on_its_way"]);
    let id = refund["id"].as_str().expect("an id").to_owned();
    assert_eq!(listed(&shop).await[0]["Reference"], json!(id));
    // Events about it are about the same refund.
    for status in ["pending", "succeeded"] {
        let refund = stripe.decides(&id, status);
        assert_eq!(send_event(&shop, stripe.event_of("refund.updated", refund)).await, "repeat");
    }
    assert_eq!((shop.balance(&customer).await, listed(&shop).await.len()), ("15.00".to_owned(), 1));
    assert_eq!(progress(&shop, &customer).await, ["arrived"]);
    // A refund can fail after it was made.
    let refund = stripe.decides(&id, "failed");
    send_event(&shop, stripe.event_of("refund.failed", refund)).await;
    assert_eq!(
        (shop.balance(&customer).await, cases(&shop).await),
        ("25.00".to_owned(), vec!["refund_failed".to_owned()])
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_stripe_refuses_is_in_the_wallet_and_what_comes_to_light_later_is_taken() {
    let (shop, stripe) = stripe::open();
    let (customer, number, intent) = paid_by_stripe(&shop, &stripe).await;
    // Refunded there meanwhile, which the shop does not know yet.
    let elsewhere = stripe.refunds(&intent, 2_000, "succeeded");
    refunds(&shop, &number, "10.00").await;
    shop.run_jobs().await;
    assert_eq!(
        (shop.balance(&customer).await, progress(&shop, &customer).await),
        ("25.00".into(), vec!["failed".into()])
    );
    let row = listed(&shop).await.remove(0);
    assert!(row["Trouble"].as_str().is_some_and(|text| text.contains("greater than unrefunded amount")), "{row}");
    send_event(&shop, stripe.event_of("refund.created", elsewhere)).await;
    assert_eq!(shop.balance(&customer).await, "5.00");
    let refused = shop.call(&shop.operator(), "Operator/RefundOrder", to_source(&number, "5.01")).await;
    assert_eq!(refused.data["Fields"]["Amount"][0]["Rule"], "amountMax");
    refunds(&shop, &number, "5.00").await;
    later(&shop, 10).await;
    assert_eq!(progress(&shop, &customer).await, ["failed", "arrived"]);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_event_that_is_faster_than_the_answer_is_about_the_same_refund() {
    let (shop, stripe) = stripe::open();
    let (customer, number, _) = paid_by_stripe(&shop, &stripe).await;
    refunds(&shop, &number, "10.00").await;
    stripe.fails_with(&[Failure::AnswerLost]);
    fails(&shop).await;
    let made = stripe.made_refunds().remove(0);
    send_event(&shop, stripe.event_of("refund.created", made)).await;
    assert_eq!((shop.balance(&customer).await, listed(&shop).await.len()), ("15.00".to_owned(), 1));
    assert_eq!(progress(&shop, &customer).await, ["arrived"]);
    later(&shop, 360).await;
    assert_eq!((stripe.made_refunds().len(), &listed(&shop).await[0]["Reference"]), (1, &json!("re_1")));
    shop.ledger_adds_up();
}

/// A customer who topped up 25.00 in crypto, and the order's number.
async fn paid_in_crypto(shop: &Shop, btcpay: &Btcpay) -> (Customer, String) {
    let customer = shop.customer(0);
    let (_, invoice) = btcpay::top_up(shop, btcpay, &customer).await;
    btcpay.receives(&invoice, 1, "25");
    btcpay.confirms(&invoice);
    assert_eq!(btcpay::send(shop, btcpay.event("InvoiceSettled", &invoice)).await, "settle");
    let number = number_of(shop, &customer).await;
    (customer, number)
}

#[actix_web::test]
async fn crypto_goes_where_the_customer_says() {
    let (shop, btcpay) = btcpay::open();
    let (customer, number) = paid_in_crypto(&shop, &btcpay).await;
    let done = refunds(&shop, &number, "10.00").await;
    assert_eq!(done["Source"]["MustBeClaimed"], true);
    // Made, and the answer lost.
    btcpay.fails_with(&[504]);
    fails(&shop).await;
    later(&shop, 60).await;
    assert_eq!(progress(&shop, &customer).await, ["requested"], "BTCPay Server may still be making it");
    later(&shop, 300).await;
    let pulls = btcpay.pulls();
    assert_eq!((pulls.len(), &pulls[0]["amount"], &pulls[0]["currency"]), (1, &json!("10.00"), &json!("USD")));
    let refund = seen(&shop, &customer).await.remove(0);
    let link = format!("{}/pull-payments/pull0", btcpay.url);
    assert_eq!(refund["Source"]["Progress"], "to_be_claimed");
    let claim = json!({"ReturnId": refund["Source"]["ReturnId"]});
    assert_eq!(shop.call(&customer, "Order/ClaimRefund", claim.clone()).await.data["Url"], json!(link));
    // Who has the link can claim the money: nobody else gets it.
    for other in [shop.customer(0), shop.operator()] {
        assert_eq!(shop.call(&other, "Order/ClaimRefund", claim.clone()).await.code, 3004);
    }
    for (call, body) in
        [("Operator/GetOrder", json!({"OrderNumber": number})), ("Operator/GetPaymentReturnList", json!({}))]
    {
        let answer = shop.call(&shop.operator(), call, body).await.data;
        assert!(answer.to_string().contains("to_be_claimed") && !answer.to_string().contains(&link), "{answer}");
    }
    assert!(shop.last_mail_about(&customer.email, "say where").expect("a mail").contains(&link));
    btcpay.claims(0, "10.00");
    later(&shop, 70).await;
    assert_eq!(progress(&shop, &customer).await, ["on_its_way"]);
    btcpay.payouts_become(0, "Completed");
    later(&shop, 70).await;
    assert_eq!(
        (progress(&shop, &customer).await, shop.balance(&customer).await),
        (vec!["arrived".to_owned()], "15.00".to_owned())
    );
    assert_eq!(shop.mails_about(&customer.email, "say where"), 1);
    // Of another one a part is claimed before the seller ends it: the rest is in the wallet.
    refunds(&shop, &number, "8.00").await;
    shop.app.clock.advance(TimeDelta::seconds(10));
    let both = futures_util::future::join(send::send_due(&shop.app), send::send_due(&shop.app)).await;
    assert!(both.0.is_ok() && both.1.is_ok());
    assert_eq!(btcpay.pulls().len(), 2, "two servers make one");
    btcpay.claims(1, "3.00");
    btcpay.payouts_become(1, "Completed");
    btcpay.archives(1);
    later(&shop, 70).await;
    assert_eq!(
        (progress(&shop, &customer).await, shop.balance(&customer).await),
        (vec!["arrived".to_owned(); 2], "12.00".to_owned())
    );
    assert!(shop.last_mail_about(&customer.email, "back in your wallet").expect("a mail").contains("5.00"));
    assert_eq!(shop.call(&customer, "Order/ClaimRefund", claim).await.code, 3004, "claimed already");
    // Nobody wants the next one.
    refunds(&shop, &number, "12.00").await;
    later(&shop, 10).await;
    btcpay.archives(2);
    later(&shop, 70).await;
    assert_eq!(
        (progress(&shop, &customer).await[2].as_str(), shop.balance(&customer).await),
        ("failed", "12.00".to_owned())
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_refund_that_btcpay_server_does_not_accept_is_in_the_wallet() {
    let (shop, btcpay) = btcpay::open();
    let (customer, number) = paid_in_crypto(&shop, &btcpay).await;
    refunds(&shop, &number, "10.00").await;
    btcpay.fails_with(&[403]);
    fails(&shop).await;
    assert!(listed(&shop).await[0]["Trouble"].as_str().is_some_and(|text| text.contains("refused with 403")));
    // The seller gives the key its permission.
    later(&shop, 360).await;
    assert_eq!(progress(&shop, &customer).await, ["to_be_claimed"]);
    refunds(&shop, &number, "5.00").await;
    btcpay.fails_with(&[422]);
    later(&shop, 10).await;
    assert_eq!(progress(&shop, &customer).await, ["to_be_claimed", "failed"]);
    assert_eq!(shop.balance(&customer).await, "15.00");
    shop.ledger_adds_up();
}

/// A customer who paid 178.13 yuan for 25.00 dollars; the order's number and the gateway's.
async fn paid_by_epay(version: Version) -> (Shop, Epay, Customer, String, String) {
    let (shop, epay, _) = epay::open_with_rate(version).await;
    let customer = shop.customer(0);
    let (_, trade_no) = epay::top_up(&shop, &epay, &customer, "25").await;
    epay.is_paid(&trade_no);
    assert_eq!(epay::send(&shop, &epay.callback(&trade_no, &[])).await.0, 200);
    let number = number_of(&shop, &customer).await;
    (shop, epay, customer, number, trade_no)
}

#[actix_web::test]
async fn yuan_go_back_to_the_cent() {
    for version in [Version::Md5, Version::Rsa] {
        let (shop, epay, customer, number, trade_no) = paid_by_epay(version).await;
        for (amount, charged, in_all) in
            [("10.00", "71.25", 7_125), ("10.00", "71.25", 14_250), ("5.00", "35.63", 17_813)]
        {
            let done = refunds(&shop, &number, amount).await;
            assert_eq!(
                (&done["Source"]["Charged"], &done["Source"]["ChargedCurrency"]),
                (&json!(charged), &json!("CNY"))
            );
            later(&shop, 10).await;
            assert_eq!(epay.refunded(&trade_no), in_all);
        }
        assert_eq!(
            (progress(&shop, &customer).await, shop.balance(&customer).await),
            (vec!["arrived".to_owned(); 3], "0.00".into())
        );
        let row = listed(&shop).await.remove(0);
        assert_eq!(
            (&row["Reported"], &row["ReportedCurrency"], &row["Taken"]),
            (&json!("35.63"), &json!("CNY"), &json!("5.00"))
        );
        assert_eq!(row["Reference"].as_str().is_some_and(|id| id.starts_with("9RF")), version == Version::Rsa, "{row}");
        shop.ledger_adds_up();
    }
}

#[actix_web::test]
async fn epay_with_a_query_makes_a_refund_once_whatever_is_lost() {
    let (shop, epay, customer, number, trade_no) = paid_by_epay(Version::Rsa).await;
    refunds(&shop, &number, "10.00").await;
    epay.lies(&[Lie::Deaf]);
    fails(&shop).await;
    shop.app.clock.advance(TimeDelta::minutes(6));
    epay.lies(&[Lie::AnswerLost]);
    fails(&shop).await;
    later(&shop, 360).await;
    assert_eq!((epay.refunded(&trade_no), progress(&shop, &customer).await), (7_125, vec!["arrived".to_owned()]));
    epay.lies(&[Lie::Slow]);
    refunds(&shop, &number, "5.00").await;
    shop.run_jobs().await;
    assert_eq!(progress(&shop, &customer).await, ["arrived", "on_its_way"]);
    epay.makes_refunds();
    later(&shop, 10).await;
    assert_eq!(progress(&shop, &customer).await, ["arrived", "arrived"]);
    // One that the gateway does not make for days is an operator's.
    epay.lies(&[Lie::Slow]);
    refunds(&shop, &number, "5.00").await;
    shop.run_jobs().await;
    later(&shop, 4 * 86_400).await;
    assert_eq!(progress(&shop, &shop.signs_in(&customer)).await[2], "by_hand");
    assert_eq!(cases(&shop).await, ["refund_by_hand"]);
}

#[actix_web::test]
async fn epay_without_a_query_is_asked_once_and_then_an_operator_looks() {
    let (shop, epay, customer, number, trade_no) = paid_by_epay(Version::Md5).await;
    for (lie, has_arrived, balance) in [(Lie::AnswerLost, true, "15.00"), (Lie::Deaf, false, "15.00")] {
        epay.lies(&[lie]);
        refunds(&shop, &number, "10.00").await;
        shop.run_jobs().await;
        for _ in 0..3 {
            later(&shop, 3_600).await;
        }
        assert_eq!(epay.refunded(&trade_no), 7_125, "not asked for again");
        let row = listed(&shop).await.remove(0);
        assert_eq!((&row["Progress"], &row["CanBeSettled"]), (&json!("by_hand"), &json!(true)), "{row}");
        assert_eq!(cases(&shop).await, ["refund_by_hand"]);
        let settle =
            json!({"ReturnId": row["ReturnId"], "HasArrived": has_arrived, "Note": "Seen in the gateway's list"});
        let settled = shop.call(&shop.operator(), "Operator/SettleRefund", settle.clone()).await;
        assert_eq!(settled.data["Progress"], if has_arrived { "arrived" } else { "failed" }, "{settled:?}");
        let again = shop.call(&shop.operator(), "Operator/SettleRefund", settle).await;
        assert_eq!((again.code, shop.balance(&shop.signs_in(&customer)).await.as_str()), (4005, balance));
    }
    shop.ledger_adds_up();
}
