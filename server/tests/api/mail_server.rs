//! A mail server for tests that stores and parses mails: the subset of SMTP (RFC 5321) and MIME (RFC 2045) that a sender needs.
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub struct MailServer {
    pub url: String,
    mails: Arc<Mutex<Vec<String>>>,
}

/// A part of a mail, or the mail itself. A container has parts, everything else has content.
#[derive(Debug)]
pub struct Entity {
    /// Unfolded, one a line.
    pub head: String,
    pub content: Vec<u8>,
    pub parts: Vec<Entity>,
}

impl MailServer {
    pub fn open() -> MailServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let mails = Arc::new(Mutex::new(Vec::new()));
        let kept = mails.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || receive(stream, &kept));
            }
        });
        MailServer { url, mails }
    }

    pub fn count(&self) -> usize {
        self.mails.lock().expect("mails").len()
    }

    /// The latest mail, as sent on the wire.
    pub fn last(&self) -> String {
        self.mails.lock().expect("mails").last().cloned().expect("a mail")
    }
}

fn receive(stream: TcpStream, mails: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut answers = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    answers.write_all(b"220 localhost\r\n")?;
    while let Some(command) = lines.next().transpose()? {
        let answer: &[u8] = match command.get(..4).unwrap_or_default() {
            "EHLO" => b"250-localhost\r\n250 8BITMIME\r\n",
            "DATA" => b"354 go on\r\n",
            "QUIT" => b"221 bye\r\n",
            _ => b"250 fine\r\n",
        };
        answers.write_all(answer)?;
        if command.starts_with("DATA") {
            let mut mail = String::new();
            while let Some(line) = lines.next().transpose()?.filter(|line| line != ".") {
                // SMTP doubles a dot at the beginning of a line.
                mail.push_str(line.strip_prefix('.').unwrap_or(&line));
                mail.push('\n');
            }
            mails.lock().expect("mails").push(mail);
            answers.write_all(b"250 kept\r\n")?;
        }
    }
    Ok(())
}

impl Entity {
    pub fn read(text: &str) -> Entity {
        let (head, body) = text.split_once("\n\n").expect("a head and a body");
        let head = head.replace("\n ", " ").replace("\n\t", " ");
        let mut entity = Entity { head, content: Vec::new(), parts: Vec::new() };
        let boundary = entity.field("Content-Type").split_once("boundary=\"").map(|(_, rest)| rest.to_owned());
        match boundary.as_deref().and_then(|rest| rest.split('"').next()) {
            Some(boundary) => {
                let (edge, end) = (format!("--{boundary}\n"), format!("--{boundary}--"));
                let parts = body.split(&edge).skip(1);
                entity.parts = parts.map(|part| Entity::read(part.split(&end).next().unwrap_or(part))).collect();
            }
            None => entity.content = decoded(&entity.field("Content-Transfer-Encoding"), body),
        }
        entity
    }

    /// The value of a field, or nothing.
    pub fn field(&self, name: &str) -> String {
        let start = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default().to_owned()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.content.clone()).expect("UTF-8").trim_end().replace("\r\n", "\n")
    }

    /// The types of the parts, those of containers followed by their own in brackets.
    pub fn outline(&self) -> String {
        let kind = self.field("Content-Type");
        let kind = kind.split(';').next().unwrap_or_default();
        if self.parts.is_empty() {
            return kind.to_owned();
        }
        format!("{kind} [{}]", self.parts.iter().map(Entity::outline).collect::<Vec<_>>().join(", "))
    }
}

fn decoded(encoding: &str, body: &str) -> Vec<u8> {
    match encoding {
        "base64" => STANDARD.decode(body.split_whitespace().collect::<String>()).expect("base64"),
        "quoted-printable" => {
            let mut bytes = Vec::new();
            let mut rest = body.replace("=\n", "").into_bytes().into_iter();
            while let Some(byte) = rest.next() {
                if byte != b'=' {
                    bytes.push(byte);
                    continue;
                }
                let digits: Vec<u8> = rest.by_ref().take(2).collect();
                bytes.extend(hex::decode(digits).expect("two digits"));
            }
            bytes
        }
        _ => body.as_bytes().to_vec(),
    }
}

/// A mail server that knows nobody's password.
pub fn refuses_passwords() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let lines = BufReader::new(stream.try_clone().expect("a copy")).lines();
            let _ = stream.write_all(b"220 localhost\r\n");
            for line in lines.map_while(Result::ok) {
                let answer: &[u8] = match line.get(..4) {
                    Some("EHLO") => b"250-localhost\r\n250 AUTH PLAIN LOGIN\r\n",
                    Some("AUTH") => b"535 5.7.8 wrong password s3cret-smtp\r\n",
                    _ => b"250 fine\r\n",
                };
                let _ = stream.write_all(answer);
            }
        }
    });
    address
}
