//! A destination: the first byte of a connection says what it does.
use anyhow::Result;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Sends everything back, this byte included.
pub const ECHO: u8 = b'e';

/// Sends without an end.
pub const SEND: u8 = b's';

pub async fn serve(address: SocketAddr) -> Result<()> {
    let listener = TcpListener::bind(address).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        // The other side ends it.
        tokio::spawn(async move { answer(stream).await.is_ok() });
    }
}

async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let first = stream.read_u8().await?;
    if first == SEND {
        let chunk = vec![0; 256 * 1024];
        loop {
            stream.write_all(&chunk).await?;
        }
    }
    stream.write_u8(first).await?;
    let mut buffer = [0; 64];
    while let read @ 1.. = stream.read(&mut buffer).await? {
        stream.write_all(&buffer[..read]).await?;
    }
    Ok(())
}
