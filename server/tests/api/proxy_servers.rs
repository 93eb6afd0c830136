//! Authorisation of connections for proxy servers.
use crate::carriers::{Carrier, record};
use crate::shop::{REGULAR, Shop, clients};
use chrono::TimeDelta;
use postern_core::account::AccountState;
use postern_core::proxy_protocol::MAX_CONNECTIONS;
use postern_core::proxy_server::{WRONG_PASSWORDS, WRONG_PASSWORDS_MINUTES};
use postern_core::time::from_wire;
use postern_server::db::prelude::*;
use postern_server::schema::accounts;
use serde_json::{Value, json};

fn connection(user_name: &str, password: &str) -> Value {
    json!({"UserName": user_name, "Password": password, "ClientAddress": "203.0.113.7", "Target": "shop.example:443"})
}

#[actix_web::test]
async fn connections_are_allowed_with_exits_or_refused_with_a_reason() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let ann = shop.customer(0);
    let now = shop.app.clock.now();
    let form = json!({
        "Name": "scraper_1", "Countries": ["US", "DE"], "LimitGigabytes": "1", "MaxConnections": "50", "MaxMegabits": "8",
    });
    let (id, password) = shop.adds_proxy_user(&ann, form).await;
    let good = connection("user-scraper_1-country-us-city-new_york-session-a1-ttl-30", &password);
    let refuses = async |connection: Value| {
        shop.refreshes_access().await;
        carrier.refuses(connection).await.unwrap_or_default()
    };
    assert_eq!(refuses(good.clone()).await, "no_traffic");
    shop.gives_traffic(&ann, 1_000_000, now, Some(now + TimeDelta::days(2)));
    shop.refreshes_access().await;
    let (_, allowed) = carrier.post("authorize", good.to_string()).await;
    let expected = json!({
        "Allowed": true, "ValidForSeconds": 5, "AccountId": ann.account_id, "ProxyUserId": id, "UserName": "scraper_1",
        "Country": "US", "City": "new_york", "Session": "a1", "TtlMinutes": 30, "MaxConnections": 50,
        "MaxBytesPerSecond": 1_000_000,
    });
    assert_eq!(allowed, expected);
    let (_, anywhere) = carrier.post("authorize", connection("user-scraper_1", &password).to_string()).await;
    assert_eq!((&anywhere["Allowed"], &anywhere["Countries"]), (&json!(true), &json!(["DE", "US"])));
    for (user_name, typed, reason) in [
        ("user-nobody_1", password.as_str(), "unknown_user"),
        ("user-scraper_1", "wrong9password", "wrong_password"),
        ("user-scraper_1", "", "wrong_password"),
        ("", "", "unknown_user"),
        ("user-scraper_1-country-fr", &password, "country_not_allowed"),
        ("user-scraper_1-planet-mars", &password, "malformed"),
        ("user-scraper_1\0", &password, "malformed"),
        ("USER-SCRAPER_1", &password, "malformed"),
    ] {
        assert_eq!(refuses(connection(user_name, typed)).await, reason, "{user_name}");
    }
    let ids = json!({ "ProxyUserIds": [id] });
    shop.call(&ann, "ProxyUsers/PauseProxyUsers", ids.clone()).await;
    assert_eq!(refuses(good.clone()).await, "paused");
    shop.call(&ann, "ProxyUsers/ResumeProxyUsers", ids.clone()).await;
    assert_eq!(refuses(good.clone()).await, "");
    let suspend = |state: AccountState| {
        let row = accounts::table.find(ann.account_id);
        shop.app
            .db
            .write_blocking(|conn| Ok(diesel::update(row).set(accounts::state.eq(state)).execute(conn)?))
            .expect("an update");
    };
    suspend(AccountState::Suspended);
    assert_eq!(refuses(good.clone()).await, "suspended");
    suspend(AccountState::Active);
    // The batch ends, traffic without expiry is used up, and then the user's own limit.
    shop.app.clock.advance(TimeDelta::days(2));
    assert_eq!(refuses(good.clone()).await, "no_traffic");
    shop.gives_traffic(&ann, 500_000_000, now, None);
    assert_eq!(refuses(good.clone()).await, "");
    carrier.reports(&[record("1", "scraper_1", shop.hour_ago(), 501_000_000)]).await;
    shop.aggregates_usage().await;
    assert_eq!(refuses(good.clone()).await, "no_traffic");
    shop.gives_traffic(&ann, 900_000_000, now, None);
    assert_eq!(refuses(good.clone()).await, "");
    carrier.reports(&[record("2", "scraper_1", shop.hour_ago(), 500_000_000)]).await;
    shop.aggregates_usage().await;
    assert_eq!(refuses(good.clone()).await, "exhausted");
    shop.call(&ann, "ProxyUsers/ResetProxyUsers", ids.clone()).await;
    assert_eq!(refuses(good.clone()).await, "");
    shop.call(&ann, "ProxyUsers/DeleteProxyUsers", ids).await;
    assert_eq!(refuses(good).await, "unknown_user");
}

