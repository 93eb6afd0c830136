//! Bytes per second of one tunnel, against a loop that copies and does nothing else.
use crate::origin::SEND;
use crate::report::{Bound, Report, median, median_ratio};
use crate::servers::Server;
use crate::tunnels;
use anyhow::Result;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional_with_sizes};
use tokio::net::{TcpListener, TcpStream};

const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_millis(1_500);

/// The gate's buffers have the same size; with tokio's 8 KB the loop would be slower.
const BUFFER_BYTES: usize = 64 * 1024;

/// Copies between each client and the origin.
pub async fn serve(address: SocketAddr, origin: SocketAddr) -> Result<()> {
    let listener = TcpListener::bind(address).await?;
    loop {
        let (mut client, _) = listener.accept().await?;
        tokio::spawn(async move {
            let mut origin = TcpStream::connect(origin).await?;
            origin.set_nodelay(true)?;
            client.set_nodelay(true)?;
            copy_bidirectional_with_sizes(&mut client, &mut origin, BUFFER_BYTES, BUFFER_BYTES).await
        });
    }
}

pub async fn measure(gate: &Server, origin: &Server, report: &mut Report) -> Result<()> {
    let bare = Server::copy(origin).await?;
    let (mut ours, mut bares) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(per_second(tunnels::open(gate.address, None, 0, origin.address).await?).await?);
        bares.push(per_second(TcpStream::connect(bare.address).await?).await?);
    }
    let ratio = median_ratio(&ours, &bares);
    let numbers = format!("{:.2} GB/s, bare {:.2} GB/s: {ratio:.2}", median(ours) / 1e9, median(bares) / 1e9);
    report.line("bytes of one tunnel", &numbers, ratio, &Bound::AtLeast(0.8));
    Ok(())
}

async fn per_second(mut stream: TcpStream) -> Result<f64> {
    stream.write_u8(SEND).await?;
    let mut buffer = vec![0; 256 * 1024];
    let (begin, mut bytes) = (Instant::now(), 0);
    while begin.elapsed() < ROUND {
        let read = stream.read(&mut buffer).await?;
        anyhow::ensure!(read > 0, "the tunnel ended");
        bytes += read;
    }
    Ok(bytes as f64 / begin.elapsed().as_secs_f64())
}
