//! Nodes that belong to one proxy server.
use crate::carriers::Carrier;
use crate::shop::{Customer, Shop};
use postern_server::db::prelude::*;
use postern_server::schema::{nodes, proxy_servers};
use serde_json::{Value, json};

fn at(node: &Value) -> Value {
    json!({"UserName": node["UserName"], "Password": node["Password"], "ClientAddress": "203.0.113.7", "Ip": node["Ip"]})
}

async fn server_ids(shop: &Shop, operator: &Customer) -> Vec<(String, Value)> {
    let servers = shop.call(operator, "Operator/GetProxyServerList", json!({})).await;
    let servers = servers.data.as_array().cloned().unwrap_or_default();
    servers.iter().map(|server| (server["Name"].as_str().unwrap_or_default().to_owned(), server.clone())).collect()
}

#[actix_web::test]
async fn an_assigned_node_is_carried_by_its_server_alone_until_that_is_removed() {
    let shop = Shop::open();
    let operator = shop.operator();
    let first = Carrier::registers(&shop, "isp-1", "static").await;
    let second = Carrier::registers(&shop, "isp-2", "static").await;
    let other_kind = Carrier::registers(&shop, "pool", "residential").await;
    let owner = shop.owner_of(2, 0).await;
    let own = shop.nodes_of(&owner).await;
    let (node, free) = (&own[0], &own[1]);
    assert_eq!((first.refuses(at(node)).await, second.refuses(at(node)).await), (None, None));

    let servers = server_ids(&shop, &operator).await;
    let id = |name: &str| servers.iter().find(|server| server.0 == name).map(|server| server.1["ServerId"].clone());
    let assign = async |server_id: Option<Value>, addresses: &str| {
        let mut body = json!({ "Addresses": addresses });
        if let Some(server_id) = server_id {
            body["ServerId"] = server_id;
        }
        shop.call(&operator, "Operator/AssignNodes", body).await
    };
    for (server_id, addresses, field) in [
        (id("isp-1"), "198.18.0", "Addresses"),
        (id("isp-1"), " ", "Addresses"),
        (id("pool"), "198.18.0.1", "ServerId"),
        (Some(json!(4_711)), "198.18.0.1", "ServerId"),
    ] {
        let refused = assign(server_id, addresses).await;
        assert!(refused.code == 2001 && refused.data["Fields"][field].is_array(), "{refused:?}");
    }
    let ip = node["Ip"].as_str().expect("an address");
    let assigned = assign(id("isp-1"), &format!("{ip}\n203.0.113.0/24 {ip}/32")).await;
    assert_eq!(assigned.data, json!({ "Assigned": 1, "NotFound": ["203.0.113.0/24"] }));
    assert_eq!(second.refuses(at(node)).await.as_deref(), Some("other_server"));
    let wrong = json!({"UserName": "x", "Password": "y", "ClientAddress": "203.0.113.7", "Ip": ip});
    assert_eq!(second.refuses(wrong).await.as_deref(), Some("other_server"), "another server learns no more");
    assert_eq!((first.refuses(at(node)).await, second.refuses(at(free)).await), (None, None));
    let counted = server_ids(&shop, &operator).await;
    let counts: Vec<&Value> = counted.iter().map(|server| &server.1["Nodes"]).collect();
    assert_eq!(counts, [&json!(1), &json!(0), &json!(0)]);

    let (_, all) = first.post("nodes", "{}".to_owned()).await;
    let (_, others) = second.post("nodes", "{}".to_owned()).await;
    let ips = |page: &Value| {
        let nodes = page["Nodes"].as_array().expect("nodes");
        nodes.iter().map(|node| node["Ip"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert!(ips(&all).contains(&ip.to_owned()) && !ips(&others).contains(&ip.to_owned()));
    assert_eq!(ips(&all).len(), ips(&others).len() + 1);
    assert_eq!(all["Nodes"][0], json!({ "Ip": ips(&all)[0], "HttpPort": 8000, "Socks5Port": 1080 }));
    let last = shop.app.db.read_blocking(|conn| {
        Ok(nodes::table.select(diesel::dsl::max(nodes::id)).first::<Option<i64>>(conn)?.unwrap_or_default())
    });
    let (_, rest) = first.post("nodes", json!({ "After": last.expect("an id") - 1 }).to_string()).await;
    assert_eq!(ips(&rest).len(), 1);
    assert_eq!(other_kind.post("nodes", "{}".to_owned()).await, (200, json!({ "Nodes": [] })));
    assert_eq!(first.post("nodes", "{\"After\":\"x\"}".to_owned()).await.0, 400);
    let stranger = Carrier { secret: "x".to_owned(), ..first.clone() };
    assert_eq!(stranger.post("nodes", "{}".to_owned()).await.0, 401);

    let network = format!("{}.0/24", ip.rsplit_once('.').expect("an IPv4 address").0);
    let moved = assign(id("isp-2"), &network).await;
    assert!(moved.data["Assigned"].as_u64().is_some_and(|count| count >= 2), "{moved:?}");
    assert_eq!((second.refuses(at(node)).await, second.refuses(at(free)).await), (None, None));
    assert_eq!(first.refuses(at(free)).await.as_deref(), Some("other_server"));
    assert_eq!(assign(None, &free["Ip"].to_string().replace('"', "")).await.data["Assigned"], 1);
    assert_eq!(first.refuses(at(free)).await, None);
    // An import may name a server that is removed before it ends.
    let gone = id("isp-2").and_then(|id| id.as_i64()).expect("an id");
    let removed = proxy_servers::removed_at.eq(Some(shop.app.clock.now()));
    let row = proxy_servers::table.find(gone);
    let removed_directly = shop.app.db.write_blocking(|conn| Ok(diesel::update(row).set(removed).execute(conn)?));
    assert_eq!(removed_directly.ok(), Some(1));
    shop.app.authorizer.forget_nodes();
    assert_eq!(first.refuses(at(node)).await, None);
    let back = proxy_servers::removed_at.eq(None::<chrono::NaiveDateTime>);
    let put_back = shop.app.db.write_blocking(|conn| Ok(diesel::update(row).set(back).execute(conn)?));
    assert_eq!(put_back.ok(), Some(1));
    shop.call(&operator, "Operator/RemoveProxyServer", json!({ "ServerId": gone })).await;
    shop.app.authorizer.forget_nodes();
    assert_eq!(first.refuses(at(node)).await, None, "nodes of a removed server are carried by any");
}
