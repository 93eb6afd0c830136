//! Proxy users: adding, editing, passwords, limits, states and addresses.
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use postern_core::proxy_user_form::{TAKEN_NAMES, TAKEN_NAMES_SHOWN};
use postern_core::time::to_wire;
use postern_server::db::prelude::*;
use postern_server::schema::{idempotency_keys, proxy_users};
use serde_json::{Value, json};

#[actix_web::test]
async fn an_invalid_proxy_user_is_refused_at_its_fields() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let form = json!({"Name": "Bad Name", "Password": "short", "LimitGigabytes": "-1", "LimitCycle": "none", "ExpiresAt": "2020-01-01 00:00:00", "Countries": ["XX"]});
    let answer = shop.call(&ann, "ProxyUsers/AddProxyUser", form).await;
    let fields: Vec<&String> = answer.data["Fields"].as_object().expect("fields").keys().collect();
    assert_eq!(
        (answer.code, fields),
        (
            2001,
            ["Countries", "ExpiresAt", "LimitGigabytes", "Name", "Password"]
                .iter()
                .map(|name| name.to_string())
                .collect::<Vec<_>>()
                .iter()
                .collect()
        )
    );
    shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    let answer = shop.call(&bob, "ProxyUsers/AddProxyUser", json!({"Name": "scraper_1"})).await;
    assert_eq!((answer.code, &answer.data["Fields"]["Name"][0]["Rule"]), (2001, &json!("nameTaken")));
    let (other, _) = shop.adds_proxy_user(&bob, json!({"Name": "scraper_2"})).await;
    let answer = shop.call(&bob, "ProxyUsers/EditProxyUser", json!({"ProxyUserId": other, "Name": "scraper_1"})).await;
    assert_eq!((answer.code, &answer.data["Fields"]["Name"][0]["Rule"]), (2001, &json!("nameTaken")));
}

#[actix_web::test]
async fn proxy_users_of_other_accounts_are_not_found() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let (id, _) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    shop.gives_traffic(&ann, 1_000, shop.app.clock.now(), None);
    let entry = json!({"ProxyUserId": id, "Address": "8.8.8.8", "Label": ""});
    let address = shop.call(&ann, "ProxyUsers/AddProxyUserAddress", entry.clone()).await.data["AddressId"].clone();
    for (call, body) in [
        ("ProxyUsers/EditProxyUser", json!({"ProxyUserId": id, "Name": "mine_now"})),
        ("ProxyUsers/ChangeProxyUserPassword", json!({"ProxyUserId": id})),
        ("ProxyUsers/RevealProxyUserPassword", json!({"ProxyUserId": id})),
        ("ProxyUsers/PauseProxyUsers", json!({"ProxyUserIds": [id]})),
        ("ProxyUsers/ResumeProxyUsers", json!({"ProxyUserIds": [id]})),
        ("ProxyUsers/ResetProxyUsers", json!({"ProxyUserIds": [id]})),
        ("ProxyUsers/DeleteProxyUsers", json!({"ProxyUserIds": [id]})),
        ("ProxyUsers/AddProxyUserAddress", json!({"ProxyUserId": id, "Address": "8.8.4.4"})),
        ("ProxyUsers/DelProxyUserAddress", json!({"AddressId": address})),
    ] {
        assert_eq!(shop.call(&bob, call, body).await.code, 3004, "{call}");
    }
    assert_eq!(shop.call(&bob, "ProxyUsers/GetProxyUserList", json!({})).await.data["Total"], 0);
    assert_eq!(shop.call(&bob, "ProxyUsers/GetProxyUserAddressList", json!({})).await.data, json!([]));
    assert!(shop.download(&ann, "ProxyUsers/ExportProxyUsers", json!({})).await.contains("scraper_1"));
    assert!(!shop.download(&bob, "ProxyUsers/ExportProxyUsers", json!({})).await.contains("scraper_1"));
}