#[actix_web::test]
async fn several_connections_are_answered_in_their_order_in_one_response() {
    let shop = Shop::open();
    let ours = Carrier::registers(&shop, "gate-1", "residential").await;
    let ann = shop.customer(0);
    shop.gives_traffic(&ann, 1_000, shop.app.clock.now(), None);
    let (id, password) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    let (right, wrong) = (connection("user-scraper_1", &password), connection("user-scraper_1", "wrong9password"));
    let (status, answer) = ours.post("authorize", json!({"Connections": [right, wrong, right]}).to_string()).await;
    let told: Vec<_> = answer["Answers"].as_array().expect("answers").iter().collect();
    assert_eq!((status, told.len(), told[0]), (200, 3, told[2]));
    assert_eq!((&told[0]["ProxyUserId"], &told[0]["UserName"]), (&json!(id), &json!("scraper_1")));
    assert_eq!(*told[1], json!({"Allowed": false, "Reason": "wrong_password", "ValidForSeconds": 2}));
    assert_eq!(ours.post("authorize", json!({"Connections": []}).to_string()).await, (200, json!({"Answers": []})));
    let many = vec![json!({}); MAX_CONNECTIONS + 1];
    let refusal = json!({"Error": "too_many_connections", "Max": MAX_CONNECTIONS});
    assert_eq!(ours.post("authorize", json!({ "Connections": many }).to_string()).await, (400, refusal));
    let (status, answer) = ours.post("authorize", json!({"Connections": many[1..]}).to_string()).await;
    assert_eq!((status, answer["Answers"].as_array().map(Vec::len)), (200, Some(MAX_CONNECTIONS)));
    for malformed in [r#"{"Connections":5}"#, r#"{"Connections":[5]}"#, "[]", "{", ""] {
        assert_eq!(ours.post("authorize", malformed.to_owned()).await.0, 400, "{malformed}");
    }
}

#[actix_web::test]
async fn a_proxy_server_learns_as_what_it_is_registered() {
    let shop = Shop::open();
    let mut ours = Carrier::registers(&shop, "isp-1", "static").await;
    let registration = json!({"Name": "isp-1", "Kind": "static"});
    assert_eq!(ours.post("describe", String::new()).await, (200, registration));
    ours.secret.push('x');
    assert_eq!(ours.post("describe", String::new()).await.0, 401);
}

#[actix_web::test]
async fn an_answer_is_kept_no_longer_than_the_proxy_lasts() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "static-1", "static").await;
    let owner = shop.owner_of(1, 0).await;
    let node = shop.nodes_of(&owner).await.remove(0);
    let asked = json!({"UserName": node["UserName"], "Password": node["Password"], "ClientAddress": "203.0.113.7", "Ip": node["Ip"]});
    let answer = async || carrier.post("authorize", asked.to_string()).await.1;
    let told = answer().await;
    assert_eq!((&told["ValidForSeconds"], &told["UserName"]), (&json!(5), &node["UserName"]));
    let ends_at = from_wire(node["ExpiresAt"].as_str().expect("a time")).expect("a time");
    shop.app.clock.advance(ends_at - shop.app.clock.now() - TimeDelta::seconds(2));
    shop.app.authorizer.forget_nodes();
    let left = answer().await["ValidForSeconds"].as_u64().expect("seconds");
    // The wire has whole seconds, the row has milliseconds.
    assert!((2..=3).contains(&left), "{left}");
}

