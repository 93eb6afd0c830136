//! Every call about static residential proxies, made by its owner, an account without anything, a stranger, and one who uses another customer's ids.
use crate::shop::{Customer, REGULAR, Shop, clients, order_for};
use chrono::TimeDelta;
use postern_core::node::{AccessMode, NodeState};
use postern_server::db::prelude::*;
use postern_server::schema::{node_switches, nodes, plan_groups, plans, white_list};
use serde_json::{Value, json};

/// The response of a call with ids of another account.
#[derive(Clone, Copy, PartialEq)]
enum Foreign {
    /// The call takes no ids.
    Public,
    /// 3004, as if it did not exist.
    NotFound,
    /// 1000 with an empty list.
    Empty,
    /// 1000 with nothing changed, and each id in `Failed`.
    Failed,
}

struct Things {
    node_id: Value,
    free_node_id: Value,
    group_id: Value,
    white_id: Value,
}

/// The specification's 32 calls, each with a valid body for the owner.
fn calls(things: &Things) -> Vec<(&'static str, Value, Foreign)> {
    use Foreign::{Empty, Failed, NotFound, Public};
    let Things { node_id, free_node_id, group_id, white_id } = things;
    let plan = json!({"VerStr": REGULAR});
    vec![
        ("Ips/GetServerVer", json!({}), Public),
        ("Ips/GetUserNodeList", json!({}), Empty),
        ("Ips/GetCountryList", json!({}), Public),
        (
            "Ips/UserEditNodeAccount",
            json!({"NodeIds": [node_id], "UserName": "ann_1", "Password": "secret99word"}),
            Failed,
        ),
        ("Ips/userGetUserVerPlan", json!({}), Empty),
        ("Ips/GetUserVerPlan", json!({}), Empty),
        ("Ips/IpsNoneRenewByPrice", json!({"NodeIds": [node_id], "PeriodDays": 30}), NotFound),
        ("Ips/IpsNoneRenew", json!({"NodeIds": [node_id], "PeriodDays": 30, "ExpectedTotal": "5.00"}), NotFound),
        ("Ips/UserGetVerAuth", plan.clone(), NotFound),
        (
            "Ips/UpdateVerUserPass",
            json!({"VerStr": REGULAR, "UserName": "ann_1", "Password": "secret99word"}),
            NotFound,
        ),
        ("Ips/UpdateVerAuth", json!({"VerStr": REGULAR, "AccessMode": "both"}), NotFound),
        ("Ips/GetMyWhiteList", json!({}), Empty),
        ("Ips/AddWhiteList", json!({"VerStr": REGULAR, "Address": "8.8.4.4", "Label": ""}), NotFound),
        ("Ips/DelWhite", json!({"WhiteIds": [white_id]}), NotFound),
        ("Ips/GetServerNodeInventory", json!({}), Public),
        ("Ips/UserGetNodeTable", json!({}), Empty),
        ("Ips/UserGetTargetList", json!({}), Public),
        ("Ips/GetUserTargetList", json!({}), Public),
        ("Ips/UserGetSwitchRecording", json!({}), Empty),
        ("Ips/GetMyPurchasableNodeList", json!({}), Public),
        ("Ips/AddUserPlanGroup", json!({"Name": "New", "Colour": "", "Note": ""}), Public),
        ("Ips/GetUserPlanGroupList", json!({}), Public),
        ("Ips/AddToGroup", json!({"GroupId": group_id, "NodeIds": [node_id]}), NotFound),
        ("Ips/ClearUserPlanGroup", json!({"NodeIds": [node_id]}), Failed),
        ("Ips/ClearUserPlanGroupAllNode", json!({"GroupId": group_id}), NotFound),
        ("Ips/EditUserPlanGroup", json!({"GroupId": group_id, "Name": "Other", "Colour": "", "Note": ""}), NotFound),
        ("Ips/SetAutoRenew", json!({"NodeIds": [node_id], "AutoRenew": true}), Failed),
        ("Ips/MySpecifySwitchNode", json!({"NodeId": node_id, "NewNodeId": free_node_id, "DryRun": true}), NotFound),
        ("Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [node_id], "DryRun": true}), NotFound),
        ("Ips/SwitchNode", json!({"NodeIds": [node_id], "DryRun": true}), NotFound),
        ("Ips/DeleteUserPlanGroup", json!({"GroupId": group_id}), NotFound),
    ]
}

async fn things_of(shop: &Shop, customer: &Customer) -> Things {
    let node_id = shop.nodes_of(customer).await[0]["NodeId"].clone();
    let group = json!({"Name": "Mine", "Colour": "", "Note": ""});
    let group_id = shop.call(customer, "Ips/AddUserPlanGroup", group).await.data["GroupId"].clone();
    shop.call(customer, "Ips/AddToGroup", json!({"GroupId": group_id, "NodeIds": [node_id]})).await;
    let entry = json!({"VerStr": REGULAR, "Address": "8.8.8.8", "Label": "home"});
    let white_id = shop.call(customer, "Ips/AddWhiteList", entry).await.data["WhiteId"].clone();
    let free = shop.call(customer, "Ips/GetMyPurchasableNodeList", json!({})).await;
    Things { node_id, free_node_id: free.data["Rows"][0]["NodeId"].clone(), group_id, white_id }
}

/// All rows of the account in the database.
fn rows_of(shop: &Shop, account_id: i64) -> String {
    let read = |conn: &mut postern_server::db::Conn| {
        type Node = (i64, NodeState, Option<i64>, Option<String>, Option<String>, String, bool);
        let own: Vec<Node> = nodes::table
            .filter(nodes::account_id.eq(account_id))
            .order(nodes::id)
            .select((
                nodes::id,
                nodes::state,
                nodes::group_id,
                nodes::user_name,
                nodes::password_sealed,
                nodes::note,
                nodes::auto_renew,
            ))
            .load(conn)?;
        let groups: Vec<(i64, String)> = plan_groups::table
            .filter(plan_groups::account_id.eq(account_id))
            .order(plan_groups::id)
            .select((plan_groups::id, plan_groups::name))
            .load(conn)?;
        let access: Vec<(AccessMode, bool, Option<String>)> = plans::table
            .filter(plans::account_id.eq(account_id))
            .order(plans::id)
            .select((plans::access_mode, plans::auto_renew, plans::user_name))
            .load(conn)?;
        let entries: Vec<String> = white_list::table
            .filter(white_list::account_id.eq(account_id))
            .order(white_list::id)
            .select(white_list::address)
            .load(conn)?;
        let switches: i64 =
            node_switches::table.filter(node_switches::account_id.eq(account_id)).count().get_result(conn)?;
        Ok(format!("{own:?} {groups:?} {access:?} {entries:?} {switches}"))
    };
    shop.app.db.read_blocking(read).expect("rows")
}

#[actix_web::test]
async fn all_32_calls_work_for_the_owner() {
    let shop = Shop::open();
    let owner = shop.owner_of(2, 10_000).await;
    shop.stock("US", "new-york", 3);
    let things = things_of(&shop, &owner).await;
    let all = calls(&things);
    for (call, body, _) in &all {
        let answer = shop.call(&owner, call, body.clone()).await;
        assert_eq!(answer.code, 1000, "{call}: {answer:?}");
    }
    let client_ip = clients::get(format!("{}/api/SystemSettings/GetClientIp", shop.url)).await.expect("an answer");
    let client_ip: Value = client_ip.json().await.expect("JSON");
    assert_eq!(client_ip["Data"]["Ip"], "127.0.0.1");
    assert_eq!(all.len() + 1, 32);
}

#[actix_web::test]
async fn no_call_reads_or_changes_rows_of_another_account() {
    let shop = Shop::open();
    let owner = shop.owner_of(2, 10_000).await;
    shop.stock("US", "new-york", 3);
    let things = things_of(&shop, &owner).await;
    let before = rows_of(&shop, owner.account_id);
    // One owns nothing, the other the same kinds of things.
    let (poor, rich) = (shop.customer(10_000), shop.owner_of(1, 10_000).await);
    for (call, body, foreign) in calls(&things) {
        for other in [&poor, &rich] {
            let owns_the_plan = other.account_id == rich.account_id && body.get("NodeIds").is_none();
            let answer = shop.call(other, call, body.clone()).await;
            let named = ["NodeIds", "NodeId", "GroupId", "WhiteIds"].iter().any(|field| body.get(*field).is_some());
            match foreign {
                Foreign::Public => assert_eq!(answer.code, 1000, "{call}: {answer:?}"),
                Foreign::NotFound if named || !owns_the_plan => assert_eq!(answer.code, 3004, "{call}: {answer:?}"),
                Foreign::NotFound => assert_eq!(answer.code, 1000, "{call} of their own plan: {answer:?}"),
                Foreign::Empty if owns_the_plan => assert_eq!(answer.code, 1000, "{call}: {answer:?}"),
                Foreign::Empty => {
                    let rows = answer.data.get("Rows").unwrap_or(&answer.data);
                    assert_eq!(rows, &json!([]), "{call}");
                }
                Foreign::Failed => {
                    let failed =
                        json!({"Changed": 0, "Failed": [{"NodeId": things.node_id, "Ip": null, "Code": 3004}]});
                    assert_eq!(answer.data, failed, "{call}");
                }
            }
            assert!(!answer.data.to_string().contains("8.8.8.8"), "{call} tells of another's whitelist");
            assert_eq!(rows_of(&shop, owner.account_id), before, "{call} changed another's rows");
        }
    }
    let theirs = shop.nodes_of(&rich).await;
    let taken = json!({"GroupId": things.group_id, "NodeIds": [theirs[0]["NodeId"]]});
    assert_eq!(shop.call(&rich, "Ips/AddToGroup", taken).await.code, 3004, "own nodes do not go into another's group");
}

#[actix_web::test]
async fn calls_without_a_valid_session_are_refused() {
    let shop = Shop::open();
    let owner = shop.owner_of(1, 10_000).await;
    shop.stock("US", "new-york", 1);
    let things = things_of(&shop, &owner).await;
    let before = rows_of(&shop, owner.account_id);
    let all = calls(&things);
    for (call, body, _) in &all {
        for headers in [vec![], vec![("Token", "")], vec![("Token", "no such token")]] {
            let answer = shop.send(call, body.clone(), &headers).await;
            assert_eq!((answer.status, answer.code, &answer.data), (401, 3001, &Value::Null), "{call}");
        }
    }
    shop.app.clock.advance(TimeDelta::days(29));
    let late = shop.customer(0);
    shop.app.clock.advance(TimeDelta::days(1) + TimeDelta::minutes(1));
    for (call, body, _) in &all {
        let answer = shop.call(&owner, call, body.clone()).await;
        assert_eq!((answer.status, answer.code, &answer.data), (200, 3001, &Value::Null), "{call}");
    }
    assert_eq!(shop.call(&late, "Ips/GetServerVer", json!({})).await.code, 1000);
    assert_eq!(rows_of(&shop, owner.account_id), before);
}

#[actix_web::test]
async fn malformed_bodies_are_refused_and_change_nothing() {
    let shop = Shop::open();
    let owner = shop.owner_of(1, 10_000).await;
    shop.buys(&owner, {
        shop.stock("DE", "frankfurt", 1);
        order_for(&[("DE", "frankfurt", 1)], "5.00")
    })
    .await;
    let things = things_of(&shop, &owner).await;
    let before = rows_of(&shop, owner.account_id);
    for (call, body, _) in calls(&things) {
        if body == json!({}) {
            continue;
        }
        for wrong in [
            json!([]),
            json!("text"),
            json!({"NodeIds": "all", "GroupId": "x", "VerStr": 7, "WhiteIds": {}, "Name": []}),
        ] {
            let answer = shop.call(&owner, call, wrong.clone()).await;
            assert_eq!(answer.code, 2001, "{call} {wrong}: {answer:?}");
            assert!(answer.data["Fields"].is_object() && !answer.message.is_empty(), "{call}: {answer:?}");
        }
    }
    assert_eq!(rows_of(&shop, owner.account_id), before);
}
