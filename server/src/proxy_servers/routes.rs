//! The operator's calls about proxy servers.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, Write, once, once_sealed};
use crate::proxy_servers::types::{
    AssignNodes, NodesAssigned, ProxyServerRef, ProxyServerView, ProxyServerWithSecret, RejectedUsage,
};
use crate::proxy_servers::{nodes, queries};
use crate::state::App;
use actix_web::{post, web};
use postern_core::proxy_server::{ProxyServerForm, read_assigned, validate_proxy_server};
use serde_json::Value;

type AppData = web::Data<App>;

/// Registers a proxy server. Its secret is shown once.
#[utoipa::path(request_body = ProxyServerForm, responses((status = 200, body = Answer<ProxyServerWithSecret>)))]
#[post("/Operator/AddProxyServer")]
pub async fn add_proxy_server(app: AppData, who: Operator, write: Write<ProxyServerForm>) -> Answered<Value> {
    let server = validate_proxy_server(&write.body)?;
    let (now, key) = (app.clock.now(), app.key.clone());
    let added = app.db.write(move |conn| {
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            let (id, secret) = queries::add(conn, &server, &who.actor, now)?;
            Ok(ProxyServerWithSecret { server: queries::view(conn, id)?, secret })
        })
    });
    answer(added.await?)
}

/// Replaces the secret of a proxy server. The old one no longer works; the new one is shown once.
#[utoipa::path(request_body = ProxyServerRef, responses((status = 200, body = Answer<ProxyServerWithSecret>)))]
#[post("/Operator/RotateProxyServer")]
pub async fn rotate_proxy_server(app: AppData, who: Operator, write: Write<ProxyServerRef>) -> Answered<Value> {
    let (now, key, id) = (app.clock.now(), app.key.clone(), write.body.server_id);
    let rotated = app.db.write(move |conn| {
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            let secret = queries::rotate(conn, id, &who.actor, now)?;
            Ok(ProxyServerWithSecret { server: queries::view(conn, id)?, secret })
        })
    });
    let rotated = rotated.await?;
    app.authorizer.forget_servers();
    answer(rotated)
}

/// Removes a proxy server: its secret stops working, and customers no longer see it. Its usage records stay.
#[utoipa::path(request_body = ProxyServerRef, responses((status = 200, body = Answer<ProxyServerRef>)))]
#[post("/Operator/RemoveProxyServer")]
pub async fn remove_proxy_server(app: AppData, who: Operator, write: Write<ProxyServerRef>) -> Answered<Value> {
    let (now, server) = (app.clock.now(), write.body);
    let removed = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            queries::remove(conn, server.server_id, &who.actor, now)?;
            Ok(server)
        })
    });
    let removed = removed.await?;
    app.authorizer.forget_servers();
    answer(removed)
}

/// Assigns nodes to a proxy server for static proxies: no other may carry them then. Nodes without a server may be carried by any.
#[utoipa::path(request_body = AssignNodes, responses((status = 200, body = Answer<NodesAssigned>)))]
#[post("/Operator/AssignNodes")]
pub async fn assign_nodes(app: AppData, who: Operator, Body(wanted): Body<AssignNodes>) -> Answered<NodesAssigned> {
    let (now, networks) = (app.clock.now(), read_assigned(&wanted.addresses)?);
    let assigned = nodes::assign_in(&app.db, wanted.server_id, networks, who.actor.clone(), now).await?;
    app.authorizer.forget_nodes();
    answer(assigned)
}

/// Lists the registered proxy servers, with the time of their last request and the number of rejected usage records.
#[utoipa::path(responses((status = 200, body = Answer<Vec<ProxyServerView>>)))]
#[post("/Operator/GetProxyServerList")]
pub async fn get_proxy_server_list(app: AppData, _who: Operator) -> Result<Answer<Vec<ProxyServerView>>, AppError> {
    answer(app.db.read(queries::list).await?)
}

/// Lists rejected usage records, newest first. Filters by `ServerId` and `Reason`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<RejectedUsage>>)))]
#[post("/Operator/GetRejectedUsageList")]
pub async fn get_rejected_usage_list(
    app: AppData,
    _who: Operator,
    Body(list): Body<ListRequest>,
) -> Answered<Page<RejectedUsage>> {
    answer(app.db.read(move |conn| queries::rejected(conn, &list)).await?)
}
