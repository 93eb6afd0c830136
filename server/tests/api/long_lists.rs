//! Lists of large accounts: keyset pagination, maintained totals, indexed searches.
use crate::shop::{Customer, REGULAR, Shop, order_for};
use diesel::connection::SimpleConnection;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::schema::nodes;
use serde_json::{Value, json};

/// More than a list counts.
const MANY: u32 = 10_050;

/// The whole list, page after page, by `After` or by `Page`.
async fn whole_list(shop: &Shop, who: &Customer, call: &str, list: &Value, by_key: bool) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut body = list.clone();
    for page in 1.. {
        let answer = shop.call(who, call, body.clone()).await;
        assert_eq!(answer.code, 1000, "{call} {body}: {answer:?}");
        let found = answer.data["Rows"].as_array().cloned().unwrap_or_default();
        let is_last = found.len() < 10;
        assert!(is_last || rows.len() < 1_000, "{call} {body} does not end");
        rows.extend(found);
        match answer.data["Next"].as_str() {
            Some(next) if by_key => body["After"] = json!(next),
            None if by_key => break,
            _ if is_last => break,
            _ => body["Page"] = json!(page + 1),
        }
    }
    rows
}

/// Gives an account this many nodes directly, more than an order could.
fn own(shop: &Shop, owner: &Customer, count: u32) {
    let id = owner.account_id;
    let time = |text: &str, conn: &Conn| match conn {
        Conn::Postgres(_) => format!("TIMESTAMP '{text}'"),
        Conn::Sqlite(_) => format!("'{text}'"),
    };
    let owned = shop.app.db.write_blocking(|conn| {
        let (assigned, expires) = (time("2026-01-01 00:00:00", conn), time("2027-01-01 00:00:00", conn));
        Ok(conn.batch_execute(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) \
             INSERT INTO nodes (ip, http_port, socks5_port, country, city, isp, asn, ver_str, node_type, state, account_id, note, \
               assigned_at, expires_at) \
             SELECT '10.' || {id} || '.' || (i / 256) || '.' || (i % 256), 80, 81, 'US', 'city' || (i % 3), 'Meridian ' || (i % 2), 1, \
               '{REGULAR}', 2, 'assigned', {id}, CASE i % 10 WHEN 0 THEN 'Rack ' || i ELSE '' END, {assigned}, {expires} FROM n"
        ))?)
    });
    owned.expect("nodes");
}