#[actix_web::test]
async fn a_repeated_request_adds_one_proxy_user_and_stores_no_plain_password() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let form = json!({"Name": "scraper_1", "Password": "correct9horse"});
    let first = shop.call_once(&ann, "key-1", "ProxyUsers/AddProxyUser", form.clone()).await;
    let again = shop.call_once(&ann, "key-1", "ProxyUsers/AddProxyUser", form).await;
    assert_eq!((first.code, &first.data), (1000, &again.data));
    assert_eq!(first.data["Password"], "correct9horse");
    let id = first.data["ProxyUser"]["ProxyUserId"].clone();
    let change = json!({"ProxyUserId": id, "Password": "", "OldValidMinutes": 60});
    let changed = shop.call_once(&ann, "key-2", "ProxyUsers/ChangeProxyUserPassword", change.clone()).await;
    let repeated = shop.call_once(&ann, "key-2", "ProxyUsers/ChangeProxyUserPassword", change).await;
    assert_eq!((changed.code, &changed.data["Password"]), (1000, &repeated.data["Password"]));
    assert!(changed.data["ProxyUser"]["OldPasswordUntil"].is_string());
    let revealed = shop.call(&ann, "ProxyUsers/RevealProxyUserPassword", json!({ "ProxyUserId": id })).await;
    assert_eq!(revealed.data["Password"], changed.data["Password"]);
    let password = changed.data["Password"].as_str().expect("a password").to_owned();
    let kept = shop.app.db.read_blocking(|conn| {
        let answers: Vec<String> = idempotency_keys::table.select(idempotency_keys::answer).load(conn)?;
        let sealed: Vec<(String, Option<String>)> =
            proxy_users::table.select((proxy_users::password_sealed, proxy_users::old_password_sealed)).load(conn)?;
        Ok(format!("{answers:?} {sealed:?}"))
    });
    let kept = kept.expect("rows");
    assert!(!kept.contains(&password) && !kept.contains("correct9horse"), "{kept}");
    let wrong = json!({"ProxyUserId": id, "Password": "x", "OldValidMinutes": 1_441});
    let answer = shop.call(&ann, "ProxyUsers/ChangeProxyUserPassword", wrong).await;
    assert!(answer.data["Fields"]["Password"].is_array() && answer.data["Fields"]["OldValidMinutes"].is_array());
    // The old password is deleted when it expires.
    shop.app.clock.advance(TimeDelta::minutes(61));
    shop.run_jobs().await;
    let old = shop.app.db.read_blocking(|conn| {
        Ok(proxy_users::table.select(proxy_users::old_password_sealed).first::<Option<String>>(conn)?)
    });
    assert_eq!(old.expect("a row"), None);
}

#[actix_web::test]
async fn bulk_changes_skip_proxy_users_in_other_states() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let (one, _) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    let (two, _) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_2"})).await;
    let call = async |name: &str, ids: Value| shop.call(&ann, name, json!({ "ProxyUserIds": ids })).await.data;
    assert_eq!(call("ProxyUsers/PauseProxyUsers", json!([one])).await, json!({"Changed": 1, "Skipped": []}));
    let skipped = json!({"Changed": 1, "Skipped": [{"ProxyUserId": one, "State": "paused"}]});
    assert_eq!(call("ProxyUsers/PauseProxyUsers", json!([two, one, one])).await, skipped);
    assert_eq!(call("ProxyUsers/ResumeProxyUsers", json!([one, two])).await["Changed"], 2);
    assert_eq!(call("ProxyUsers/ResetProxyUsers", json!([one])).await["Changed"], 1);
    assert_eq!(call("ProxyUsers/DeleteProxyUsers", json!([one])).await["Changed"], 1);
    assert_eq!(shop.call(&ann, "ProxyUsers/DeleteProxyUsers", json!({"ProxyUserIds": [one]})).await.code, 3004);
    // The name is free again, and the row is gone after a week.
    shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    shop.app.clock.advance(TimeDelta::days(8));
    shop.run_jobs().await;
    let ann = shop.signs_in(&ann);
    let rows: i64 =
        shop.app.db.read_blocking(|conn| Ok(proxy_users::table.count().get_result(conn)?)).expect("a number");
    assert_eq!(
        (rows, shop.call(&ann, "ProxyUsers/GetProxyUserList", json!({})).await.data["Total"].as_i64()),
        (2, Some(2))
    );
}

