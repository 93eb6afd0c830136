//! The destination: sends back what it gets, and counts both.
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

pub async fn start() -> (SocketAddr, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let (address, bytes) = (listener.local_addr().expect("an address"), Arc::new(AtomicU64::new(0)));
    let counted = bytes.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let counted = counted.clone();
            tokio::spawn(async move {
                let mut buffer = vec![0; 64 * 1024];
                while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                    counted.fetch_add(read as u64, Ordering::Relaxed);
                    if stream.write_all(&buffer[..read]).await.is_err() {
                        break;
                    }
                    counted.fetch_add(read as u64, Ordering::Relaxed);
                }
            });
        }
    });
    (address, bytes)
}
