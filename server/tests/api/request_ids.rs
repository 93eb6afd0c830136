//! The id of a request, in its answer, in the log, and in the database's.
use crate::shop::{Shop, clients};
use crate::start_up::Serving;
use diesel::sql_types::Text;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::request_id::RequestId;

const CHOSEN: &str = "0123456789abcdef0123456789abcdef";

async fn id_of(url: &str, chosen: Option<&str>) -> String {
    let request = clients::new().get(url);
    let request = if let Some(id) = chosen { request.header("X-Request-Id", id) } else { request };
    let answer = request.send().await.expect("an answer");
    answer.headers()["x-request-id"].to_str().expect("an id").to_owned()
}

#[actix_web::test]
async fn the_id_of_a_browser_or_a_proxy_is_kept_and_anything_else_is_replaced() {
    let shop = Shop::open();
    let url = format!("{}/api/SystemSettings/GetClientIp", shop.url);
    assert_eq!(id_of(&url, Some(CHOSEN)).await, CHOSEN);
    assert_eq!(id_of(&url, Some(&CHOSEN.to_uppercase())).await, CHOSEN);
    for other in [None, Some(""), Some("1"), Some("0123456789abcdef0123456789abcde\""), Some(&CHOSEN.repeat(200))] {
        let id = id_of(&url, other).await;
        assert!(RequestId::parse(&id).is_some() && id != CHOSEN, "{other:?}: {id}");
    }
    assert_ne!(id_of(&url, None).await, id_of(&url, None).await);
}

/// What fails on a thread of the database is logged under the request.
#[actix_web::test]
async fn the_log_names_the_request() {
    let shop = Shop::open();
    let serving = Serving::start(&shop, &[]).expect("a server");
    let rename = "ALTER TABLE tiers RENAME TO gone";
    let broken = |conn: &mut Conn| Ok(diesel::connection::SimpleConnection::batch_execute(conn, rename)?);
    shop.app.db.write_blocking(broken).expect("a broken shop");
    let asked = clients::new().post(format!("http://127.0.0.1:{}/api/Ips/GetServerVer", serving.port));
    let asked = asked.header("X-Request-Id", CHOSEN).header("Token", &shop.customer(0).token).body("{}");
    let answer: serde_json::Value = asked.send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!((answer["Code"].as_u64(), answer["Data"]["RequestId"].as_str()), (Some(5000), Some(CHOSEN)), "{answer}");
    assert!(answer["Message"].as_str().is_some_and(|message| message.contains(CHOSEN)), "{answer}");
    let log = serving.end();
    assert!(log.lines().any(|line| line.contains("ERROR") && line.contains(CHOSEN)), "{log}");
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    value: String,
}

/// `log_line_prefix = '%a'` tells it.
#[actix_web::test]
async fn a_transaction_on_postgresql_has_the_id_as_its_application() {
    let shop = Shop::open();
    let name = |conn: &mut Conn| match conn {
        Conn::Sqlite(_) => Ok("sqlite".to_owned()),
        Conn::Postgres(conn) => {
            let asked = diesel::sql_query("SELECT current_setting('application_name') AS value");
            let set: Vec<Setting> = asked.load(conn)?;
            Ok(set[0].value.clone())
        }
    };
    let id = RequestId::parse(CHOSEN).expect("an id");
    let within = id.scope(shop.app.db.write(name)).await.expect("a name");
    let after = shop.app.db.write(name).await.expect("a name");
    let is_postgres = shop.app.config.database_url.starts_with("postgres");
    assert_eq!(within, if is_postgres { format!("postern {CHOSEN}") } else { "sqlite".to_owned() });
    assert!(!after.contains(CHOSEN), "{after}");
}