#[actix_web::test]
async fn a_later_expiry_reactivates_an_expired_proxy_user() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let expires_at = to_wire(shop.app.clock.now() + TimeDelta::hours(1));
    let form = json!({"Name": "scraper_1", "ExpiresAt": expires_at});
    let (id, _) = shop.adds_proxy_user(&ann, form).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    shop.run_jobs().await;
    assert_eq!(shop.proxy_user(&ann, id).await["State"], "expired");
    let edit = async |expires_at: &str| {
        let edit = json!({"ProxyUserId": id, "Name": "scraper_1", "Note": "kept", "ExpiresAt": expires_at});
        shop.call(&ann, "ProxyUsers/EditProxyUser", edit).await.data
    };
    assert_eq!(edit(&expires_at).await["State"], "expired");
    assert!(edit("2020-01-01 00:00:00").await["Fields"]["ExpiresAt"].is_array());
    assert_eq!(edit(&to_wire(shop.app.clock.now() + TimeDelta::days(1))).await["State"], "active");
    assert_eq!(edit("").await.get("ExpiresAt"), None);
}

#[actix_web::test]
async fn the_list_is_sorted_searched_and_paged() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    for (name, note, countries) in [
        ("delta", "", json!([])),
        ("alfa", "Shop crawler", json!(["US"])),
        ("charlie", "", json!(["DE"])),
        ("bravo", "shop", json!([])),
    ] {
        let name = format!("{name}_1");
        shop.adds_proxy_user(&ann, json!({"Name": name, "Note": note, "Countries": countries})).await;
    }
    let names = async |body: Value| -> Vec<String> {
        let answer = shop.call(&ann, "ProxyUsers/GetProxyUserList", body).await;
        let rows = answer.data["Rows"].as_array().unwrap_or_else(|| panic!("{answer:?}"));
        rows.iter().map(|row| row["Name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(names(json!({})).await, ["bravo_1", "charlie_1", "alfa_1", "delta_1"]);
    let by_name = json!([{"Field": "Name", "Direction": "asc"}]);
    assert_eq!(names(json!({ "Sort": by_name })).await, ["alfa_1", "bravo_1", "charlie_1", "delta_1"]);
    assert_eq!(names(json!({"Search": "SHOP"})).await, ["bravo_1", "alfa_1"]);
    assert_eq!(names(json!({"Filter": {"Country": "US"}})).await, ["bravo_1", "alfa_1", "delta_1"]);
    assert_eq!(names(json!({"Filter": {"State": "paused"}})).await, Vec::<String>::new());
    let first = shop.call(&ann, "ProxyUsers/GetProxyUserList", json!({"PageSize": 3, "Sort": by_name})).await.data;
    assert_eq!((&first["Total"], first["Rows"].as_array().map(Vec::len)), (&json!(4), Some(3)));
    assert_eq!(names(json!({"PageSize": 3, "Sort": by_name, "After": first["Next"]})).await, ["delta_1"]);
    assert_eq!(names(json!({"PageSize": 3, "Sort": by_name, "Page": 2})).await, ["delta_1"]);
    for field in ["UsedBytes", "LastUsedAt", "CreatedAt", "ExpiresAt"] {
        assert_eq!(names(json!({"Sort": [{"Field": field, "Direction": "desc"}]})).await.len(), 4, "{field}");
    }
    assert_eq!(
        shop.call(&ann, "ProxyUsers/GetProxyUserList", json!({"Sort": [{"Field": "Password"}]})).await.code,
        2002
    );
}

#[actix_web::test]
async fn a_file_is_imported_as_a_whole_or_not_at_all() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    shop.adds_proxy_user(&bob, json!({"Name": "taken_1"})).await;
    let wrong = "name,password,limit_gb\nscraper_1,,5\ntaken_1,,\nBad Name,,\n";
    let answer = shop.call(&ann, "ProxyUsers/ImportProxyUsers", json!({"Csv": wrong, "DryRun": false})).await;
    assert_eq!(
        (answer.code, answer.data["Fields"].as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>())),
        (2001, Some(vec!["Lines.4.Name".to_owned()]))
    );
    let taken = "name\nscraper_1\ntaken_1\n";
    let answer = shop.call(&ann, "ProxyUsers/ImportProxyUsers", json!({"Csv": taken, "DryRun": true})).await;
    assert_eq!(answer.data["Fields"]["Lines.3.Name"][0]["Rule"], "nameTaken");
    let good = "name,password,note,limit_gb,limit_cycle,countries,max_connections\nscraper_1,secret99word,=1+1,5,month,US DE,50\nscraper_2,,,,,,\n";
    let dry = shop.call(&ann, "ProxyUsers/ImportProxyUsers", json!({"Csv": good, "DryRun": true})).await;
    assert_eq!((dry.code, dry.data), (1000, json!({"Created": 2, "Rows": []})));
    assert_eq!(shop.call(&ann, "ProxyUsers/GetProxyUserList", json!({})).await.data["Total"], 0);
    let body = json!({"Csv": good, "DryRun": false});
    let first = shop.call_once(&ann, "key-1", "ProxyUsers/ImportProxyUsers", body.clone()).await;
    let again = shop.call_once(&ann, "key-1", "ProxyUsers/ImportProxyUsers", body).await;
    assert_eq!((first.code, &first.data, &first.data["Created"]), (1000, &again.data, &json!(2)));
    assert_eq!(
        (&first.data["Rows"][0]["Password"], &first.data["Rows"][1]["Line"]),
        (&json!("secret99word"), &json!(3))
    );
    let file = shop.download(&ann, "ProxyUsers/ExportProxyUsers", json!({})).await;
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(
        lines[0],
        "name,password,note,limit_gb,limit_cycle,expires_at,countries,max_connections,max_megabits,state,used_gb"
    );
    assert_eq!(lines[1], "scraper_1,secret99word,'=1+1,5,month,,DE US,50,,active,0");
    let many: String = (0..500).map(|number| format!("many_{number}\n")).collect();
    let answer = shop.call(&ann, "ProxyUsers/ImportProxyUsers", json!({"Csv": format!("name\n{many}")})).await;
    assert_eq!(answer.data["Fields"]["Csv"][0]["Rule"], "tooManyProxyUsers", "{answer:?}");
}

