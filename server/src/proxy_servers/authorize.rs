//! What proxy servers ask before they open connections: whether these are allowed, answered from memory.
use crate::authorizer::Authorizer;
use crate::authorizer::entries::{HashedPassword, Node, User};
use crate::authorizer::servers::ServerIdentity;
use crate::error::AppError;
use crate::http::answer::unavailable;
use crate::http::bodies::collect;
use crate::proxy_servers::secret::Secret;
use crate::state::App;
use actix_web::{HttpResponse, web};
use chrono::NaiveDateTime;
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::endpoint::{UserName, UserParts};
use postern_core::node::AccessMode;
use postern_core::proxy_protocol::{Authorization, Authorizations, Connection, MAX_CONNECTIONS};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::ProxyUserState;
use postern_core::traffic::left_now;
use postern_core::usage::{REFUSAL_KEPT_SECONDS, Refused, answer_kept_seconds};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(web::resource("/proxy-server/authorize").route(web::post().to(authorize)));
}

/// One connection or several.
#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "Connections")]
    several: Option<Vec<Connection>>,
    #[serde(flatten)]
    one: Connection,
}

/// The proxy server that sends a request, or the response that refuses it.
pub async fn known(app: &App, secret: &Secret) -> Result<Arc<ServerIdentity>, HttpResponse> {
    let found = match app.authorizer.refresh_if_stale(&app.db, app.clock.now()).await {
        Ok(()) => app.authorizer.server(&app.db, &secret.0).await,
        Err(error) => Err(error),
    };
    match found {
        Ok(Some(server)) => Ok(server),
        Ok(None) => Err(HttpResponse::Unauthorized().finish()),
        Err(error) => Err(not_now(&error)),
    }
}

/// Responds with an `Authorization`, or to several connections with `Authorizations`; with 400 if the question is malformed or has too many, and with
/// 503 if it cannot be decided now.
async fn authorize(app: web::Data<App>, secret: Secret, payload: web::Payload) -> HttpResponse {
    let server = match known(&app, &secret).await {
        Ok(server) => server,
        Err(refusal) => return refusal,
    };
    let body = collect(payload.into_inner(), BODY_MAX_BYTES).await;
    let asked: Option<Asked> = body.ok().and_then(|body| serde_json::from_slice(&body).ok());
    let decided = match asked {
        None => return HttpResponse::BadRequest().json(json!({ "Error": "malformed" })),
        Some(Asked { several: None, one }) => {
            decide(&app, &server, &[one]).await.map(|mut one| HttpResponse::Ok().json(one.pop()))
        }
        Some(Asked { several: Some(several), .. }) if several.len() > MAX_CONNECTIONS => {
            return HttpResponse::BadRequest().json(json!({ "Error": "too_many_connections", "Max": MAX_CONNECTIONS }));
        }
        Some(Asked { several: Some(several), .. }) => {
            decide(&app, &server, &several).await.map(|answers| HttpResponse::Ok().json(Authorizations { answers }))
        }
    };
    decided.unwrap_or_else(|error| not_now(&error))
}

/// One answer for each connection.
async fn decide(
    app: &App,
    server: &ServerIdentity,
    connections: &[Connection],
) -> Result<Vec<Authorization>, AppError> {
    let mut answers = Vec::with_capacity(connections.len());
    match server.kind {
        ProxyServerKind::Residential => {
            for connection in connections {
                answers.push(decide_residential(app, connection).await?);
            }
        }
        ProxyServerKind::Static => {
            let nodes = app.authorizer.nodes(&app.db, &app.key, connections.iter().filter_map(node_address)).await?;
            answers.extend(connections.iter().map(|connection| decide_static(app, server.id, &nodes, connection)));
        }
    }
    let refused = |reason| Authorization::refused(reason, REFUSAL_KEPT_SECONDS);
    Ok(answers.into_iter().map(|answer| answer.unwrap_or_else(refused)).collect())
}

pub fn not_now(error: &AppError) -> HttpResponse {
    tracing::error!(%error, "a proxy server could not be answered");
    unavailable().finish()
}

/// The parts of a user name, or the name alone if it has none.
fn parts_of(user_name: &str) -> Result<UserParts, Refused> {
    let whole = UserName::parse(user_name).or_else(|_| UserName::parse(&format!("user-{user_name}")));
    whole.map(UserName::into_parts).map_err(|_| Refused::Malformed)
}

