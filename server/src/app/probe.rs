//! Asks the server on this machine whether it is ready, for containers and load balancers that run a command.
use anyhow::{Context, ensure};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(5);

/// Fails unless the server that listens on this port answers 200 to `/health/ready`.
pub fn ask_whether_ready(port: u16) -> anyhow::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream =
        TcpStream::connect_timeout(&address, PATIENCE).with_context(|| format!("no server at {address}"))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut status = String::new();
    BufReader::new(stream).read_line(&mut status).context("the server does not answer")?;
    ensure!(status.starts_with("HTTP/1.1 200 "), "the server is not ready: {}", status.trim_end());
    Ok(())
}