#[actix_web::test]
async fn whitelists_need_bought_traffic_have_a_limit_and_tell_nothing_about_other_accounts() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let (of_ann, _) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    let (of_bob, _) = shop.adds_proxy_user(&bob, json!({"Name": "scraper_2"})).await;
    let add = async |who: &Customer, id: i64, address: &str| {
        let entry = json!({"ProxyUserId": id, "Address": address, "Label": "office"});
        let answer = shop.call(who, "ProxyUsers/AddProxyUserAddress", entry).await;
        answer.data["Fields"]["Address"][0]["Rule"].as_str().unwrap_or("added").to_owned()
    };
    assert_eq!(add(&ann, of_ann, "8.8.8.0/24").await, "whitelistNeedsTraffic");
    for who in [&ann, &bob] {
        shop.gives_traffic(who, 1_000, shop.app.clock.now(), None);
    }
    assert_eq!(add(&ann, of_ann, "8.8.8.0/24").await, "added");
    assert_eq!(add(&ann, of_ann, "8.8.8.77/24").await, "whitelistRepeated");
    assert_eq!(add(&ann, of_ann, "8.8.8.8").await, "added");
    assert_eq!(add(&ann, of_ann, "10.0.0.1").await, "networkPrivate");
    assert_eq!(add(&ann, of_ann, "8.0.0.0/8").await, "networkTooWide");
    for address in ["8.8.8.8", "8.8.8.0/24", "2001:4860::/48"] {
        assert_eq!(add(&bob, of_bob, address).await, "added", "{address}");
    }
    for third in 1..9 {
        assert_eq!(
            add(&bob, of_bob, &format!("9.9.{third}.0/24")).await,
            if third < 8 { "added" } else { "whitelistTooWide" }
        );
    }
    assert_eq!(add(&bob, of_bob, "9.9.9.9").await, "added", "there is room for it");
    let list = shop.call(&ann, "ProxyUsers/GetProxyUserAddressList", json!({})).await.data;
    assert_eq!(
        (list.as_array().map(Vec::len), &list[0]["Address"], &list[0]["ProxyUserName"]),
        (Some(2), &json!("8.8.8.8"), &json!("scraper_1"))
    );
    let gone = json!({ "AddressId": list[1]["AddressId"] });
    assert_eq!(shop.call(&ann, "ProxyUsers/DelProxyUserAddress", gone.clone()).await.data, gone);
    assert_eq!(add(&ann, of_ann, "8.8.8.0/24").await, "added");
}

