//! Use cases of a shop: named by the operator, given to nodes, chosen by customers.
use crate::shop::{Customer, Shop};
use serde_json::{Value, json};
use std::sync::Arc;

async fn done(shop: &Shop, who: &Customer, call: &str, body: Value) -> Value {
    let answer = shop.call(who, call, body.clone()).await;
    assert_eq!(answer.code, 1000, "{call} {body}: {answer:?}");
    answer.data
}

async fn save(shop: &Shop, operator: &Customer, is_new: bool, target: &str, position: &str) -> Value {
    let name = format!("Name of {target}");
    let form = json!({"IsNew": is_new, "Target": target, "NameEn": name, "NameZh": "", "Position": position});
    done(shop, operator, "Operator/SaveUseCase", form).await
}

fn keys(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(|row| row["Target"].as_str()).collect()
}

async fn actions(shop: &Shop, operator: &Customer) -> Vec<(String, Value)> {
    let log = done(shop, operator, "Operator/GetAuditLog", json!({})).await;
    let rows = log["Rows"].as_array().expect("rows").iter();
    rows.map(|row| (row["Action"].as_str().unwrap_or_default().to_owned(), row["Changes"].clone())).collect()
}

#[actix_web::test]
async fn use_cases_are_added_moved_renamed_and_deleted_and_customers_see_their_order() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    assert_eq!(done(&shop, &operator, "Operator/GetUseCaseList", json!({})).await, json!([]), "a new shop has none");
    for target in ["shops", "games"] {
        save(&shop, &operator, true, target, "").await;
    }
    assert_eq!(keys(&save(&shop, &operator, true, "travel", "1").await), ["travel", "shops", "games"]);
    assert_eq!(keys(&save(&shop, &operator, false, "travel", "2").await), ["shops", "travel", "games"]);
    assert_eq!(keys(&save(&shop, &operator, false, "games", "").await), ["shops", "travel", "games"], "it stays there");
    assert_eq!(keys(&save(&shop, &operator, false, "shops", "99").await), ["travel", "games", "shops"], "the last one");
    let renamed = json!({"IsNew": false, "Target": "games", "NameEn": "Games", "NameZh": "游戏", "Category": "fun"});
    let list = done(&shop, &operator, "Operator/SaveUseCase", renamed.clone()).await;
    assert_eq!(list[1], json!({"Target": "games", "NameEn": "Games", "NameZh": "游戏", "Category": "fun", "Nodes": 0}));
    done(&shop, &operator, "Operator/SaveUseCase", renamed).await;
    let shown = done(&shop, &customer, "Ips/UserGetTargetList", json!({})).await;
    assert_eq!(keys(&shown), ["travel", "games", "shops"]);
    let entries = actions(&shop, &operator).await;
    assert_eq!(entries.iter().filter(|entry| entry.0 == "use_case_saved").count(), 6, "not for what changed nothing");
    assert_eq!(
        entries[0].1,
        json!([
            {"Field": "name", "Before": "Name of games", "After": "Games"},
            {"Field": "name_zh", "Before": "Name of games", "After": "游戏"},
            {"Field": "category", "Before": "", "After": "fun"},
        ])
    );
    assert_eq!(
        keys(&done(&shop, &operator, "Operator/DeleteUseCase", json!({"Target": "games"})).await),
        ["travel", "shops"]
    );
    assert_eq!(shop.call(&operator, "Operator/DeleteUseCase", json!({"Target": "games"})).await.code, 3004);
    assert_eq!(actions(&shop, &operator).await[0].0, "use_case_deleted");
}

#[actix_web::test]
async fn wrong_use_cases_are_refused_at_their_field() {
    let shop = Shop::open();
    let operator = shop.operator();
    save(&shop, &operator, true, "shops", "").await;
    for (body, field, rule) in [
        (json!({"IsNew": true, "Target": "shops", "NameEn": "Shops"}), "Target", "useCaseTaken"),
        (json!({"IsNew": true, "Target": "Two words", "NameEn": "Shops"}), "Target", "useCaseKey"),
        (json!({"IsNew": true, "Target": "a", "NameEn": ""}), "NameEn", "required"),
        (json!({"IsNew": true, "Target": "a", "NameEn": "A", "Position": "x"}), "Position", "wholeNumber"),
        (json!({"IsNew": true, "Target": "a\u{0}", "NameEn": "A"}), "Target", "invisibleCharacters"),
    ] {
        let refused = shop.call(&operator, "Operator/SaveUseCase", body.clone()).await;
        assert_eq!((refused.code, &refused.data["Fields"][field][0]["Rule"]), (2001, &json!(rule)), "{body}");
    }
    let unknown = json!({"IsNew": false, "Target": "unknown", "NameEn": "A"});
    assert_eq!(shop.call(&operator, "Operator/SaveUseCase", unknown).await.code, 3004);
    for number in 1..100 {
        save(&shop, &operator, true, &format!("case-{number}"), "").await;
    }
    let full = json!({"IsNew": true, "Target": "one-more", "NameEn": "One more"});
    let refused = shop.call(&operator, "Operator/SaveUseCase", full).await;
    assert_eq!(refused.data["Fields"]["Target"][0]["Rule"], "tooManyUseCases", "{refused:?}");
    assert_eq!(shop.call(&shop.customer(0), "Operator/GetUseCaseList", json!({})).await.code, 3003);
}

