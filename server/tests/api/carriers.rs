//! Proxy servers for tests: they authorise connections and report usage.
use crate::shop::{Customer, Shop, clients};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::time::to_wire;
use postern_core::usage::UsageDimension;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::schema::{
    orders, proxy_users, traffic_accounts, traffic_batches, usage_days, usage_hours, usage_months, usage_records,
    usage_reports,
};
use reqwest::Client;
use serde_json::{Value, json};

/// A registered proxy server.
#[derive(Clone)]
pub struct Carrier {
    pub url: String,
    pub secret: String,
    pub client: Client,
}

impl Carrier {
    pub async fn registers(shop: &Shop, name: &str, kind: &str) -> Carrier {
        let form = json!({"Name": name, "Kind": kind, "Host": "gate.example", "HttpPort": "8000", "Socks5Port": ""});
        let added = shop.call(&shop.operator(), "Operator/AddProxyServer", form).await;
        assert_eq!(added.code, 1000, "{added:?}");
        let secret = added.data["Secret"].as_str().unwrap_or_default().to_owned();
        Carrier { url: shop.url.clone(), secret, client: clients::new() }
    }

    pub async fn post(&self, path: &str, body: String) -> (u16, Value) {
        let request = self.client.post(format!("{}/proxy-server/{path}", self.url)).bearer_auth(&self.secret);
        let answer = request.body(body).send().await.expect("an answer");
        let status = answer.status().as_u16();
        (status, serde_json::from_slice(&answer.bytes().await.expect("a body")).unwrap_or_default())
    }

    /// Sends a report, and returns how many of its records were counted, repeated and rejected.
    pub async fn reports(&self, records: &[Value]) -> (u64, u64, usize) {
        let (status, answer) = self.post("usage", json!({ "Records": records }).to_string()).await;
        assert_eq!(status, 200, "{answer}");
        let number = |name: &str| answer[name].as_u64().expect("a number");
        (number("Counted"), number("Repeated"), answer["Rejected"].as_array().expect("a list").len())
    }

    /// Asks about a connection, and returns the reason of a refusal.
    pub async fn refuses(&self, connection: Value) -> Option<String> {
        let (status, answer) = self.post("authorize", connection.to_string()).await;
        assert_eq!(status, 200, "{answer}");
        if answer["Allowed"] == true {
            return None;
        }
        Some(answer["Reason"].as_str().expect("a reason").to_owned())
    }
}

/// A record of residential traffic.
pub fn record(id: &str, user: &str, at: NaiveDateTime, bytes: u64) -> Value {
    json!({
        "Id": id, "UsedAt": to_wire(at), "UserName": format!("user-{user}-country-us-session-a1"), "Country": "US",
        "Target": "shop.example:443", "UploadBytes": bytes / 4, "DownloadBytes": bytes - bytes / 4,
    })
}

impl Shop {
    /// Gives an account traffic, as if it had bought it.
    pub fn gives_traffic(
        &self,
        customer: &Customer,
        bytes: i64,
        begins_at: NaiveDateTime,
        ends_at: Option<NaiveDateTime>,
    ) -> i64 {
        use postern_core::money::Currency;
        use postern_core::order::{OrderKind, OrderState};
        let number = postern_server::security::new_token();
        let account_id = customer.account_id;
        let given = self.app.db.write_blocking(|conn| {
            let order = (
                orders::order_number.eq(&number),
                orders::account_id.eq(account_id),
                orders::kind.eq(OrderKind::Purchase),
                orders::state.eq(OrderState::Fulfilled),
                orders::currency.eq(Currency::Usd),
                orders::subtotal_minor.eq(0),
                orders::discount_minor.eq(0),
                orders::total_minor.eq(0),
                orders::created_at.eq(begins_at),
                orders::expires_at.eq(begins_at),
            );
            let order_id: i64 =
                diesel::insert_into(orders::table).values(order).returning(orders::id).get_result(conn)?;
            let batch = (
                traffic_batches::account_id.eq(account_id),
                traffic_batches::order_id.eq(order_id),
                traffic_batches::bought_bytes.eq(bytes),
                traffic_batches::begins_at.eq(begins_at),
                traffic_batches::ends_at.eq(ends_at),
            );
            let id = diesel::insert_into(traffic_batches::table).values(batch).returning(traffic_batches::id);
            let id: i64 = id.get_result(conn)?;
            postern_server::traffic_batches::lock_account(conn, account_id)?;
            postern_server::traffic_batches::record_access_change(conn, account_id, self.app.clock.now())?;
            Ok(id)
        });
        given.expect("a batch")
    }

    /// Adds a proxy user, and returns its id and password.
    pub async fn adds_proxy_user(&self, customer: &Customer, form: Value) -> (i64, String) {
        let added = self.call(customer, "ProxyUsers/AddProxyUser", form).await;
        assert_eq!(added.code, 1000, "{added:?}");
        let password = added.data["Password"].as_str().expect("a password").to_owned();
        (added.data["ProxyUser"]["ProxyUserId"].as_i64().expect("an id"), password)
    }