#[actix_web::test]
async fn old_passwords_expire_and_renamed_users_connect_under_the_new_name() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let ann = shop.customer(0);
    shop.gives_traffic(&ann, 1_000, shop.app.clock.now(), None);
    let (id, old) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    assert_eq!(carrier.refuses(connection("user-scraper_1", &old)).await, None);
    let change = json!({"ProxyUserId": id, "Password": "", "OldValidMinutes": 10});
    let new = shop.call(&ann, "ProxyUsers/ChangeProxyUserPassword", change).await.data["Password"]
        .as_str()
        .expect("a password")
        .to_owned();
    shop.refreshes_access().await;
    for password in [&old, &new] {
        assert_eq!(carrier.refuses(connection("user-scraper_1", password)).await, None);
    }
    shop.app.clock.advance(TimeDelta::minutes(10));
    assert_eq!(carrier.refuses(connection("user-scraper_1", &old)).await.as_deref(), Some("wrong_password"));
    assert_eq!(carrier.refuses(connection("user-scraper_1", &new)).await, None);
    shop.call(&ann, "ProxyUsers/EditProxyUser", json!({"ProxyUserId": id, "Name": "renamed_1"})).await;
    shop.refreshes_access().await;
    assert_eq!(carrier.refuses(connection("user-scraper_1", &new)).await.as_deref(), Some("unknown_user"));
    assert_eq!(carrier.refuses(connection("user-renamed_1", &new)).await, None);
    let expires = postern_core::time::to_wire(shop.app.clock.now() + TimeDelta::minutes(1));
    shop.call(&ann, "ProxyUsers/EditProxyUser", json!({"ProxyUserId": id, "Name": "renamed_1", "ExpiresAt": expires}))
        .await;
    shop.refreshes_access().await;
    assert_eq!(carrier.refuses(connection("user-renamed_1", &new)).await, None);
    shop.app.clock.advance(TimeDelta::minutes(1));
    assert_eq!(carrier.refuses(connection("user-renamed_1", &new)).await.as_deref(), Some("expired"));
}