#[actix_web::test]
async fn two_operators_at_once_leave_each_use_case_a_place_of_its_own() {
    let shop = Arc::new(Shop::open());
    let (one, other) = (shop.operator(), shop.operator());
    for round in 0..4 {
        let (first, second) = (format!("a{round}"), format!("b{round}"));
        tokio::join!(save(&shop, &one, true, &first, "1"), save(&shop, &other, true, &second, "1"));
    }
    let list = done(&shop, &one, "Operator/GetUseCaseList", json!({})).await;
    assert_eq!(keys(&list).len(), 8, "{list}");
    let form = |name: &str| json!({"IsNew": true, "Target": "same", "NameEn": name});
    let (first, second) = tokio::join!(
        shop.call(&one, "Operator/SaveUseCase", form("One")),
        shop.call(&other, "Operator/SaveUseCase", form("Other"))
    );
    let mut codes = [first.code, second.code];
    codes.sort_unstable();
    assert_eq!(codes, [1000, 2001]);
}

#[actix_web::test]
async fn nodes_are_given_use_cases_and_lose_them_and_the_stock_follows() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    shop.stock("US", "new-york", 3);
    for target in ["shops", "games"] {
        save(&shop, &operator, true, target, "").await;
    }
    let rows = done(&shop, &operator, "Operator/GetInventory", json!({})).await;
    let ids: Vec<i64> =
        rows["Rows"].as_array().expect("rows").iter().filter_map(|row| row["NodeId"].as_i64()).collect();
    let add = json!({"NodeIds": ids[..2], "AddTargets": ["shops", "games"]});
    assert_eq!(done(&shop, &operator, "Operator/EditNodes", add.clone()).await["Changed"], 2);
    assert_eq!(done(&shop, &operator, "Operator/EditNodes", add).await["Changed"], 0, "they are so already");
    let of_case = async |target: &str| {
        let filter = json!({"Filter": {"Target": target}});
        let listed = done(&shop, &operator, "Operator/GetInventory", filter).await;
        let stock = done(&shop, &customer, "Ips/GetServerNodeInventory", json!({"Target": target})).await;
        (listed["Total"].as_i64(), stock.to_string().contains("new-york"))
    };
    assert_eq!(of_case("shops").await, (Some(2), true));
    let change = json!({"NodeIds": ids, "AddTargets": ["shops"], "RemoveTargets": ["games"], "Supplier": "Acme"});
    assert_eq!(done(&shop, &operator, "Operator/EditNodes", change).await["Changed"], 3);
    assert_eq!(of_case("shops").await, (Some(3), true));
    assert_eq!(of_case("games").await, (Some(0), false));
    let (action, changes) = actions(&shop, &operator).await.remove(0);
    assert_eq!(action, "nodes_edited");
    assert!(changes.to_string().contains("+shops, -games"), "{changes}");
    let list = done(&shop, &operator, "Operator/GetUseCaseList", json!({})).await;
    assert_eq!((&list[0]["Nodes"], &list[1]["Nodes"]), (&json!(3), &json!(0)));
    for (edit, field, rule) in [
        (json!({"AddTargets": ["unknown"]}), "AddTargets", "unknownTarget"),
        (json!({"AddTargets": ["shops"], "RemoveTargets": ["shops"]}), "RemoveTargets", "useCaseTwice"),
    ] {
        let mut body = edit.clone();
        body["NodeIds"] = json!(ids);
        let refused = shop.call(&operator, "Operator/EditNodes", body).await;
        assert_eq!(refused.data["Fields"][field][0]["Rule"], rule, "{edit}: {refused:?}");
    }
    shop.stock("US", "chicago", 100);
    let rows = done(&shop, &operator, "Operator/GetInventory", json!({"PageSize": 200})).await;
    let many: Vec<i64> =
        rows["Rows"].as_array().expect("rows").iter().filter_map(|row| row["NodeId"].as_i64()).collect();
    let names: Vec<String> = (0..40).map(|number| format!("none-{number}")).collect();
    let refused = shop.call(&operator, "Operator/EditNodes", json!({"NodeIds": many, "RemoveTargets": names})).await;
    let rule = &refused.data["Fields"]["NodeIds"][0];
    assert_eq!((&rule["Rule"], &rule["Params"]["Max"]), (&json!("tooManyNodes"), &json!("75")), "{refused:?}");
    done(&shop, &operator, "Operator/DeleteUseCase", json!({"Target": "shops"})).await;
    let (action, changes) = actions(&shop, &operator).await.remove(0);
    assert_eq!(action, "use_case_deleted");
    assert!(changes.to_string().contains(r#""Before":"3""#), "{changes}");
    assert_eq!(of_case("shops").await, (Some(0), false), "the nodes stay, without it");
    assert_eq!(shop.nodes_in_state("available"), 103);
}
