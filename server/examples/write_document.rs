//! Prints the API's OpenAPI document, generated from the handlers. `make gen` writes it to `server/src/app/openapi/openapi.gen.json`.
fn main() {
    println!("{:#}", postern_server::app::openapi::document());
}