#[actix_web::test]
async fn a_whitelisted_address_needs_no_password_and_the_narrowest_network_counts() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let ann = shop.customer(0);
    shop.gives_traffic(&ann, 1_000, shop.app.clock.now(), None);
    let (wide, _) = shop.adds_proxy_user(&ann, json!({"Name": "wide_1"})).await;
    let (narrow, password) = shop.adds_proxy_user(&ann, json!({"Name": "narrow_1"})).await;
    let from = |address: &str, user_name: &str, password: &str| {
        json!({"UserName": user_name, "Password": password, "ClientAddress": address}).to_string()
    };
    let who = async |address: &str, user_name: &str, password: &str| {
        shop.refreshes_access().await;
        let (_, answer) = carrier.post("authorize", from(address, user_name, password)).await;
        answer["ProxyUserId"].as_i64().ok_or_else(|| answer["Reason"].as_str().unwrap_or_default().to_owned())
    };
    let unknown = Err("unknown_user".to_owned());
    assert_eq!(who("8.8.8.8", "", "").await, unknown);
    for (id, address) in [(wide, "8.8.8.0/24"), (narrow, "8.8.8.8"), (narrow, "2001:4860::/48")] {
        shop.call(&ann, "ProxyUsers/AddProxyUserAddress", json!({"ProxyUserId": id, "Address": address})).await;
    }
    assert_eq!((who("8.8.8.8", "", "").await, who("8.8.8.9", "", "").await), (Ok(narrow), Ok(wide)));
    assert_eq!((who("::ffff:8.8.8.8", "", "").await, who("2001:4860:0:1::9", "", "").await), (Ok(narrow), Ok(narrow)));
    assert_eq!((who("8.8.4.4", "", "").await, who("nonsense", "", "").await), (unknown.clone(), unknown.clone()));
    // The user name chooses the exit; a wrong password is refused from any address.
    assert_eq!(who("8.8.8.8", "user-narrow_1-country-us", "").await, Ok(narrow));
    assert_eq!(who("8.8.8.8", "user-wide_1", "").await, Err("wrong_password".to_owned()));
    assert_eq!(who("8.8.8.8", "user-narrow_1", "wrong9password").await, Err("wrong_password".to_owned()));
    assert_eq!(who("8.8.4.4", "user-narrow_1", &password).await, Ok(narrow));
    let list = shop.call(&ann, "ProxyUsers/GetProxyUserAddressList", json!({})).await.data;
    let exact = list.as_array().expect("a list").iter().find(|entry| entry["Address"] == "8.8.8.8").expect("an entry");
    shop.call(&ann, "ProxyUsers/DelProxyUserAddress", json!({ "AddressId": exact["AddressId"] })).await;
    assert_eq!(who("8.8.8.8", "", "").await, Ok(wide));
    shop.call(&ann, "ProxyUsers/DeleteProxyUsers", json!({ "ProxyUserIds": [wide] })).await;
    assert_eq!(who("8.8.8.8", "", "").await, unknown);
}