#[actix_web::test]
async fn every_list_has_the_same_rows_page_by_page_and_key_by_key() {
    let shop = Shop::open();
    let customer = shop.owner_of(23, 200_000).await;
    for (country, city) in [("DE", "frankfurt"), ("US", "chicago"), ("JP", "tokyo")] {
        shop.stock(country, city, 8);
        shop.buys(&customer, order_for(&[(country, city, 4)], "20.00")).await;
        for _ in 0..3 {
            shop.buys(&customer, order_for(&[(country, city, 1)], "5.00")).await;
        }
    }
    let node_ids: Vec<i64> = shop.nodes_of(&customer).await.iter().filter_map(|node| node["NodeId"].as_i64()).collect();
    shop.stock("US", "new-york", 15);
    for node_id in &node_ids[..5] {
        let switch = json!({"NodeIds": [node_id], "Reason": "blocked"});
        assert_eq!(shop.call(&customer, "Ips/SwitchNodeByUnitPrice", switch).await.code, 1000);
    }
    for last in 0..12 {
        let entry = json!({"VerStr": REGULAR, "Address": format!("8.8.{last}.8"), "Label": ""});
        assert_eq!(shop.call(&customer, "Ips/AddWhiteList", entry).await.code, 1000);
    }
    (0..12).for_each(|_| drop(shop.customer(0)));
    let operator = shop.operator();
    for (call, who, id) in [
        ("Ips/GetUserNodeList", &customer, "NodeId"),
        ("Ips/GetMyWhiteList", &customer, "WhiteId"),
        ("Ips/UserGetSwitchRecording", &customer, "SwitchId"),
        ("Order/GetOrderList", &customer, "OrderId"),
        ("Billing/GetInvoiceList", &customer, "InvoiceNumber"),
        ("Wallet/GetTransactionList", &customer, "TransactionId"),
        ("Operator/GetOrderList", &operator, "Order"),
        ("Operator/GetAccountList", &operator, "AccountId"),
        ("Operator/GetPaymentList", &operator, "PaymentId"),
        ("Operator/GetInvoiceList", &operator, "Invoice"),
        ("Order/GetCallbackList", &operator, "CallbackId"),
    ] {
        let first = shop.call(who, call, json!({})).await.data;
        let fields = first["SortableFields"].as_array().cloned().unwrap_or_default();
        assert!(!fields.is_empty(), "{call} can be sorted");
        let mut sorts = vec![json!([])];
        for direction in ["asc", "desc"] {
            sorts.extend(fields.iter().map(|field| json!([{"Field": field, "Direction": direction}])));
            if let [one, other, ..] = &fields[..] {
                sorts.push(json!([{"Field": other, "Direction": direction}, {"Field": one, "Direction": "asc"}]));
            }
        }
        for sort in sorts {
            let list = json!({"PageSize": 10, "Sort": sort});
            let by_key = whole_list(&shop, who, call, &list, true).await;
            let by_page = whole_list(&shop, who, call, &list, false).await;
            let ids = |rows: &[Value]| rows.iter().map(|row| row[id].to_string()).collect::<Vec<_>>();
            assert_eq!(ids(&by_key), ids(&by_page), "{call} {sort}");
            assert_eq!(Some(by_key.len() as i64), first["Total"].as_i64(), "{call} {sort}");
            let mut distinct = ids(&by_key);
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), by_key.len(), "{call} {sort}: a row came twice");
        }
    }
    shop.ledger_adds_up();
}

/// More than are looked up by their ids.
const MANY_ACCOUNTS: usize = 1_001;

