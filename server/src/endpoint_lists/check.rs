//! Tests an endpoint with one real request through it.
use crate::endpoint_lists::queries;
use crate::endpoint_lists::types::TestEndpoint;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::proxy_tests::{NodeTest, send_through};
use crate::proxy_users::queries::password_of;
use crate::security::new_token;
use crate::state::App;
use crate::throttle;
use actix_web::{post, web};
use postern_core::account::NODE_TESTS;
use postern_core::endpoint::{EndpointSettings, EndpointUser, check_settings, test_endpoint};

/// Tests one endpoint of these settings by sending one request through it, with the proxy user's password. A sticky one gets a session of its own. The
/// request counts as the proxy user's traffic.
#[utoipa::path(request_body = TestEndpoint, responses((status = 200, body = Answer<NodeTest>)))]
#[post("/Endpoints/TestEndpoint")]
pub async fn test_endpoint_settings(
    app: web::Data<App>,
    who: SignedIn,
    Body(test): Body<TestEndpoint>,
) -> Answered<NodeTest> {
    let (now, key) = (app.clock.now(), app.key.clone());
    let bucket = format!("node tests {}", who.account_id);
    app.db.write(move |conn| throttle::hit(conn, &bucket, NODE_TESTS, now)).await?;
    let endpoint = app.db.read(move |conn| {
        let TestEndpoint { proxy_user_id, settings } = test;
        let settings = EndpointSettings { count: 1, template: None, ..settings };
        let server = queries::server(conn, settings.server_id)?;
        check_settings(&settings, &server)?;
        let name = queries::proxy_user_name(conn, who.account_id, proxy_user_id)?;
        let password = password_of(conn, who.account_id, proxy_user_id, &key)?;
        Ok(test_endpoint(&settings, &server, &EndpointUser { name, password }, &new_token())?)
    });
    answer(send_through(&endpoint.await?, &app.config.check_url).await?)
}
