//! Static proxies, and the orders and lists of their owner.
use crate::lists::lists;
use crate::shop::{REGULAR, order_for};
use serde_json::{Value, json};

/// Every call of a signed-in user, with bodies that cover all queries, in an order in which each succeeds.
pub fn calls(
    node_ids: &[i64],
    group_id: &Value,
    white_id: &Value,
    free: &Value,
    order_id: &Value,
) -> Vec<(&'static str, Value)> {
    let node = json!({"NodeIds": [node_ids[0]]});
    let with = |extra: Value| {
        let mut body = node.clone();
        body.as_object_mut().expect("an object").extend(extra.as_object().cloned().unwrap_or_default());
        body
    };
    let node_filters = [
        ("Country", json!("US")),
        ("Country", json!("US,DE")),
        ("Ips", json!(["198.18.0.1", "198.18.0.2"])),
        ("City", json!("new-york")),
        ("VerStr", json!(REGULAR)),
        ("State", json!("assigned")),
        ("GroupId", json!(0)),
        ("GroupId", group_id.clone()),
        ("AutoRenew", json!(true)),
        ("Target", json!("search")),
        ("EndsWithinDays", json!(3)),
        ("OrderNumber", json!("PO1")),
    ];
    let node_sorts = ["Ip", "Country", "City", "Isp", "VerStr", "State", "AssignedAt", "ExpiresAt"];
    let places = [
        ("Country", json!("US")),
        ("City", json!("new-york")),
        ("VerStr", json!(REGULAR)),
        ("Isp", json!("isp1")),
        ("Target", json!("search")),
    ];
    let stock = [json!({}), json!({"VerStr": REGULAR}), json!({"Country": "US"}), json!({"Target": "search"})];
    let mut all = vec![
        ("Ips/GetServerVer", json!({})),
        ("Ips/GetUserPlanGroupList", json!({})),
        ("Ips/UserGetTargetList", json!({})),
        ("Ips/GetUserTargetList", json!({})),
        ("Ips/UserGetNodeTable", json!({})),
        ("Ips/userGetUserVerPlan", json!({})),
        ("Ips/GetUserVerPlan", json!({})),
        ("Ips/UserGetVerAuth", json!({"VerStr": REGULAR})),
        ("Ips/UpdateVerAuth", json!({"VerStr": REGULAR, "AccessMode": "both"})),
        ("Ips/UpdateVerUserPass", json!({"VerStr": REGULAR, "UserName": "ann_1", "Password": "secret99word"})),
        ("Ips/UserEditNodeAccount", with(json!({"UserName": "ann_2", "Password": "secret99word", "KeepOldHours": 1}))),
        ("Ips/AddWhiteList", json!({"VerStr": REGULAR, "Address": "8.8.4.4", "Label": ""})),
        ("Ips/DelWhite", json!({"WhiteIds": [white_id]})),
        ("Ips/AddToGroup", with(json!({"GroupId": group_id}))),
        ("Ips/ClearUserPlanGroup", node.clone()),
        ("Ips/ClearUserPlanGroupAllNode", json!({"GroupId": group_id})),
        ("Ips/EditUserPlanGroup", json!({"GroupId": group_id, "Name": "Other", "Colour": "", "Note": ""})),
        ("Ips/EditNodeNote", with(json!({"Note": "n"}))),
        ("Ips/EditNodeNote", json!({"All": true, "Note": "n"})),
        ("Ips/SetAutoRenew", with(json!({"AutoRenew": true}))),
        ("Ips/SetAutoRenew", json!({"VerStr": REGULAR, "AutoRenew": true})),
        ("Ips/IpsNoneRenewByPrice", with(json!({"PeriodDays": 30}))),
        ("Ips/SwitchNode", with(json!({"DryRun": true}))),
        ("Ips/SwitchNode", with(json!({"Reason": "r"}))),
        ("Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [node_ids[1]]})),
        ("Ips/MySpecifySwitchNode", json!({"NodeId": node_ids[2], "NewNodeId": free, "DryRun": true})),
        ("Ips/MySpecifySwitchNode", json!({"NodeId": node_ids[2], "NewNodeId": free})),
        ("Ips/TestNode", json!({"NodeId": node_ids[3], "Protocol": "http"})),
        ("Ips/GetUserNode", json!({"NodeId": node_ids[3]})),
        ("Ips/DeleteUserPlanGroup", json!({"GroupId": group_id})),
        ("Order/QuoteOrder", order_for(&[("US", "new-york", 1)], "5.00")),
        (
            "Order/QuoteOrder",
            json!({"VerStr": REGULAR, "PeriodDays": 30, "Coupon": "code1", "Lines": [{"Country": "US", "City": "new-york", "Quantity": 1}]}),
        ),
        ("Order/CheckCoupon", json!({"Coupon": "code1"})),
        ("Order/GetUnpaidOrderList", json!({})),
        ("Order/GetHoldLimit", json!({})),
        ("Order/GetOrder", json!({"OrderId": order_id})),
        ("Order/GetPaymentMethodList", json!({"Kind": "purchase"})),
        ("Order/CancelOrder", json!({"OrderId": order_id})),
        ("User/GetCenter", json!({})),
        ("User/GetAccountDetails", json!({})),
        ("User/UpdateAccountDetails", json!({"FirstName": "Ann"})),
        ("User/GetUserInfo", json!({})),
        ("User/GetWallet", json!({})),
        ("Wallet/SetLowBalanceAlert", json!({"Threshold": "10"})),
        ("Wallet/GetLowBalanceAlert", json!({})),
    ];
    all.extend(lists("Ips/GetUserNodeList", &node_filters, &node_sorts));
    // Substrings of notes, addresses and ISPs, and one or two Chinese characters.
    for search in ["198.18.", "word", "fiber", "酒店", "酒"] {
        all.push(("Ips/EditNodeNote", json!({"All": true, "Search": search, "Note": "a word, 酒店"})));
        all.push(("Ips/GetUserNodeList", json!({"Search": search, "PageSize": 1})));
        all.push(("Ips/GetUserNodeList", json!({"Search": search, "PageSize": 1, "Sort": [{"Field": "ExpiresAt"}]})));
        all.push(("Ips/GetUserNodeList", json!({"Search": search, "Filter": {"Country": "US"}})));
    }
    all.extend(lists("Ips/GetMyPurchasableNodeList", &places, &["Country", "City", "Isp"]));
    all.push(("Ips/GetMyPurchasableNodeList", json!({"Search": "198.18.0"})));
    all.extend(lists("Ips/GetMyWhiteList", &[("VerStr", json!(REGULAR))], &["Address", "CreatedAt"]));
    let switches = [("VerStr", json!(REGULAR)), ("Mode", json!("quota"))];
    all.extend(lists("Ips/UserGetSwitchRecording", &switches, &["CreatedAt", "OldIp", "NewIp"]));
    let orders = [("State", json!("fulfilled")), ("Kind", json!("purchase"))];
    all.extend(lists("Order/GetOrderList", &orders, &["CreatedAt", "Total"]));
    all.extend(lists("Billing/GetInvoiceList", &[("Kind", json!("invoice"))], &["IssuedAt"]));
    all.extend(lists("Wallet/GetTransactionList", &[("Kind", json!("purchase"))], &["CreatedAt"]));
    for filter in stock {
        all.push(("Ips/GetCountryList", filter.clone()));
        all.push(("Ips/GetServerNodeInventory", filter));
    }
    all
}