#[actix_web::test]
async fn names_of_other_accounts_cannot_be_listed() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let names: Vec<String> = (0..20).map(|number| format!("scraper_{number}")).collect();
    let csv = |names: &[String]| json!({"Csv": format!("name\n{}\n", names.join("\n")), "DryRun": true});
    let import = json!({"Csv": format!("name\n{}\n", names.join("\n"))});
    assert_eq!(shop.call(&ann, "ProxyUsers/ImportProxyUsers", import.clone()).await.code, 1000);
    // The account's own names are all reported, those of others only in part.
    let own = shop.call(&ann, "ProxyUsers/ImportProxyUsers", import).await;
    assert_eq!(own.data["Fields"].as_object().map(|fields| fields.len()), Some(20));
    let told = shop.call(&bob, "ProxyUsers/ImportProxyUsers", csv(&names)).await;
    assert_eq!(told.data["Fields"].as_object().map(|fields| fields.len()), Some(TAKEN_NAMES_SHOWN), "{told:?}");
    let mine = json!({"Name": "bobs_1"});
    let (id, _) = shop.adds_proxy_user(&bob, mine).await;
    let mut met = 1;
    while met < TAKEN_NAMES.hits {
        let (call, body) = match met % 3 {
            0 => ("ProxyUsers/AddProxyUser", json!({"Name": "scraper_1"})),
            1 => ("ProxyUsers/EditProxyUser", json!({"ProxyUserId": id, "Name": "scraper_1"})),
            _ => ("ProxyUsers/ImportProxyUsers", csv(&names)),
        };
        let free = csv(&[format!("free_{met}")]);
        assert_eq!(shop.call(&bob, "ProxyUsers/ImportProxyUsers", free).await.code, 1000, "free names do not count");
        assert_eq!(shop.call(&bob, call, body).await.code, 2001, "{call}");
        met += 1;
    }
    for (call, body) in [
        ("ProxyUsers/AddProxyUser", json!({"Name": "scraper_1"})),
        ("ProxyUsers/EditProxyUser", json!({"ProxyUserId": id, "Name": "scraper_1"})),
        ("ProxyUsers/ImportProxyUsers", csv(&names)),
        ("ProxyUsers/ImportProxyUsers", csv(&["free_99".to_owned()])),
    ] {
        let answer = shop.call(&bob, call, body).await;
        assert_eq!((answer.code, answer.data["RetryAfterMs"].is_i64()), (4290, true), "{call}: {answer:?}");
    }
    shop.app.clock.advance(TimeDelta::minutes(TAKEN_NAMES.window_minutes));
    assert_eq!(shop.call(&bob, "ProxyUsers/AddProxyUser", json!({"Name": "free_99"})).await.code, 1000);
}
