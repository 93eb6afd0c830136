//! A minimal HTTP client: one keep-alive connection, one request at a time.
use anyhow::Context;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

pub struct Client {
    stream: BufReader<TcpStream>,
    headers: String,
    body: Vec<u8>,
}

impl Client {
    /// `headers` are sent with every request; each ends with a line break.
    pub fn new(address: SocketAddr, headers: &str) -> anyhow::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Client { stream: BufReader::with_capacity(1 << 16, stream), headers: headers.to_owned(), body: Vec::new() })
    }

    /// Posts JSON and returns the response body.
    pub fn post(&mut self, path: &str, json: &str, more_headers: &str) -> anyhow::Result<&[u8]> {
        let (length, headers) = (json.len(), &self.headers);
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}{more_headers}\r\n{json}"
        );
        self.send(path, &request)
    }

    /// Gets a file and returns its raw bytes.
    pub fn get(&mut self, path: &str) -> anyhow::Result<&[u8]> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: bench\r\n{}\r\n", self.headers);
        self.send(path, &request)
    }

    fn send(&mut self, path: &str, request: &str) -> anyhow::Result<&[u8]> {
        let Client { stream, body, .. } = self;
        stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let status = line.clone();
        let mut length = None;
        loop {
            line.clear();
            anyhow::ensure!(stream.read_line(&mut line)? > 0, "the connection ended");
            if line == "\r\n" {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = Some(value.trim().parse()?);
            }
        }
        body.resize(length.context("an answer without a length")?, 0);
        stream.read_exact(body)?;
        anyhow::ensure!(status.contains(" 200 "), "{path}: {status}{}", String::from_utf8_lossy(body));
        Ok(body)
    }
}