async fn decide_residential(app: &App, connection: &Connection) -> Result<Result<Authorization, Refused>, AppError> {
    let authorizer: &Authorizer = &app.authorizer;
    let now = app.clock.now();
    // The client address is used only if no password was sent.
    let client: Option<IpAddr> = connection.client_address.trim().parse().ok();
    let addresses = match client.filter(|_| connection.password.is_empty()) {
        Some(client) => Some(authorizer.addresses(&app.db, client.to_canonical()).await?),
        None => None,
    };
    let addresses = addresses.as_deref().unwrap_or_default();
    let parts = match (connection.user_name.is_empty(), addresses) {
        (false, _) => match parts_of(&connection.user_name) {
            Ok(parts) => parts,
            Err(reason) => return Ok(Err(reason)),
        },
        (true, [address]) => UserParts { name: address.user_name.clone(), ..UserParts::default() },
        (true, []) => return Ok(Err(Refused::UnknownUser)),
        (true, _) => return Ok(Err(Refused::AddressShared)),
    };
    let typed = HashedPassword::of(&connection.password);
    let Some(user) = authorizer.user(&app.db, &app.key, &parts.name).await? else {
        return Ok(Err(Refused::UnknownUser));
    };
    match addresses.iter().find(|address| address.user_name == parts.name) {
        Some(address) => authorizer.note_address(address.id),
        None => {
            let is_right = is_password(&user, typed, now);
            if let Err(reason) = authorizer.wrong_passwords.judge(&parts.name, client, &typed, is_right, now) {
                return Ok(Err(reason));
            }
        }
    }
    let batches = authorizer.batches(&app.db, user.account_id, now).await?;
    let has_traffic = left_now(&batches, now) > 0;
    Ok(check(&user, authorizer.is_suspended(user.account_id), has_traffic, parts, now))
}

fn is_password(user: &User, typed: HashedPassword, now: NaiveDateTime) -> bool {
    let is_old = user.old.is_some_and(|(old, until)| old == typed && now < until);
    user.password == typed || is_old
}

fn check(
    user: &User,
    is_suspended: bool,
    has_traffic: bool,
    parts: UserParts,
    now: NaiveDateTime,
) -> Result<Authorization, Refused> {
    if is_suspended {
        return Err(Refused::Suspended);
    }
    if user.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Err(Refused::Expired);
    }
    match user.state {
        ProxyUserState::Active => {}
        ProxyUserState::Paused => return Err(Refused::Paused),
        ProxyUserState::Exhausted => return Err(Refused::Exhausted),
        ProxyUserState::Expired => return Err(Refused::Expired),
        ProxyUserState::Deleted => return Err(Refused::UnknownUser),
    }
    if !has_traffic {
        return Err(Refused::NoTraffic);
    }
    let country = parts.country.map(|country| country.to_ascii_uppercase());
    let is_allowed = |country: &String| user.countries.is_empty() || user.countries.contains(country);
    if !country.as_ref().is_none_or(is_allowed) {
        return Err(Refused::CountryNotAllowed);
    }
    Ok(Authorization {
        allowed: true,
        valid_for_seconds: answer_kept_seconds(user.expires_at, now),
        account_id: Some(user.account_id),
        proxy_user_id: Some(user.id),
        user_name: Some(parts.name),
        countries: if country.is_none() { user.countries.clone() } else { Vec::new() },
        country,
        state: parts.state,
        city: parts.city,
        session: parts.session,
        ttl_minutes: parts.ttl_minutes,
        max_connections: user.limits.max_connections,
        max_bytes_per_second: user.limits.max_bytes_per_second,
        ..Authorization::default()
    })
}

/// The address of a node as it is stored; `None` if it is none.
fn node_address(connection: &Connection) -> Option<String> {
    connection.ip.trim().parse::<IpAddr>().ok().map(|ip| ip.to_canonical().to_string())
}

fn decide_static(
    app: &App,
    server_id: i64,
    nodes: &HashMap<String, Arc<Node>>,
    connection: &Connection,
) -> Result<Authorization, Refused> {
    let ip = node_address(connection).ok_or(Refused::Malformed)?;
    let node = nodes.get(&ip).ok_or(Refused::UnknownUser)?;
    if node.server_id.is_some_and(|its| its != server_id) {
        return Err(Refused::OtherServer);
    }
    let now = app.clock.now();
    check_access(&app.authorizer, node, connection, now)?;
    if app.authorizer.is_suspended(node.account_id) {
        return Err(Refused::Suspended);
    }
    if node.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Err(Refused::Expired);
    }
    Ok(Authorization {
        allowed: true,
        valid_for_seconds: answer_kept_seconds(node.expires_at, now),
        account_id: Some(node.account_id),
        node_id: Some(node.id),
        user_name: Some(node.user_name.clone()),
        max_connections: node.limits.max_connections,
        max_bytes_per_second: node.limits.max_bytes_per_second,
        ..Authorization::default()
    })
}

/// Checks the credentials: the plan's access mode requires a password, a whitelisted address, or either.
fn check_access(
    authorizer: &Authorizer,
    node: &Node,
    connection: &Connection,
    now: NaiveDateTime,
) -> Result<(), Refused> {
    let client: Option<IpAddr> = connection.client_address.trim().parse().ok();
    let is_listed = client.is_some_and(|client| node.white_list.iter().any(|network| network.contains(client)));
    match node.mode {
        AccessMode::Both if is_listed => return Ok(()),
        AccessMode::Whitelist => return if is_listed { Ok(()) } else { Err(Refused::AddressNotListed) },
        AccessMode::Password | AccessMode::Both => {}
    }
    let typed = HashedPassword::of(&connection.password);
    let is_current = node.user_name == connection.user_name && node.password == typed;
    let is_old = node.old.as_ref().is_some_and(|(user_name, password, until)| {
        *user_name == connection.user_name && *password == typed && now < *until
    });
    let is_right = !connection.user_name.is_empty() && (is_current || is_old);
    authorizer.wrong_passwords.judge(node.id, client, &typed, is_right, now)
}
