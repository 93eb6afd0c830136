//! Requests that one reader ends elsewhere than another. Whatever a client sends, an origin gets exactly one request, in one spelling.
use crate::harness::*;
use crate::origin;
use crate::shop::Shop;
use tokio::io::AsyncWriteExt;

/// What happens to a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fate {
    /// The origin gets nothing.
    Refused,
    /// The origin gets one request, spelled anew.
    Forwarded,
}
use Fate::{Forwarded, Refused};

/// A request without credentials, which must not reach anybody.
const HIDDEN: &str = "GET http://ORIGIN/hidden HTTP/1.1\r\nHost: a\r\n\r\n";

#[tokio::test]
async fn a_body_has_one_length() {
    let headers = [
        ("Content-Length: 0x5", Refused),
        ("Content-Length: 5 5", Refused),
        ("Content-Length: -1", Refused),
        ("Content-Length: 1e1", Refused),
        ("Content-Length: 18446744073709551616", Refused),
        ("Content-Length:", Refused),
        ("Content-Length: 5;a", Refused),
        ("Content-Length : 5", Refused),
        ("Content-Length\0: 5", Refused),
        ("Content-Length: 5\0", Refused),
        (" Content-Length: 5", Refused),
        ("Content-Length: 5\r\n 5", Refused),
        ("Content-Length: 5\rTransfer-Encoding: chunked", Refused),
        ("Transfer-Encoding: xchunked", Refused),
        ("Transfer-Encoding: chunked\x0b", Refused),
        ("Transfer-Encoding: \"chunked\"", Refused),
        ("Transfer-Encoding: chunked;q=1", Refused),
        ("Transfer-Encoding: chunked, chunked", Refused),
        ("Transfer-Encoding: ,chunked", Refused),
        ("Transfer-Encoding: identity", Refused),
        ("Transfer-Encoding:", Refused),
        ("Transfer-Encoding: chun\r\n ked", Refused),
        ("Transfer-Encoding\t: chunked", Refused),
        ("X: a\rTransfer-Encoding: chunked", Refused),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked", Forwarded),
        ("Content-Length: 5\r\nContent-Length: 5", Forwarded),
        ("X: a\nContent-Length: 5", Forwarded),
        ("Transfer-Encoding: \tCHUNKED ", Forwarded),
        ("Content_Length: 5", Forwarded),
        ("Transfer_Encoding: chunked", Forwarded),
        ("Content-Length: 5\r\nTransfer_Encoding: chunked", Forwarded),
        ("Content-Length: 5\r\nConnection: Content-Length", Forwarded),
        ("Transfer-Encoding: chunked\r\nConnection: Transfer-Encoding", Forwarded),
    ];
    for (header, fate) in headers {
        let request = format!("POST http://ORIGIN/ HTTP/1.1\r\nHost: a\r\nCREDENTIALS{header}\r\n\r\n");
        check(&request, "5\r\nhello\r\n0\r\n\r\n", fate).await;
    }
}

#[tokio::test]
async fn a_body_in_chunks_ends_where_its_last_chunk_ends() {
    let bodies = [
        ("0x5\r\nhello\r\n0\r\n\r\n", Refused),
        ("+5\r\nhello\r\n0\r\n\r\n", Refused),
        ("-5\r\nhello\r\n0\r\n\r\n", Refused),
        ("FFFFFFFFFFFFFFFF1\r\nhello\r\n0\r\n\r\n", Refused),
        ("5\nhello\r\n0\r\n\r\n", Refused),
        ("5\r\nhello0\r\n\r\n", Refused),
        ("5\r\nhello\n0\r\n\r\n", Refused),
        ("5;a\nb\r\nhello\r\n0\r\n\r\n", Refused),
        (";\r\nhello\r\n0\r\n\r\n", Refused),
        ("5;a=b\r\nhello\r\n0\r\n\r\n", Forwarded),
        ("05\r\nhello\r\n000\r\n\r\n", Forwarded),
        ("5\r\nhello\r\n0\r\nContent-Length: 100\r\nHost: b\r\nTransfer-Encoding: gzip\r\n\r\n", Forwarded),
    ];
    for (body, fate) in bodies {
        let request = "POST http://ORIGIN/ HTTP/1.1\r\nHost: a\r\nCREDENTIALSTransfer-Encoding: chunked\r\n\r\n";
        check(request, body, fate).await;
    }
}