#[actix_web::test]
async fn at_an_address_of_several_accounts_the_user_name_decides() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let mut ids = Vec::new();
    for (who, name, address) in [(&ann, "anns_1", "8.8.8.0/24"), (&bob, "bobs_1", "8.8.8.8")] {
        shop.gives_traffic(who, 1_000, shop.app.clock.now(), None);
        let (id, _) = shop.adds_proxy_user(who, json!({"Name": name})).await;
        let entry = json!({"ProxyUserId": id, "Address": address});
        assert_eq!(shop.call(who, "ProxyUsers/AddProxyUserAddress", entry).await.code, 1000);
        ids.push(id);
    }
    let who = async |address: &str, user_name: &str| {
        shop.refreshes_access().await;
        let asked = json!({"UserName": user_name, "Password": "", "ClientAddress": address}).to_string();
        let (_, answer) = carrier.post("authorize", asked).await;
        answer["ProxyUserId"].as_i64().ok_or_else(|| answer["Reason"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(who("8.8.8.8", "").await, Err("address_shared".to_owned()), "the narrower entry does not win");
    assert_eq!((who("8.8.8.8", "user-anns_1").await, who("8.8.8.8", "user-bobs_1").await), (Ok(ids[0]), Ok(ids[1])));
    assert_eq!(
        (who("8.8.8.9", "").await, who("8.8.8.9", "user-bobs_1").await),
        (Ok(ids[0]), Err("wrong_password".to_owned()))
    );
    shop.call(&ann, "ProxyUsers/DeleteProxyUsers", json!({ "ProxyUserIds": [ids[0]] })).await;
    assert_eq!(who("8.8.8.8", "").await, Ok(ids[1]), "it is shared no longer");
}

#[actix_web::test]
async fn a_client_that_tries_many_passwords_is_refused_for_a_while_and_nobody_else() {
    let shop = Shop::open();
    let (residential, fixed) = (
        Carrier::registers(&shop, "gate-1", "residential").await,
        Carrier::registers(&shop, "static-1", "static").await,
    );
    let owner = shop.owner_of(1, 0).await;
    shop.gives_traffic(&owner, 1_000, shop.app.clock.now(), None);
    let (_, password) = shop.adds_proxy_user(&owner, json!({"Name": "scraper_1"})).await;
    let node = shop.nodes_of(&owner).await.remove(0);
    let of_node = |password: &Value, address: &str| json!({"UserName": node["UserName"], "Password": password, "ClientAddress": address, "Ip": node["Ip"]});
    let of_user = |password: &Value, address: &str| json!({"UserName": "user-scraper_1-session-a", "Password": password, "ClientAddress": address});
    for (carrier, connection, right) in [
        (&residential, &of_user as &dyn Fn(&Value, &str) -> Value, json!(password)),
        (&fixed, &of_node, node["Password"].clone()),
    ] {
        let refuses = async |password: &Value, address: &str| carrier.refuses(connection(password, address)).await;
        let wrong = Some("wrong_password".to_owned());
        // A program with an outdated password keeps sending the same one.
        for _ in 0..3 * WRONG_PASSWORDS {
            assert_eq!(refuses(&json!("outdated99"), "2001:db8::1").await, wrong);
        }
        assert_eq!(refuses(&right, "2001:db8::1").await, None);
        for number in 1..WRONG_PASSWORDS {
            assert_eq!(refuses(&json!(format!("guess{number}99")), "2001:db8::2").await, wrong, "of the same network");
        }
        let blocked = Some("too_many_attempts".to_owned());
        assert_eq!(refuses(&right, "2001:db8::3").await, blocked);
        assert_eq!(refuses(&right, "2001:db8:0:1::1").await, None, "from elsewhere");
        shop.app.clock.advance(TimeDelta::minutes(WRONG_PASSWORDS_MINUTES));
        assert_eq!(refuses(&right, "2001:db8::3").await, None, "later");
    }
}

#[actix_web::test]
async fn static_proxies_follow_the_access_mode_of_their_plan() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "static-1", "static").await;
    let owner = shop.owner_of(2, 0).await;
    let node = shop.nodes_of(&owner).await.remove(0);
    let at = |address: &str, user_name: &Value, password: &Value| json!({"UserName": user_name, "Password": password, "ClientAddress": address, "Ip": node["Ip"]});
    let own = at("203.0.113.7", &node["UserName"], &node["Password"]);
    let listed = at("8.8.8.8", &json!(""), &json!(""));
    assert_eq!(carrier.refuses(own.clone()).await, None);
    assert_eq!(carrier.refuses(listed.clone()).await.as_deref(), Some("wrong_password"));
    let mut elsewhere = own.clone();
    elsewhere["Ip"] = json!("192.0.2.1");
    assert_eq!(carrier.refuses(elsewhere.clone()).await.as_deref(), Some("unknown_user"));
    elsewhere["Ip"] = json!("");
    assert_eq!(carrier.refuses(elsewhere).await.as_deref(), Some("malformed"));
    shop.call(&owner, "Ips/AddWhiteList", json!({"VerStr": REGULAR, "Address": "8.8.8.0/24", "Label": ""})).await;
    for (mode, by_password, by_address) in [
        ("both", None, None),
        ("whitelist", Some("address_not_listed"), None),
        ("password", None, Some("wrong_password")),
    ] {
        assert_eq!(
            shop.call(&owner, "Ips/UpdateVerAuth", json!({"VerStr": REGULAR, "AccessMode": mode})).await.code,
            1000
        );
        // Nodes are reloaded after two seconds.
        shop.app.authorizer.forget_nodes();
        assert_eq!(carrier.refuses(own.clone()).await.as_deref(), by_password, "{mode}");
        assert_eq!(carrier.refuses(listed.clone()).await.as_deref(), by_address, "{mode}");
    }
    shop.app.clock.advance(TimeDelta::days(31));
    assert_eq!(carrier.refuses(own.clone()).await.as_deref(), Some("expired"));
    // It may still be renewed, and its owner learns why it does not work.
    shop.run_jobs().await;
    shop.app.authorizer.forget_nodes();
    assert_eq!(carrier.refuses(own).await.as_deref(), Some("expired"));
}

