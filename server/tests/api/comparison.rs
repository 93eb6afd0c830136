//! The nightly comparison with gateways: what was missed is credited, and every difference becomes a case.
use crate::btcpay::{self, cases_of};
use crate::epay;
use crate::epay_double::Version;
use crate::shop::{Customer, Shop};
use crate::stripe::{self, session_of};
use chrono::{NaiveTime, TimeDelta};
use postern_server::db::prelude::*;
use postern_server::schema::payments;

/// Two nights later, without polls of open payments in between.
async fn two_nights_later(shop: &Shop) {
    shop.run_jobs().await;
    let quiet = |conn: &mut postern_server::db::Conn| {
        diesel::update(payments::table).set(payments::next_query_at.eq(None::<chrono::NaiveDateTime>)).execute(conn)?;
        Ok(())
    };
    shop.app.db.write_blocking(quiet).expect("a change");
    let now = shop.app.clock.now();
    let morning = (now.date() + TimeDelta::days(2)).and_time(NaiveTime::from_hms_opt(6, 0, 0).expect("a time"));
    shop.app.clock.advance(morning - now);
    shop.run_jobs().await;
}

async fn balances(shop: &Shop, customers: &[Customer]) -> Vec<String> {
    let mut balances = Vec::new();
    for customer in customers {
        balances.push(shop.balance(&shop.signs_in(customer)).await);
    }
    balances
}

#[actix_web::test]
async fn what_btcpay_server_lists_is_compared() {
    let (shop, btcpay) = btcpay::open();
    let customers: Vec<Customer> = (0..4).map(|_| shop.customer(0)).collect();
    let mut invoices = Vec::new();
    for customer in &customers {
        invoices.push(btcpay::top_up(&shop, &btcpay, customer).await.1);
    }
    for (invoice, value) in [(0, "25"), (1, "30"), (3, "25")] {
        btcpay.receives(&invoices[invoice], 1, value);
        btcpay.confirms(&invoices[invoice]);
    }
    // The first two are missed; the third is not paid; the fourth is credited, and then gone from the list.
    btcpay::send(&shop, btcpay.event("InvoiceSettled", &invoices[3])).await;
    btcpay.forgets(&invoices[3]);
    let unknown = btcpay.copies(&invoices[0], "nobody");
    two_nights_later(&shop).await;
    assert_eq!(balances(&shop, &customers).await, ["25.00", "30.00", "0.00", "25.00"]);
    let expected = [("not_at_gateway", "25.00"), ("not_in_shop", ""), ("other_amount", "30.00")];
    assert_eq!(
        cases_of(&shop, "Kind", "Credited").await,
        expected.map(|(kind, credited)| (kind.to_owned(), credited.to_owned()))
    );
    assert!(cases_of(&shop, "Kind", "Subject").await.contains(&("not_in_shop".to_owned(), unknown)));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_an_epay_gateway_lists_is_compared() {
    for version in [Version::Md5, Version::Rsa] {
        let (shop, epay, _) = epay::open_with_rate(version).await;
        epay.is_at(shop.app.clock.now());
        let customers: Vec<Customer> = (0..4).map(|_| shop.customer(0)).collect();
        let mut orders = Vec::new();
        for customer in &customers {
            orders.push(epay::top_up(&shop, &epay, customer, "10").await.1);
        }
        for order in [0, 2, 3] {
            epay.is_paid(&orders[order]);
        }
        // The third was reported with more than is listed; the fourth is gone from the list.
        assert_eq!(epay::send(&shop, &epay.callback(&orders[2], &[("money", "80.00")])).await.0, 200);
        assert_eq!(epay::send(&shop, &epay.callback(&orders[3], &[])).await.0, 200);
        epay.forgets(&orders[3]);
        two_nights_later(&shop).await;
        assert_eq!(balances(&shop, &customers).await, ["10.00", "0.00", "11.22", "10.00"]);
        let expected = [("not_at_gateway", "10.00"), ("other_amount", "11.22"), ("unequal", "11.22")];
        assert_eq!(
            cases_of(&shop, "Kind", "Credited").await,
            expected.map(|(kind, credited)| (kind.to_owned(), credited.to_owned()))
        );
        shop.ledger_adds_up();
    }
}

#[actix_web::test]
async fn what_stripe_lists_is_compared() {
    let (shop, double) = stripe::open();
    let customers: Vec<Customer> = (0..3).map(|_| shop.customer(0)).collect();
    for (index, customer) in customers.iter().enumerate() {
        let (_, path) = stripe::top_up(&shop, customer, "25").await;
        let session = session_of(&shop, &path).await;
        if index < 2 {
            double.is_paid(&session);
        }
    }
    two_nights_later(&shop).await;
    assert_eq!(balances(&shop, &customers).await, ["25.00", "25.00", "0.00"]);
    assert!(cases_of(&shop, "Kind", "Credited").await.is_empty());
    shop.ledger_adds_up();
}
