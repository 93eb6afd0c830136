//! Tests a static proxy with one real request through it.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::proxy_tests::{NodeTest, send_through};
use crate::state::App;
use crate::static_proxies::export::endpoint_of;
use crate::static_proxies::list;
use crate::static_proxies::types::Protocol;
use crate::throttle;
use actix_web::{post, web};
use postern_core::account::NODE_TESTS;
use postern_core::code::Code;
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TestNode {
    pub node_id: i64,
    #[serde(default)]
    #[schema(required = false)]
    pub protocol: Protocol,
}

/// Tests a proxy of the account by sending one request through it. The test succeeds only if the target responds with 200 and reports the address
/// that the request came from.
#[utoipa::path(request_body = TestNode, responses((status = 200, body = Answer<NodeTest>)))]
#[post("/Ips/TestNode")]
pub async fn test_node(app: web::Data<App>, who: SignedIn, Body(test): Body<TestNode>) -> Answered<NodeTest> {
    let (now, key) = (app.clock.now(), app.key.clone());
    let bucket = format!("node tests {}", who.account_id);
    app.db.write(move |conn| throttle::hit(conn, &bucket, NODE_TESTS, now)).await?;
    let mut found = app.db.read(move |conn| list::by_ids(conn, who.account_id, &[test.node_id], &key)).await?;
    let node = found.pop().ok_or_else(|| AppError::code(Code::NotFound))?;
    answer(send_through(&endpoint_of(&node, test.protocol)?, &app.config.check_url).await?)
}
