//! Destinations: one that speaks HTTP and tells what it was asked, and ones that speak anything.
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

async fn bind() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    (listener, address)
}

/// Answers each request with the address it came from, its line, headers and body.
pub async fn http() -> SocketAddr {
    let (listener, address) = bind().await;
    tokio::spawn(async move {
        while let Ok((stream, peer)) = listener.accept().await {
            tokio::spawn(async move {
                let service = service_fn(move |request| describe(peer, request));
                let mut server = http1::Builder::new();
                server.preserve_header_case(true);
                let _ = server.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    address
}

async fn describe(peer: SocketAddr, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let mut text = format!("peer {}\nline {} {}\n", peer.ip(), parts.method, parts.uri);
    for (name, value) in &parts.headers {
        text += &format!("header {name}: {}\n", value.to_str().expect("text"));
    }
    text += &format!("body {}\n", String::from_utf8_lossy(&body));
    let response = Response::builder()
        .header("Connection", "X-Hop")
        .header("X-Hop", "1")
        .header("Proxy-Authenticate", "Basic realm=\"trap\"")
        .header("X-End", "1");
    Ok(response.body(Full::from(text)).expect("a response"))
}

/// Sends back what it gets, until the other side ends.
pub async fn echo() -> SocketAddr {
    let (listener, address) = bind().await;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut reader, mut writer) = stream.split();
                let _ = tokio::io::copy(&mut reader, &mut writer).await;
                let _ = writer.shutdown().await;
            });
        }
    });
    address
}

/// Responds as soon as a request's head has come, and reads on.
pub async fn hasty() -> SocketAddr {
    let (listener, address) = bind().await;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut head = Vec::new();
                while !head.windows(4).any(|four| four == b"\r\n\r\n") {
                    let _ = stream.read_buf(&mut head).await;
                }
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
                let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
            });
        }
    });
    address
}

/// Hands over all bytes of each connection, after answering with a fixed text.
pub async fn recorder(answer: &'static str) -> (SocketAddr, mpsc::UnboundedReceiver<String>) {
    let (listener, address) = bind().await;
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let sender = sender.clone();
            tokio::spawn(async move {
                let mut all = Vec::new();
                let mut chunk = [0; 4096];
                while let Ok(Ok(read)) =
                    tokio::time::timeout(std::time::Duration::from_millis(300), stream.read(&mut chunk)).await
                {
                    if read == 0 {
                        break;
                    }
                    all.extend_from_slice(&chunk[..read]);
                }
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = sender.send(String::from_utf8_lossy(&all).into_owned());
            });
        }
    });
    (address, receiver)
}