#[actix_web::test]
async fn several_static_proxies_are_answered_together_each_as_its_own() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "static-1", "static").await;
    let mut connections = Vec::new();
    let owners = [shop.owner_of(2, 0).await, shop.owner_of(1, 2).await];
    for owner in &owners {
        for node in shop.nodes_of(owner).await {
            let user = json!({"UserName": node["UserName"], "Password": node["Password"], "ClientAddress": "8.8.8.8"});
            connections.push((Some(&node["NodeId"]).cloned(), with_ip(&user, &node["Ip"])));
        }
    }
    let wrong = connections[0].1.clone();
    connections.push((None, with_ip(&wrong, &connections[2].1["Ip"])));
    connections.push((None, with_ip(&wrong, &json!("192.0.2.1"))));
    connections.push((None, with_ip(&wrong, &json!("no address"))));
    let listed = json!({"UserName": "", "Password": "", "ClientAddress": "8.8.4.4"});
    let their_ip = connections[2].1["Ip"].clone();
    connections.push((connections[2].0.clone(), with_ip(&listed, &their_ip)));
    connections.push((None, with_ip(&listed, &wrong["Ip"])));
    let address = json!({"VerStr": REGULAR, "Address": "8.8.4.4", "Label": ""});
    assert_eq!(shop.call(&owners[1], "Ips/AddWhiteList", address).await.code, 1000);
    let access = json!({"VerStr": REGULAR, "AccessMode": "both"});
    assert_eq!(shop.call(&owners[1], "Ips/UpdateVerAuth", access).await.code, 1000);
    let asked: Vec<&Value> = connections.iter().map(|(_, asked)| asked).collect();
    // Asked twice: once of the database, once from memory.
    for _ in 0..2 {
        let (status, answer) = carrier.post("authorize", json!({ "Connections": asked }).to_string()).await;
        let answers = answer["Answers"].as_array().expect("answers");
        let allowed: Vec<Option<Value>> = answers.iter().map(|one| one.get("NodeId").cloned()).collect();
        let expected: Vec<Option<Value>> = connections.iter().map(|(node_id, _)| node_id.clone()).collect();
        assert_eq!((status, allowed), (200, expected), "{answer}");
        let reasons: Vec<&Value> = answers[3..6].iter().map(|one| &one["Reason"]).collect();
        assert_eq!(reasons, ["wrong_password", "unknown_user", "malformed"]);
    }
}

fn with_ip(connection: &Value, ip: &Value) -> Value {
    let mut connection = connection.clone();
    connection["Ip"] = ip.clone();
    connection
}

#[actix_web::test]
async fn one_ip_of_a_plan_may_carry_what_the_seller_set_for_it() {
    let shop = Shop::open();
    let (operator, carrier) = (shop.operator(), Carrier::registers(&shop, "static-1", "static").await);
    let node = shop.nodes_of(&shop.owner_of(1, 0).await).await.remove(0);
    let asked = json!({"UserName": node["UserName"], "Password": node["Password"], "Ip": node["Ip"]});
    let limits = async || {
        shop.app.authorizer.forget_nodes();
        let answer = carrier.post("authorize", asked.to_string()).await.1;
        assert_eq!(answer["Allowed"], true, "{answer}");
        (answer["MaxConnections"].clone(), answer["MaxBytesPerSecond"].clone())
    };
    assert_eq!(limits().await, (Value::Null, Value::Null));
    let form = |connections: &str, megabits: &str| json!({"Action": "limit_tier", "VerStr": REGULAR, "MaxConnections": connections, "MaxMegabits": megabits});
    let changed = shop.call(&operator, "Operator/ChangePrice", form("100", "8")).await;
    assert_eq!(changed.code, 1000, "{changed:?}");
    assert_eq!(limits().await, (json!(100), json!(1_000_000)));
    let catalogue = shop.call(&operator, "Ips/GetServerVer", json!({})).await.data;
    let regular = &catalogue["Tiers"][0];
    assert_eq!((&regular["MaxConnections"], &regular["MaxMegabits"]), (&json!(100), &json!(8)), "{regular}");
    let refused = shop.call(&operator, "Operator/ChangePrice", form("0", "10001")).await;
    assert_eq!(refused.code, 2001, "{refused:?}");
    assert!(["MaxConnections", "MaxMegabits"].iter().all(|field| refused.data["Fields"][field].is_array()));
    assert_eq!(shop.call(&operator, "Operator/ChangePrice", form("", "")).await.code, 1000);
    assert_eq!(limits().await, (Value::Null, Value::Null));
    let entries = shop.call(&operator, "Operator/GetAuditLog", json!({})).await.data["Rows"].take();
    let change = &entries[1]["Changes"][0];
    assert!(
        change["After"].as_str().is_some_and(|line| line.ends_with("100 connections per IP, 8 Mbit/s per IP")),
        "{entries}"
    );
}