#[actix_web::test]
async fn customers_are_found_by_a_whole_address_and_by_part_of_one_however_many_have_it() {
    let shop = Shop::open();
    let operator = shop.operator();
    let [ann, joann] = ["ann@many.example", "joann@many.example"];
    let owners = [ann, joann].map(|email| shop.customer_named(email, "", "127.0.0.1", 100_000));
    shop.stock("US", "new-york", 4);
    for owner in &owners {
        shop.buys(owner, order_for(&[("US", "new-york", 1)], "5.00")).await;
        let said = shop.call(owner, "Support/SendMessage", json!({"Text": "Hello"})).await;
        assert_eq!(said.code, 1000, "{said:?}");
    }
    let lists =
        ["Operator/GetAccountList", "Operator/GetOrderList", "Operator/GetPaymentList", "Operator/GetConversationList"];
    let found = async |call: &str, search: &str| {
        let rows = shop.call(&operator, call, json!({"Search": search})).await.data["Rows"].take();
        let ids = rows.as_array().into_iter().flatten().filter_map(|row| row["AccountId"].as_i64());
        let mut ids: Vec<i64> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let both: Vec<i64> = owners.iter().map(|owner| owner.account_id).collect();
    for call in lists {
        assert_eq!(found(call, " Ann@many.example ").await, both[..1], "{call}: a whole address is found alone");
        for part in ["ann@many", "ANY.EX", "nn@many.example"] {
            assert_eq!(found(call, part).await, both, "{call} {part}");
        }
        for none in ["a_n@many.example", "%@many", "ann@many.example.org"] {
            assert_eq!(found(call, none).await, Vec::<i64>::new(), "{call} {none}");
        }
    }
    for number in 0..MANY_ACCOUNTS {
        shop.customer_named(&format!("other-{number}@many.example"), "", "127.0.0.1", 0);
    }
    for call in &lists[1..] {
        assert_eq!(found(call, "@many").await, both, "{call} of many accounts");
    }
    let all = shop.call(&operator, lists[0], json!({"Search": "@many"})).await.data["Total"].clone();
    assert_eq!(all, json!(MANY_ACCOUNTS + 2));
}

#[actix_web::test]
async fn a_cursor_of_another_list_or_sort_is_refused() {
    let shop = Shop::open();
    let customer = shop.owner_of(12, 0).await;
    let asked = |sort: Value, after: &str| json!({"PageSize": 10, "Sort": sort, "After": after});
    let by_ip = json!([{"Field": "Ip", "Direction": "asc"}]);
    let first = shop.call(&customer, "Ips/GetUserNodeList", json!({"PageSize": 10, "Sort": by_ip})).await;
    let next = first.data["Next"].as_str().expect("a second page").to_owned();
    let second = shop.call(&customer, "Ips/GetUserNodeList", asked(by_ip.clone(), &next)).await;
    assert_eq!((second.code, second.data["Rows"].as_array().map(Vec::len)), (1000, Some(2)));
    assert!(second.data["Next"].is_null(), "nothing follows the last page");
    for (call, sort, after) in [
        ("Ips/GetUserNodeList", json!([]), next.as_str()),
        ("Ips/GetUserNodeList", json!([{"Field": "Ip", "Direction": "desc"}]), next.as_str()),
        ("Order/GetOrderList", json!([]), next.as_str()),
        ("Ips/GetUserNodeList", by_ip.clone(), "1"),
        ("Ips/GetUserNodeList", by_ip.clone(), "kkkk"),
        ("Ips/GetUserNodeList", by_ip, ""),
    ] {
        let answer = shop.call(&customer, call, asked(sort, after)).await;
        assert_eq!(
            (answer.code, &answer.data["Fields"]["After"][0]["Rule"]),
            (2001, &json!("listKey")),
            "{call} {after}"
        );
    }
    let sorts: Vec<Value> =
        ["Ip", "Country", "City", "Isp", "State"].iter().map(|field| json!({"Field": field})).collect();
    let answer = shop.call(&customer, "Ips/GetUserNodeList", json!({"Sort": sorts})).await;
    assert_eq!(answer.data["Fields"]["Sort"][0]["Params"]["Max"], "4");
}

#[actix_web::test]
async fn a_long_list_shows_its_total_and_limits_counting() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.owner_of(2, 0).await);
    own(&shop, &customer, MANY);
    let list = async |who: &Customer, body: Value| shop.call(who, "Ips/GetUserNodeList", body).await.data;
    let all = list(&customer, json!({})).await;
    assert_eq!((&all["Total"], &all["TotalIsAtLeast"]), (&json!(MANY), &json!(false)), "kept, and exact");
    assert_eq!(all["SortableFields"], json!(["Ip", "Country", "City", "Isp", "ExpiresAt"]), "what has an index");
    let fields = list(&other, json!({})).await["SortableFields"].as_array().map(Vec::len);
    assert_eq!(fields, Some(8), "a short list is sorted by everything");
    for (narrowed, total, is_at_least) in [
        (json!({"Filter": {"Country": "US"}}), 10_000, true),
        (json!({"Filter": {"State": "assigned"}, "Search": "meridian"}), 10_000, true),
        (json!({"Search": "meridian"}), 10_000, true),
        (json!({"Filter": {"City": "city1"}}), 3_350, false),
        (json!({"Filter": {"City": "city1"}, "Search": "10."}), 3_350, false),
        (json!({"Filter": {"City": "city1"}, "Search": "rack"}), 335, false),
        (json!({"Search": "Meridian 1"}), 5_025, false),
        (json!({"Search": "rack 77"}), 11, false),
        (json!({"Search": "RACK 770"}), 2, false),
        (json!({"Filter": {"Country": "DE"}}), 0, false),
    ] {
        let found = list(&customer, narrowed.clone()).await;
        assert_eq!((&found["Total"], &found["TotalIsAtLeast"]), (&json!(total), &json!(is_at_least)), "{narrowed}");
        let rows = found["Rows"].as_array().map_or(0, Vec::len);
        assert_eq!(rows, 50.min(total), "{narrowed}");
    }
    // One more than are counted, and exactly as many.
    for (moved, is_at_least) in [(MANY - 10_001, true), (MANY - 10_000, false)] {
        let of_customer = nodes::table.filter(nodes::account_id.eq(customer.account_id)).select(nodes::id);
        let some = of_customer.order(nodes::id).limit(i64::from(moved));
        shop.app
            .db
            .write_blocking(move |conn| {
                let some: Vec<i64> = some.load(conn)?;
                Ok(diesel::update(nodes::table.filter(nodes::id.eq_any(some)))
                    .set(nodes::country.eq("FR"))
                    .execute(conn)?)
            })
            .expect("moved nodes");
        let found = list(&customer, json!({"Filter": {"Country": "US"}})).await;
        assert_eq!(
            (&found["Total"], &found["TotalIsAtLeast"]),
            (&json!(10_000), &json!(is_at_least)),
            "without {moved}"
        );
    }
    // A search with more matches than are counted, in another sort order, page by page.
    let mut asked = json!({"Search": "meridian", "PageSize": 200, "Sort": [{"Field": "City", "Direction": "desc"}]});
    let mut seen = 0;
    while let Some(next) = {
        let page = list(&customer, asked.clone()).await;
        seen += page["Rows"].as_array().map_or(0, Vec::len);
        page["Next"].as_str().map(str::to_owned)
    } {
        asked["After"] = json!(next);
    }
    assert_eq!(seen, MANY as usize);
    let selected =
        shop.call(&customer, "Ips/EditNodeNote", json!({"All": true, "Search": "rack 77", "Note": ""})).await;
    assert_eq!(selected.data["Changed"], 11, "a bulk call is about what the list shows");
    assert_eq!(list(&customer, json!({"Search": "rack 77"})).await["Total"], 0);
    shop.totals_add_up();
}

