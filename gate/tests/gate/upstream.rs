//! Pools of another seller: an HTTP and a SOCKS5 proxy that remember who asked for what, and connect everyone to one origin.
use crate::harness::read_head;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use fast_socks5::server::Socks5ServerProtocol;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

pub const PASSWORD: &str = "vendor-password";

/// A connection that an upstream was asked for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Asked {
    pub user_name: String,
    /// The request line, or `socks5` and the destination.
    pub request: String,
    /// The whole head of an HTTP request.
    pub head: String,
}

#[derive(Clone)]
pub struct Upstream {
    pub address: SocketAddr,
    scheme: &'static str,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// What it answers to everything, if it does not work.
    status: Arc<Mutex<Option<u16>>>,
}

impl Upstream {
    pub async fn http(origin: SocketAddr) -> Upstream {
        let (upstream, listener) = Upstream::listen("http").await;
        let serving = upstream.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let serving = serving.clone();
                tokio::spawn(async move { serving.serve_http(stream, origin).await });
            }
        });
        upstream
    }

    pub async fn socks5(origin: SocketAddr) -> Upstream {
        let (upstream, listener) = Upstream::listen("socks5").await;
        let serving = upstream.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let serving = serving.clone();
                tokio::spawn(async move { serving.serve_socks5(stream, origin).await });
            }
        });
        upstream
    }

    async fn listen(scheme: &'static str) -> (Upstream, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        (Upstream { address, scheme, asked: Arc::default(), status: Arc::default() }, listener)
    }

    /// Answers everything with this status from now on, and closes without an answer for 0; `None`: works.
    pub fn answer(&self, status: Option<u16>) {
        *self.status.lock().expect("the status") = status;
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("the questions").clone()
    }

    pub fn user_names(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.user_name).collect()
    }

    /// This upstream in the gate's file.
    pub fn entry(&self, user_name: &str, weight: u32) -> String {
        format!(
            "[[upstream]]\nurl = \"{}://{}\"\nuser_name = \"{user_name}\"\npassword = \"{PASSWORD}\"\nweight = {weight}\n",
            self.scheme, self.address
        )
    }

    fn note(&self, user_name: String, request: String, head: String) {
        self.asked.lock().expect("the questions").push(Asked { user_name, request, head });
    }

    async fn serve_http(&self, mut client: TcpStream, origin: SocketAddr) {
        let head = read_head(&mut client).await;
        let encoded = head.lines().find_map(|line| {
            line.split_once(": Basic ").filter(|(name, _)| name.eq_ignore_ascii_case("proxy-authorization"))
        });
        let credentials = BASE64_STANDARD.decode(encoded.expect("credentials").1).expect("base64");
        let credentials = String::from_utf8(credentials).expect("text");
        let user_name = credentials.strip_suffix(&format!(":{PASSWORD}")).expect("the password").to_owned();
        let request = head.lines().next().expect("a line").to_owned();
        self.note(user_name, request.clone(), head);
        let status = *self.status.lock().expect("the status");
        if status == Some(0) {
            return;
        }
        let answer = match status {
            Some(status) => format!("HTTP/1.1 {status} No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"),
            None if request.starts_with("CONNECT") => "HTTP/1.1 200 Yes\r\nX-Vendor: 1\r\n\r\n".into(),
            None => "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nforwarded".into(),
        };
        client.write_all(answer.as_bytes()).await.expect("written");
        if status.is_none() && request.starts_with("CONNECT") {
            let mut origin = TcpStream::connect(origin).await.expect("the origin");
            let _ = tokio::io::copy_bidirectional(&mut client, &mut origin).await;
        }
    }

    async fn serve_socks5(&self, client: TcpStream, origin: SocketAddr) {
        let check = |user_name: String, password: String| (password == PASSWORD).then_some(user_name);
        let accepted = Socks5ServerProtocol::accept_password_auth(client, check).await;
        let (protocol, user_name) = accepted.expect("the password");
        let (protocol, _, target) = protocol.read_command().await.expect("a command");
        self.note(user_name.expect("a name"), format!("socks5 {target}"), String::new());
        let mut client = protocol.reply_success(origin).await.expect("a client");
        let mut origin = TcpStream::connect(origin).await.expect("the origin");
        let _ = tokio::io::copy_bidirectional(&mut client, &mut origin).await;
    }
}