#[actix_web::test]
async fn a_used_up_batch_is_not_available_when_another_one_ends() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let ann = shop.customer(0);
    let (_, password) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    shop.gives_traffic(&ann, 1_000, shop.app.clock.now(), None);
    shop.app.clock.advance(TimeDelta::hours(2));
    let now = shop.app.clock.now();
    shop.gives_traffic(&ann, 1_000, now, Some(now + TimeDelta::hours(1)));
    let refuses = async || {
        shop.refreshes_access().await;
        carrier.refuses(connection("user-scraper_1", &password)).await
    };
    // Refreshes see a change for a minute; after that the entry is only cached.
    shop.app.clock.advance(TimeDelta::minutes(3));
    shop.refreshes_access().await;
    shop.app.clock.advance(TimeDelta::minutes(3));
    assert_eq!(refuses().await, None);
    // Used before the second batch began.
    carrier.reports(&[record("1", "scraper_1", now - TimeDelta::hours(1), 1_000)]).await;
    shop.aggregates_usage().await;
    assert_eq!(refuses().await, None);
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(refuses().await.as_deref(), Some("no_traffic"));
}

#[actix_web::test]
async fn a_proxy_server_is_added_and_rotated_once_per_key_and_its_old_secret_ends_at_once() {
    let shop = Shop::open();
    let operator = shop.operator();
    let form =
        json!({"Name": "gate-1", "Kind": "residential", "Host": "gate.example", "HttpPort": "8000", "Socks5Port": ""});
    let added = shop.call_once(&operator, "add-1", "Operator/AddProxyServer", form.clone()).await.data;
    assert_eq!(shop.call_once(&operator, "add-1", "Operator/AddProxyServer", form.clone()).await.data, added);
    let again = shop.call_once(&operator, "add-2", "Operator/AddProxyServer", form).await;
    assert_eq!((again.code, &again.data["Fields"]["Name"][0]["Rule"]), (2001, &json!("nameTaken")));
    assert_eq!(
        shop.call(&operator, "Operator/GetProxyServerList", json!({})).await.data.as_array().map(Vec::len),
        Some(1)
    );

    let status = async |secret: &Value| {
        let carrier = Carrier {
            url: shop.url.clone(),
            secret: secret.as_str().unwrap_or_default().to_owned(),
            client: clients::new(),
        };
        carrier.post("authorize", connection("user-nobody_1", "x").to_string()).await.0
    };
    assert_eq!(status(&added["Secret"]).await, 200);
    let server = json!({"ServerId": added["Server"]["ServerId"]});
    let rotated = shop.call_once(&operator, "rotate-1", "Operator/RotateProxyServer", server.clone()).await.data;
    let repeated = shop.call_once(&operator, "rotate-1", "Operator/RotateProxyServer", server.clone()).await.data;
    assert_eq!(repeated["Secret"], rotated["Secret"]);
    assert_eq!((status(&added["Secret"]).await, status(&rotated["Secret"]).await), (401, 200));
    for _ in 0..2 {
        assert_eq!(
            shop.call_once(&operator, "remove-1", "Operator/RemoveProxyServer", server.clone()).await.code,
            1000
        );
    }
    assert_eq!(status(&rotated["Secret"]).await, 401);
    assert_eq!(shop.call_once(&operator, "remove-2", "Operator/RemoveProxyServer", server).await.code, 3004);
}