#[actix_web::test]
async fn search_finds_address_note_and_isp_and_follows_changes() {
    let shop = Shop::open();
    let customer = shop.owner_of(3, 2_000).await;
    let other = shop.owner_of(1, 0).await;
    let nodes = shop.nodes_of(&customer).await;
    let id = |index: usize| nodes[index]["NodeId"].as_i64().unwrap_or_default();
    let note = async |index: usize, note: &str| {
        let edit = json!({"NodeIds": [id(index)], "Note": note});
        assert_eq!(shop.call(&customer, "Ips/EditNodeNote", edit).await.data["Changed"], 1);
    };
    note(0, "Prices for 上海酒店").await;
    note(1, "酒店 \"quoted\" OR * ^a").await;
    let found = async |who: &Customer, text: &str| {
        let answer = shop.call(who, "Ips/GetUserNodeList", json!({"Search": text})).await;
        assert_eq!(answer.code, 1000, "{text}: {answer:?}");
        let rows = answer.data["Rows"].as_array().cloned().unwrap_or_default();
        assert_eq!(answer.data["Total"].as_i64(), i64::try_from(rows.len()).ok(), "{text}");
        let mut found: Vec<i64> = rows.iter().filter_map(|row| row["NodeId"].as_i64()).collect();
        found.sort_unstable();
        found
    };
    let ip = nodes[2]["Ip"].as_str().unwrap_or_default();
    let own: Vec<i64> = (0..3).map(id).collect();
    for (text, expected) in [
        (ip, vec![id(2)]),
        (&ip[3..], vec![id(2)]),
        (&ip[..2], own.clone()),
        (&ip[..1], own.clone()),
        ("northlight", own.clone()),
        ("NO", own.clone()),
        ("ight fib", own),
        ("for 上", vec![id(0)]),
        ("酒店", vec![id(0), id(1)]),
        ("上海酒", vec![id(0)]),
        ("海酒", vec![id(0)]),
        ("店酒", vec![]),
        ("酒", vec![id(1)]),
        ("pr", vec![id(0)]),
        ("es", vec![]),
        ("\"quoted\"", vec![id(1)]),
        ("or * ^", vec![id(1)]),
        ("text:", vec![]),
        ("%", vec![]),
        ("___", vec![]),
        ("'; --", vec![]),
    ] {
        assert_eq!(found(&customer, text).await, expected, "{text}");
    }
    for text in ["prices", "酒店", ip] {
        assert_eq!(found(&other, text).await, Vec::<i64>::new(), "{text} is somebody else's");
    }
    let long = shop.call(&customer, "Ips/GetUserNodeList", json!({"Search": "x".repeat(101)})).await;
    assert_eq!(long.data["Fields"]["Search"][0]["Rule"], "maxLength");
    // A note that is changed, and one that moves to another node.
    note(0, "Nothing of before").await;
    assert_eq!(found(&customer, "prices").await, Vec::<i64>::new());
    assert_eq!(found(&customer, "of before").await, vec![id(0)]);
    shop.stock("US", "new-york", 1);
    let switched = shop.call(&customer, "Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [id(0)]})).await;
    assert_eq!(switched.code, 1000, "{switched:?}");
    let moved = found(&customer, "of before").await;
    assert!(moved.len() == 1 && moved != vec![id(0)], "{moved:?}");
    assert_eq!(found(&customer, nodes[0]["Ip"].as_str().unwrap_or_default()).await, Vec::<i64>::new());
    // And gone when the nodes have expired.
    shop.app.clock.advance(chrono::TimeDelta::days(60));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    for text in ["of before", "酒店", "northlight", ip] {
        assert_eq!(found(&customer, text).await, Vec::<i64>::new(), "{text}");
    }
    shop.totals_add_up();
}

async fn buy_six_times(shop: &Shop, customer: &Customer) {
    for _ in 0..6 {
        shop.buys(customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    }
}

#[actix_web::test]
async fn totals_stay_exact_under_concurrent_changes() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 120);
    let customers = [shop.customer(100_000), shop.customer(100_000), shop.customer(100_000)];
    futures_util::future::join_all(customers.iter().chain(&customers).map(|customer| buy_six_times(&shop, customer)))
        .await;
    for customer in &customers {
        let ids: Vec<i64> = shop.nodes_of(customer).await.iter().filter_map(|node| node["NodeId"].as_i64()).collect();
        assert_eq!(ids.len(), 24);
        let two = json!({"NodeIds": ids[..2]});
        assert_eq!(shop.call(customer, "Ips/SwitchNodeByUnitPrice", two).await.code, 1000);
    }
    let lists = async || {
        let total = async |call: &str| shop.call(&customers[0], call, json!({})).await.data["Total"].as_i64();
        let mut totals = Vec::new();
        for call in
            ["Ips/GetUserNodeList", "Order/GetOrderList", "Billing/GetInvoiceList", "Ips/UserGetSwitchRecording"]
        {
            totals.push(total(call).await);
        }
        totals
    };
    let before = lists().await;
    assert_eq!(before, [Some(24), Some(13), Some(13), Some(2)]);
    shop.totals_add_up();
    shop.run_jobs().await;
    assert_eq!(lists().await, before, "adding them up changes no total");
    shop.totals_add_up();
    let order = shop.call(&customers[1], "Order/GetOrderList", json!({})).await.data["Rows"][1]["OrderNumber"].clone();
    let refund = json!({"OrderNumber": order, "Reason": "r"});
    assert_eq!(shop.call(&shop.operator(), "Operator/RefundOrder", refund).await.code, 1000);
    shop.app.clock.advance(chrono::TimeDelta::days(60));
    for _ in 0..3 {
        shop.run_jobs().await;
    }
    let owned = shop.app.db.read_blocking(|conn| {
        Ok(nodes::table.filter(nodes::account_id.is_not_null()).count().get_result::<i64>(conn)?)
    });
    assert_eq!(owned.expect("a number"), 0, "their time is over");
    shop.totals_add_up();
}
