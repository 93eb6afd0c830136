//! The endpoint at which proxy servers ask whether a connection is allowed; answered from memory.
use crate::authorizer::Authorizer;
use crate::authorizer::entries::{HashedPassword, Node, User};
use crate::error::AppError;
use crate::http::answer::unavailable;
use crate::http::bodies::collect;
use crate::proxy_servers::secret::Secret;
use crate::state::App;
use actix_web::{HttpResponse, web};
use chrono::NaiveDateTime;
use postern_core::bounds::PUBLIC_BODY_MAX_BYTES;
use postern_core::endpoint::{UserName, UserParts};
use postern_core::node::AccessMode;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::ProxyUserState;
use postern_core::traffic::left_now;
use postern_core::usage::Refused;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::net::IpAddr;

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(web::resource("/proxy-server/authorize").route(web::post().to(authorize)));
}

/// A connection, as reported by a proxy server.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Connection {
    /// Empty if the client sent no credentials.
    user_name: String,
    password: String,
    client_address: String,
    /// On static proxies, the address of the node.
    ip: String,
}

/// The exits that an allowed connection may use, and the proxy user or node that it counts for.
#[derive(Default, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Allowed {
    allowed: bool,
    account_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    proxy_user_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<String>,
    /// If no country was requested and not all are allowed: the allowed ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    countries: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl_minutes: Option<u32>,
}

async fn authorize(app: web::Data<App>, secret: Secret, payload: web::Payload) -> HttpResponse {
    let known = match app.authorizer.refresh_if_stale(&app.db, app.clock.now()).await {
        Ok(()) => app.authorizer.server(&app.db, &secret.0).await,
        Err(error) => Err(error),
    };
    let server = match known {
        Ok(Some(server)) => server,
        Ok(None) => return HttpResponse::Unauthorized().finish(),
        Err(error) => return not_now(&error),
    };
    let body = collect(payload.into_inner(), PUBLIC_BODY_MAX_BYTES).await;
    let connection: Option<Connection> = body.ok().and_then(|body| serde_json::from_slice(&body).ok());
    let Some(connection) = connection else {
        return HttpResponse::BadRequest().json(json!({ "Error": "malformed" }));
    };
    let decided = match server.kind {
        ProxyServerKind::Residential => decide(&app, &connection).await,
        ProxyServerKind::Static => decide_static(&app, &connection).await,
    };
    match decided {
        Ok(Ok(allowed)) => HttpResponse::Ok().json(allowed),
        Ok(Err(reason)) => HttpResponse::Ok().json(json!({ "Allowed": false, "Reason": reason })),
        Err(error) => not_now(&error),
    }
}

fn not_now(error: &AppError) -> HttpResponse {
    tracing::error!(%error, "a connection could not be authorised");
    unavailable().finish()
}

/// The parts of a user name, or the name alone if it has none.
fn parts_of(user_name: &str) -> Result<UserParts, Refused> {
    let whole = UserName::parse(user_name).or_else(|_| UserName::parse(&format!("user-{user_name}")));
    whole.map(UserName::into_parts).map_err(|_| Refused::Malformed)
}

async fn decide(app: &App, connection: &Connection) -> Result<Result<Allowed, Refused>, AppError> {
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
) -> Result<Allowed, Refused> {
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
    Ok(Allowed {
        allowed: true,
        account_id: user.account_id,
        proxy_user_id: Some(user.id),
        node_id: None,
        countries: if country.is_none() { user.countries.clone() } else { Vec::new() },
        country,
        state: parts.state,
        city: parts.city,
        session: parts.session,
        ttl_minutes: parts.ttl_minutes,
    })
}

async fn decide_static(app: &App, connection: &Connection) -> Result<Result<Allowed, Refused>, AppError> {
    let Ok(ip) = connection.ip.trim().parse::<IpAddr>() else { return Ok(Err(Refused::Malformed)) };
    let node = app.authorizer.node(&app.db, &app.key, &ip.to_canonical().to_string()).await?;
    let Some(node) = node else { return Ok(Err(Refused::UnknownUser)) };
    let now = app.clock.now();
    if let Err(reason) = check_access(&app.authorizer, &node, connection, now) {
        return Ok(Err(reason));
    }
    if app.authorizer.is_suspended(node.account_id) {
        return Ok(Err(Refused::Suspended));
    }
    if node.expires_at.is_some_and(|expires_at| expires_at <= now) {
        return Ok(Err(Refused::Expired));
    }
    Ok(Ok(Allowed { allowed: true, account_id: node.account_id, node_id: Some(node.id), ..Allowed::default() }))
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
        AccessMode::Whitelist => return if is_listed { Ok(()) } else { Err(Refused::WrongPassword) },
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
