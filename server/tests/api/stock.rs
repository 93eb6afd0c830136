//! The maintained stock counts: they must equal a real count, whatever happens concurrently.
use crate::shop::{REGULAR, Shop, order_for};
use chrono::TimeDelta;
use postern_core::node::NodeState;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::inventory;
use postern_server::nodes::stock::{self, ShelfFilter};
use postern_server::schema::{node_targets, nodes, targets};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

type Counts = BTreeMap<(String, String, String), i64>;

/// The stock by country, city and ISP: as maintained, and as counted.
fn counted_both_ways(conn: &mut Conn, target: Option<&str>) -> (Counts, Counts) {
    let filter = ShelfFilter { target, ..ShelfFilter::default() };
    let shelves = stock::shelves(conn, &filter).expect("shelves");
    let kept = shelves.into_iter().map(|shelf| ((shelf.country, shelf.city, shelf.isp), shelf.available)).collect();
    let rows: Vec<(i64, String, String, String)> = nodes::table
        .filter(nodes::state.eq(NodeState::Available))
        .select((nodes::id, nodes::country, nodes::city, nodes::isp))
        .load(conn)
        .expect("nodes");
    let good: Vec<i64> = node_targets::table
        .filter(node_targets::target.eq(target.unwrap_or_default()))
        .select(node_targets::node_id)
        .load(conn)
        .expect("targets");
    let mut counted = Counts::new();
    for (id, country, city, isp) in rows {
        if target.is_none() || good.contains(&id) {
            *counted.entry((country, city, isp)).or_default() += 1;
        }
    }
    (kept, counted)
}

fn assert_exact(shop: &Shop) {
    let checked = shop.app.db.snapshot_blocking(|conn| {
        for target in [None, Some("search")] {
            let (kept, counted) = counted_both_ways(conn, target);
            assert_eq!(kept, counted, "{target:?}");
        }
        Ok(())
    });
    checked.expect("a snapshot");
}

/// Every second node fits the target, and every third is of another ISP.
fn diversify(shop: &Shop) {
    let changed = shop.app.db.write_blocking(|conn| {
        let search = (targets::target.eq("search"), targets::name_en.eq(""), targets::name_zh.eq(""));
        diesel::insert_into(targets::table)
            .values((search, targets::category.eq("data"), targets::position.eq(1)))
            .execute(conn)?;
        let ids: Vec<i64> = nodes::table.order(nodes::id).select(nodes::id).load(conn)?;
        for (index, id) in ids.into_iter().enumerate() {
            if index % 2 == 0 {
                let fits = (node_targets::target.eq("search"), node_targets::node_id.eq(id));
                diesel::insert_into(node_targets::table).values(fits).execute(conn)?;
            }
            if index % 3 == 0 {
                diesel::update(nodes::table.find(id)).set(nodes::isp.eq("Meridian Broadband")).execute(conn)?;
            }
        }
        Ok(())
    });
    changed.expect("a change");
}

#[actix_web::test]
async fn the_stock_stays_exact_under_concurrent_changes() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 40);
    shop.stock("DE", "frankfurt", 20);
    diversify(&shop);
    assert_exact(&shop);
    let buyers: Vec<_> = (0..24)
        .map(|number: u32| {
            let shop = shop.clone();
            actix_web::rt::spawn(async move {
                let customer = shop.customer(10_000);
                let place = if number.is_multiple_of(3) { ("DE", "frankfurt", 1) } else { ("US", "new-york", 1) };
                let mut order = order_for(&[place], "5.00");
                if number.is_multiple_of(2) {
                    order["Target"] = json!("search");
                }
                let order = shop.call(&customer, "Order/CreateOrder", order).await;
                let order_id = &order.data["OrderId"];
                match number % 4 {
                    0 => {}
                    1 => assert_eq!(
                        shop.call(&customer, "Order/CancelOrder", json!({"OrderId": order_id})).await.code,
                        1000
                    ),
                    _ => {
                        let pay = json!({"OrderId": order_id, "PaymentMethod": "wallet"});
                        assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 1000);
                    }
                }
            })
        })
        .collect();
    let folding = {
        let shop = shop.clone();
        actix_web::rt::spawn(async move {
            for _ in 0..10 {
                shop.app.db.write(stock::fold).await.expect("a fold");
                assert_exact(&shop);
            }
        })
    };
    for buyer in buyers {
        buyer.await.expect("a buyer");
    }
    folding.await.expect("folds");
    assert_exact(&shop);
    // Unpaid nodes return, expired ones return after quarantine, and retired ones are gone.
    for days in [1, 30, 4, 2] {
        shop.app.clock.advance(TimeDelta::days(days));
        shop.run_jobs().await;
        assert_exact(&shop);
    }
    assert_eq!(shop.nodes_in_state("available"), 60);
    let some: Vec<String> =
        shop.app.db.read_blocking(|conn| Ok(nodes::table.limit(5).select(nodes::ip).load(conn)?)).expect("addresses");
    assert_eq!(inventory::retire(&shop.app, &some).expect("a retirement").retired, 5);
    let freed = shop.app.db.write_blocking(|conn| Ok(diesel::delete(node_targets::table).execute(conn)?));
    assert_eq!(freed.expect("no targets any more"), 30);
    assert_exact(&shop);
}

