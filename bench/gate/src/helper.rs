//! A helper of Squid that asks the shop about each user name and password, and does nothing else: for a gate without `squid-auth`.
use anyhow::{Context, Result};
use postern_core::proxy_protocol::{Authorizations, Connection, Connections};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// Answers lines of `channel user-name password`.
pub fn answer(shop: SocketAddr) -> Result<()> {
    let mut stream = BufReader::new(TcpStream::connect(shop)?);
    for line in std::io::stdin().lines() {
        let line = line?;
        let mut words = line.split(' ');
        let channel = words.next().unwrap_or_default();
        let mut word = || words.next().unwrap_or_default().to_owned();
        let connection = Connection { user_name: word(), password: word(), ..Connection::default() };
        let verdict = if is_allowed(&mut stream, shop, connection)? { "OK" } else { "ERR" };
        println!("{channel} {verdict}");
    }
    Ok(())
}

fn is_allowed(stream: &mut BufReader<TcpStream>, shop: SocketAddr, connection: Connection) -> Result<bool> {
    let body = serde_json::to_string(&Connections { connections: vec![connection] })?;
    let length = body.len();
    write!(
        stream.get_mut(),
        "POST /proxy-server/authorize HTTP/1.1\r\nHost: {shop}\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
    }
    let mut answer = vec![0; length];
    stream.read_exact(&mut answer)?;
    let Authorizations { answers } = serde_json::from_slice(&answer)?;
    Ok(answers.first().context("no answer")?.allowed)
}