#[tokio::test]
async fn a_request_has_one_destination() {
    let lines = [
        ("GET http:/ORIGIN/ HTTP/1.1", Refused),
        ("GET http:///ORIGIN/ HTTP/1.1", Refused),
        ("GET //ORIGIN/ HTTP/1.1", Refused),
        ("GET http:ORIGIN/ HTTP/1.1", Refused),
        ("GET http://ORIGIN:80/ HTTP/1.1", Refused),
        ("GET http://ORIGIN@ORIGIN/ HTTP/1.1", Refused),
        ("GET http://[::1]ORIGIN/ HTTP/1.1", Refused),
        ("GET http://ORIGIN%00.example/ HTTP/1.1", Refused),
        ("GET http://ORIGIN,b.example/ HTTP/1.1", Refused),
        ("GET http://ORIGIN\\.b.example/ HTTP/1.1", Refused),
        ("GET http://ORIGIN/ a HTTP/1.1", Refused),
        ("GET http://ORIGIN/\ta HTTP/1.1", Refused),
        ("GET http://ORIGIN/", Refused),
        ("GET http://ORIGIN/ HTTP/0.9", Refused),
        ("GET http://ORIGIN/ HTTP/2.0", Refused),
        ("GET http://ORIGIN/ http/1.1", Refused),
        ("GET http://ORIGIN/ HTTP/1.1\r\nHost: b", Refused),
        ("GET http://ORIGIN/ HTTP/1.1\r\nHost : b", Refused),
        (" GET http://ORIGIN/ HTTP/1.1", Refused),
        ("G\0T http://ORIGIN/ HTTP/1.1", Refused),
        ("GET http://ORIGIN/ HTTP/1.1\r\nProxy-Authorization: Basic eDp5", Refused),
        ("GET http://ORIGIN?a HTTP/1.1", Forwarded),
        ("GET http://ORIGIN#@b.example/ HTTP/1.1", Forwarded),
        ("GET HTTP://ORIGIN/a/../b HTTP/1.1", Forwarded),
        ("\r\nGET http://ORIGIN/ HTTP/1.1", Forwarded),
    ];
    for (line, fate) in lines {
        check(&format!("{line}\r\nHost: a\r\nCREDENTIALS\r\n"), "", fate).await;
    }
}

/// Sends a request with a hidden one after it, and looks at all that its origin gets.
async fn check(head: &str, body: &str, fate: Fate) {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let (shop, (origin, mut received)) = (Shop::start("residential").await, origin::recorder(answer).await);
    let gate = start(&shop, &[origin], &[]).await;
    let credentials = authorization("user-ann", "right");
    let request =
        format!("{head}{body}{HIDDEN}").replace("ORIGIN", &origin.to_string()).replace("CREDENTIALS", &credentials);
    let mut stream = gate.dial().await;
    stream.write_all(request.as_bytes()).await.expect("written");
    let _ = stream.shutdown().await;
    let answer = read_all(&mut stream).await;
    drop(gate);
    let mut all = Vec::new();
    while let Ok(text) = received.try_recv() {
        all.push(text);
    }
    all.retain(|text| !text.is_empty());
    let whole: Vec<&String> = all.iter().filter(|text| is_one_request(text, &origin.to_string())).collect();
    match fate {
        Forwarded => {
            assert!(answer.starts_with("HTTP/1.1 200"), "{request:?}: {answer}");
            assert_eq!((whole.len(), all.len()), (1, 1), "{request:?}: {all:?}");
        }
        // Of a body that turns out to be broken, a part may have left.
        Refused => {
            assert!(!answer.contains("HTTP/1.1 200"), "{request:?}: {answer}");
            assert!(whole.is_empty(), "{request:?}: {all:?}");
        }
    }
    assert!(all.iter().all(|text| !text.starts_with("GET /hidden")), "{request:?}: {all:?}");
}

/// Whether a strict reader takes the whole text for one request to this host.
fn is_one_request(text: &str, host: &str) -> bool {
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let lines: Vec<&str> = head.split("\r\n").collect();
    let is_plain = |line: &&str| line.bytes().all(|byte| byte >= b' ' && byte != 0x7f);
    let values = |name: &str| -> Vec<&str> {
        let headers = lines[1..].iter().filter_map(|line| line.split_once(": "));
        headers.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect()
    };
    let is_framed = match (&values("transfer-encoding")[..], &values("content-length")[..]) {
        ([], []) => body.is_empty(),
        ([], [length]) => length.parse() == Ok(body.len()),
        (["chunked"], []) => ends_with_its_last_chunk(body),
        _ => false,
    };
    lines.iter().all(is_plain) && values("host") == [host] && is_framed
}

fn ends_with_its_last_chunk(mut body: &str) -> bool {
    loop {
        let Some((size, rest)) = body.split_once("\r\n") else { return false };
        let Ok(size) = usize::from_str_radix(size, 16) else { return false };
        if size == 0 {
            return rest == "\r\n";
        }
        match rest.get(size..).and_then(|rest| rest.strip_prefix("\r\n")) {
            Some(rest) => body = rest,
            None => return false,
        }
    }
}