async fn pages_of(shop: &Shop, customer: &crate::shop::Customer, body: Value) -> (Vec<Value>, i64) {
    let (mut rows, mut total) = (Vec::new(), 0);
    for page in 1.. {
        let mut asked = body.clone();
        asked["Page"] = json!(page);
        asked["PageSize"] = json!(7);
        let answer = shop.call(customer, "Ips/GetMyPurchasableNodeList", asked).await;
        assert_eq!(answer.code, 1000, "{answer:?}");
        let found = answer.data["Rows"].as_array().cloned().unwrap_or_default();
        total = answer.data["Total"].as_i64().unwrap_or_default();
        if found.is_empty() {
            break;
        }
        rows.extend(found);
    }
    (rows, total)
}

#[actix_web::test]
async fn pages_of_the_stock_contain_every_node_once_in_order() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 30);
    shop.stock("DE", "frankfurt", 20);
    diversify(&shop);
    let customer = shop.customer(0);
    let network = shop.call(&customer, "Ips/GetMyPurchasableNodeList", json!({})).await.data["Rows"][0]["Ip"].clone();
    let network = network.as_str().and_then(|ip| ip.strip_suffix(".x")).expect("a hidden last number").to_owned();
    for (body, count) in [
        (json!({}), 50),
        (json!({"Filter": {"VerStr": REGULAR, "Target": "search"}}), 25),
        (json!({"Filter": {"City": "frankfurt"}}), 20),
        (json!({"Filter": {"Isp": "Meridian Broadband"}}), 17),
        (json!({"Search": "meridian"}), 17),
        (json!({"Search": "no such ISP"}), 0),
        (json!({"Search": "10.0.0"}), 0),
        (json!({"Filter": {"Country": "FR"}}), 0),
    ] {
        for sort in [json!([]), json!([{"Field": "Isp", "Direction": "desc"}]), json!([{"Field": "City"}])] {
            let mut body = body.clone();
            body["Sort"] = sort.clone();
            let (rows, total) = pages_of(&shop, &customer, body.clone()).await;
            assert_eq!((rows.len(), total), (count, count as i64), "{body}");
            let mut ids: Vec<_> = rows.iter().filter_map(|row| row["NodeId"].as_i64()).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), count, "{body}: a node is there twice");
            let texts = |field: &str| -> Vec<String> {
                rows.iter().map(|row| row[field].as_str().unwrap_or_default().to_owned()).collect()
            };
            match sort[0]["Field"].as_str() {
                Some("Isp") => assert!(texts("Isp").is_sorted_by(|one, other| one >= other), "{body}"),
                Some(_) => assert!(texts("City").is_sorted(), "{body}"),
                None => {}
            }
        }
    }
    let (rows, _) = pages_of(&shop, &customer, json!({"Search": network, "Sort": [{"Field": "City"}]})).await;
    assert!(!rows.is_empty() && rows.iter().all(|row| row["Ip"] == format!("{network}.x")));
    let (guessed, _) = pages_of(&shop, &customer, json!({"Search": format!("{network}.1")})).await;
    assert_eq!(guessed.len(), rows.len(), "nobody finds out the last number by searching");
}
