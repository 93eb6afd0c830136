//! The calls as `app/calls.rs` lists them: to serve them, or to describe them in the OpenAPI document.
use actix_web::dev::HttpServiceFactory;
use actix_web::web::ServiceConfig;
use postern_core::constants::API_BASE;
use utoipa::openapi::{Components, OpenApi, Paths, RefOr, Schema};
use utoipa_actix_web::OpenApiFactory;

/// Receives the calls. Their list is generic over it: so the linker drops their descriptions, 4 MB, from the server, which only serves.
pub trait Routes: Sized {
    /// Adds a call.
    fn service(&mut self, call: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self;
}

/// Serves the calls.
impl Routes for ServiceConfig {
    fn service(&mut self, call: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
        self.service(call)
    }
}

/// Describes the calls.
impl Routes for OpenApi {
    fn service(&mut self, call: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
        let mut schemas = Vec::new();
        call.schemas(&mut schemas);
        describe(self, call.paths(), schemas);
        self
    }
}

/// Not generic, so that it is compiled once and not for each call.
fn describe(document: &mut OpenApi, mut paths: Paths, schemas: Vec<(String, RefOr<Schema>)>) {
    let at_base = |(path, item)| (format!("{API_BASE}{path}"), item);
    paths.paths = paths.paths.into_iter().map(at_base).collect();
    document.paths.merge(paths);
    document.components.get_or_insert_with(Components::new).schemas.extend(schemas);
}
