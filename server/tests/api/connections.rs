//! Connections between requests: kept, closed and drained without losing one.
use crate::shop::Shop;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const LIVE: &[u8] = b"GET /health/live HTTP/1.1\r\nHost: shop\r\n\r\n";

fn connect(shop: &Shop) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(shop.url.trim_start_matches("http://")).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    BufReader::new(stream)
}

/// Sends a request and reads its whole answer; an error if there is none.
fn ask(stream: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    stream.get_mut().write_all(LIVE)?;
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    stream.read_exact(&mut [0; "live".len()])?;
    Ok(head)
}

fn is_answered(stream: &mut BufReader<TcpStream>) -> bool {
    ask(stream).is_ok_and(|head| head.starts_with("HTTP/1.1 200"))
}

/// Whether the connection stays open, and nothing is written to it, until this time.
fn is_silent_until(stream: &mut BufReader<TcpStream>, end: Instant) -> bool {
    let rest = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    stream.get_mut().set_read_timeout(Some(rest)).expect("a timeout");
    let read = stream.get_mut().read(&mut [0; 64]);
    stream.get_mut().set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

#[actix_web::test]
async fn silent_connections_are_kept_and_nothing_is_written_to_them_but_slow_headers_are_cut() {
    let shop = Shop::open();
    let (mut ahead, mut used, mut slow) = (connect(&shop), connect(&shop), connect(&shop));
    assert!(is_answered(&mut used));
    slow.get_mut().write_all(&LIVE[..LIVE.len() - 3]).expect("half a request");
    let mut later = connect(&shop);
    assert!(is_answered(&mut later));
    later.get_mut().write_all(&LIVE[..10]).expect("the beginning of a second request");
    let begin = Instant::now();
    for stream in [&mut slow, &mut later] {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer, and the end");
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!((Duration::from_secs(4)..Duration::from_secs(10)).contains(&begin.elapsed()), "{:?}", begin.elapsed());
    }
    let end = begin + Duration::from_secs(7);
    for stream in [&mut ahead, &mut used] {
        assert!(is_silent_until(stream, end));
        assert!(is_answered(stream));
    }
}

#[actix_web::test]
async fn at_the_limit_the_connection_that_was_idle_the_longest_makes_room() {
    let shop = Shop::open_with(&[("POSTERN_TRUSTED_PROXIES", "10.0.0.1"), ("POSTERN_CONNECTIONS_PER_SENDER", "8")]);
    let mut kept: Vec<_> = (0..8).map(|_| connect(&shop)).collect();
    assert!(kept.iter_mut().all(is_answered));
    // The first one is used again.
    assert!(is_answered(&mut kept[0]));
    let mut another = connect(&shop);
    assert!(is_answered(&mut another), "there is room for it");
    assert_eq!(kept[1].read(&mut [0; 64]).expect("an end"), 0, "closed without a word");
    kept.remove(1);
    assert!(kept.iter_mut().chain([&mut another]).all(is_answered), "the others are kept");
}

#[actix_web::test]
async fn a_draining_server_says_which_response_is_the_last_and_answers_every_request() {
    let shop = Shop::open();
    let answered = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..20)
        .map(|_| {
            let (mut stream, answered) = (connect(&shop), answered.clone());
            std::thread::spawn(move || {
                loop {
                    let head = ask(&mut stream).expect("an answer to every request");
                    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
                    answered.fetch_add(1, Ordering::SeqCst);
                    if head.to_ascii_lowercase().contains("\r\nconnection: close\r\n") {
                        return stream.read(&mut [0; 64]).expect("an end");
                    }
                }
            })
        })
        .collect();
    let mut idle = connect(&shop);
    assert!(is_answered(&mut idle));
    while answered.load(Ordering::SeqCst) < 200 {
        std::thread::yield_now();
    }
    shop.serving.stop(true).await;
    for client in clients {
        assert_eq!(client.join().expect("all were answered"), 0);
    }
    assert_eq!(idle.read(&mut [0; 64]).expect("an end"), 0, "closed without a word");
}
