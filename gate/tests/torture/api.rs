//! The shop's API, as the customer of the demo calls it.
use reqwest::Client;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Longer than any restart of the shop.
const PATIENCE: usize = 1_500;

pub struct Api {
    client: Client,
    url: String,
    token: String,
}

impl Api {
    pub async fn sign_in(url: &str, folder: &Path) -> Api {
        // The gate's own client brings its provider; this one takes the process's.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(5)).build().expect("a client");
        let accounts = std::fs::read(folder.join("demo-accounts.json")).expect("the demo's accounts");
        let accounts: Value = serde_json::from_slice(&accounts).expect("JSON");
        let email = "customer@example.com";
        let mut api = Api { client, url: url.to_owned(), token: String::new() };
        let session = api.ask("User/Login", &json!({ "Email": email, "Password": accounts[email] })).await;
        api.token = session["Token"].as_str().expect("a token").to_owned();
        api
    }

    /// Calls until the shop answers, also while it is down. Each of these calls has the same effect when it is repeated.
    pub async fn ask(&self, call: &str, body: &Value) -> Value {
        let body = body.to_string();
        for _ in 0..PATIENCE {
            let request = self.client.post(format!("{}/api/{call}", self.url)).header("Token", &self.token);
            if let Ok(answer) = request.header("Content-Type", "application/json").body(body.clone()).send().await
                && let Ok(text) = answer.text().await
                && let Ok(mut answer) = serde_json::from_str::<Value>(&text)
                && answer["Code"].as_i64().is_some_and(|code| code < 5_000)
            {
                assert_eq!(answer["Code"], 1_000, "{call} {body}: {text}");
                return answer["Data"].take();
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{call}: the shop does not come back");
    }

    /// All bytes that the account has used.
    pub async fn used_bytes(&self) -> u64 {
        let traffic = self.ask("Traffic/GetTraffic", &json!({})).await;
        traffic["UsedBytes"].as_u64().expect("bytes") + traffic["OverdraftBytes"].as_u64().expect("bytes")
    }
}