    pub async fn proxy_user(&self, customer: &Customer, id: i64) -> Value {
        let list = self.call(customer, "ProxyUsers/GetProxyUserList", json!({"PageSize": 200})).await;
        let rows = list.data["Rows"].as_array().expect("rows").clone();
        rows.into_iter().find(|row| row["ProxyUserId"] == id).expect("a proxy user")
    }

    pub async fn aggregates_usage(&self) {
        postern_server::usage::aggregate(&self.app).await.expect("usage");
    }

    /// Refreshes the authorisation cache, as a job does every second.
    pub async fn refreshes_access(&self) {
        self.app.authorizer.refresh(&self.app.db, self.app.clock.now()).await.expect("a look");
    }

    /// The usage counted for an account.
    pub fn books_of(&self, account_id: i64) -> Books {
        self.app.db.snapshot_blocking(|conn| books(conn, account_id)).expect("the books")
    }

    /// An hour ago, by the clock of the shop, in whole seconds.
    pub fn hour_ago(&self) -> NaiveDateTime {
        let text = to_wire(self.app.clock.now() - TimeDelta::hours(1));
        postern_core::time::from_wire(&text).expect("a time")
    }
}

/// The same bytes in each of the tables.
#[derive(Debug, Eq, PartialEq)]
pub struct Books {
    pub records: i64,
    pub record_bytes: i64,
    pub batch_bytes: Vec<i64>,
    pub overdraft_bytes: i64,
    pub user_bytes: i64,
    /// By dimension: all, user, country, target.
    pub hour_bytes: Vec<i64>,
    pub day_bytes: Vec<i64>,
    pub month_bytes: Vec<i64>,
    pub hour_requests: i64,
    pub day_requests: i64,
    pub month_requests: i64,
    pub waiting_reports: i64,
}

impl Books {
    /// Asserts that every table has exactly these bytes and requests, and nothing is pending.
    pub fn agree(&self, bytes: i64, records: i64) {
        assert_eq!((self.records, self.record_bytes, self.waiting_reports), (records, bytes, 0), "{self:?}");
        assert_eq!(self.batch_bytes.iter().sum::<i64>() + self.overdraft_bytes, bytes, "{self:?}");
        assert_eq!(self.user_bytes, bytes, "{self:?}");
        for of_dimensions in [&self.hour_bytes, &self.day_bytes, &self.month_bytes] {
            assert_eq!(of_dimensions, &[bytes; 4], "{self:?}");
        }
        assert_eq!([self.hour_requests, self.day_requests, self.month_requests], [records; 3], "{self:?}");
    }
}

pub fn books(conn: &mut Conn, account_id: i64) -> Result<Books, postern_server::error::AppError> {
    const DIMENSIONS: [UsageDimension; 4] =
        [UsageDimension::All, UsageDimension::User, UsageDimension::Country, UsageDimension::Target];
    let sum = |rows: Vec<(i64, i64)>| rows.iter().map(|(one, other)| one + other).sum::<i64>();
    let own = usage_records::table.filter(usage_records::account_id.eq(account_id));
    let records: Vec<(i64, i64)> =
        own.select((usage_records::upload_bytes, usage_records::download_bytes)).load(conn)?;
    let batches = traffic_batches::table.filter(traffic_batches::account_id.eq(account_id)).order(traffic_batches::id);
    let overdraft = traffic_accounts::table.find(account_id).select(traffic_accounts::overdraft_bytes);
    let users = proxy_users::table.filter(proxy_users::account_id.eq(account_id)).select(proxy_users::total_bytes);
    let user_bytes: Vec<i64> = users.load(conn)?;
    macro_rules! sums {
        ($table:ident) => {{
            let mut bytes = Vec::new();
            let mut requests = 0;
            for dimension in DIMENSIONS {
                let own =
                    $table::table.filter($table::account_id.eq(account_id)).filter($table::dimension.eq(dimension));
                let rows: Vec<(i64, i64, i64)> =
                    own.select(($table::upload_bytes, $table::download_bytes, $table::requests)).load(conn)?;
                bytes.push(rows.iter().map(|row| row.0 + row.1).sum());
                requests = rows.iter().map(|row| row.2).sum();
            }
            (bytes, requests)
        }};
    }
    let (hour_bytes, hour_requests) = sums!(usage_hours);
    let (day_bytes, day_requests) = sums!(usage_days);
    let (month_bytes, month_requests) = sums!(usage_months);
    Ok(Books {
        records: i64::try_from(records.len()).unwrap_or_default(),
        record_bytes: sum(records),
        batch_bytes: batches.select(traffic_batches::used_bytes).load(conn)?,
        overdraft_bytes: overdraft.first(conn).optional()?.unwrap_or_default(),
        user_bytes: user_bytes.iter().sum(),
        hour_bytes,
        day_bytes,
        month_bytes,
        hour_requests,
        day_requests,
        month_requests,
        waiting_reports: usage_reports::table.count().get_result(conn)?,
    })
}
