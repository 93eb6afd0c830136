//! HEAD: every route answers it like GET, without a body.
use crate::shop::{Customer, Shop, clients};
use reqwest::{Method, Response};
use std::path::Path;

/// Addresses without a GET handler of their own.
const OTHERS: &[&str] = &[
    "/",
    "/login",
    "/billing/nothing",
    "/nothing",
    "/metrics",
    "/.env",
    "/lists/x/",
    "/assets/none.js",
    "/locales/en/common.json",
    "/locales/en/none.json",
    "/api",
    "/api/docs",
    "/api/docs/",
    "/api/openapi.json",
    "/api/Nothing/Here",
    "/api/User/Login",
    "/api/User/GetWallet",
    "/gateway/callback/sandbox",
    "/proxy-server/usage",
    "/proxy-server/authorize",
    "/proxy-server/describe",
    "/proxy-server/heartbeat",
    "/proxy-server/nodes",
];

/// The paths of all GET handlers, from the source; their parameters are unknown ones.
fn routes(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            routes(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for route in text.split("#[get(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let route = route.replace('{', "unknown-").replace('}', "");
            let is_call = route.chars().nth(1).is_some_and(char::is_uppercase);
            found.push(if is_call { format!("/api{route}") } else { route });
        }
    }
}

async fn ask(shop: &Shop, customer: &Customer, method: Method, path: &str) -> Response {
    let request = clients::new().request(method, format!("{}{path}", shop.url)).header("Token", &customer.token);
    request.send().await.expect("an answer")
}

/// Status and headers, without the time and the id of the request.
fn head(response: &Response) -> (u16, Vec<String>) {
    let headers = response.headers().iter().filter(|(name, _)| *name != "date" && *name != "x-request-id");
    let mut headers: Vec<String> = headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
    headers.sort();
    (response.status().as_u16(), headers)
}

#[actix_web::test]
async fn every_address_answers_head_as_it_answers_get() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let mut paths: Vec<String> = OTHERS.iter().map(|path| (*path).to_owned()).collect();
    routes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut paths);
    assert!(paths.len() > OTHERS.len() + 10, "{paths:?}");
    for path in &paths {
        let asked = ask(&shop, &customer, Method::HEAD, path).await;
        let got = ask(&shop, &customer, Method::GET, path).await;
        assert_eq!(head(&asked), head(&got), "{path}");
        assert_eq!(asked.bytes().await.expect("nothing").len(), 0, "{path}");
    }
}
