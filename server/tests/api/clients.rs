//! HTTP clients without the certificates of the machine, which take as long to read as a test takes.
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Response};

pub fn builder() -> ClientBuilder {
    Client::builder().tls_certs_only([])
}

pub fn new() -> Client {
    builder().build().expect("a client")
}

pub fn unredirected() -> Client {
    builder().redirect(Policy::none()).build().expect("a client")
}

pub async fn get(url: impl reqwest::IntoUrl) -> reqwest::Result<Response> {
    new().get(url).send().await
}
