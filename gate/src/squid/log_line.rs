//! The lines of Squid's log, in a format of our own, as usage records. A record's id is made of its line alone, so that a line that is read twice
//! is counted once.
use crate::host_port::HostPort;
use crate::squid::counted_for::CountedFor;
use crate::squid::escape::unescape;
use chrono::{DateTime, Utc};
use postern_core::time::to_wire;
use postern_core::usage::UsageRecord;

/// The log: one of its own, as others have other formats.
pub const LOG: &str = "/var/log/squid/postern.log";

/// The name of the format, with which each line begins.
pub const NAME: &str = "postern1";

/// What follows the name: when, what identifies the line, for whom it counts, bytes of request and response, what became of it, where to, who.
pub const FORMAT: &str =
    "%ts.%03tu ${process_number} %sn %master_xaction %>p %#ea %>st %<st %Ss %Sh %err_code %#>rd %#un";

const FIELDS: usize = 13;

/// The line's text is not in this format.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Unreadable;

/// The record of a line; none for a line without traffic that counts.
pub fn record(line: &str) -> Result<Option<UsageRecord<'static>>, Unreadable> {
    let text = line.strip_prefix(NAME).and_then(|rest| rest.strip_prefix(' ')).ok_or(Unreadable)?;
    let fields: Vec<&str> = text.split(' ').collect();
    let fields: [&str; FIELDS] = fields.try_into().map_err(|_| Unreadable)?;
    let [time, process, number, transaction, port, counted_for, up, down, status, way, error, host, _user] = fields;
    let used_at = used_at(time).ok_or(Unreadable)?;
    let (upload_bytes, download_bytes) = (bytes(up)?, bytes(down)?);
    // A refused attempt is not the traffic of whom it names, and none is where no destination was reached.
    let is_carried = !status.starts_with("TCP_DENIED") && way != "HIER_NONE" && error != "ERR_CONNECT_FAIL";
    if counted_for == "-" || !is_carried || upload_bytes + download_bytes == 0 {
        return Ok(None);
    }
    let counted_for = unescape(counted_for).ok_or(Unreadable)?.parse().map_err(|_| Unreadable)?;
    let mut record = UsageRecord {
        id: format!("{time}/{process}/{number}/{transaction}/{port}").into(),
        used_at: used_at.into(),
        user_name: "".into(),
        proxy_user_id: None,
        ip: "".into(),
        country: "".into(),
        target: target(host).into(),
        upload_bytes,
        download_bytes,
    };
    match counted_for {
        CountedFor::Node(ip) => record.ip = ip.to_string().into(),
        CountedFor::ProxyUser { id, country } => (record.proxy_user_id, record.country) = (Some(id), country.into()),
        CountedFor::Named { name, country } => (record.user_name, record.country) = (name.into(), country.into()),
    }
    Ok(Some(record))
}

/// The destination's host; empty if it is none, as clients may name any text.
fn target(host: &str) -> String {
    let host = unescape(host).filter(|host| host != "-").and_then(|host| HostPort::new(&host, 80).ok());
    host.map(|found| found.host.to_string()).unwrap_or_default()
}

fn used_at(time: &str) -> Option<String> {
    let (seconds, fraction) = time.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(seconds) || !is_number(fraction) {
        return None;
    }
    let time: DateTime<Utc> = DateTime::from_timestamp(seconds.parse().ok()?, 0)?;
    Some(to_wire(time.naive_utc()))
}

fn bytes(text: &str) -> Result<u64, Unreadable> {
    // Two of them never overflow.
    text.parse().ok().filter(|bytes| *bytes <= u64::MAX / 2).ok_or(Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::proxy_server::ProxyServerKind;
    use postern_core::usage::check_record;

    const TUNNEL: &str =
        "postern1 1795774817.259 1 5 63 59618 id%3A7%3AUS 231 707 TCP_TUNNEL HIER_DIRECT - example.com ann";

    #[test]
    fn a_line_is_a_record_that_the_shop_accepts() {
        let found = record(TUNNEL).expect("a line").expect("a record");
        assert_eq!((found.id.as_ref(), found.used_at.as_ref()), ("1795774817.259/1/5/63/59618", "2026-11-27 10:20:17"));
        assert_eq!((found.proxy_user_id, found.country.as_ref()), (Some(7), "US"));
        assert_eq!((found.target.as_ref(), found.upload_bytes, found.download_bytes), ("example.com", 231, 707));
        let now = postern_core::time::from_wire("2026-11-27 10:20:20").expect("a time");
        check_record(&found, ProxyServerKind::Residential, now).expect("valid");
        let of_node = record(&TUNNEL.replace("id%3A7%3AUS", "ip:2001%3adb8::7")).expect("a line").expect("a record");
        assert_eq!((of_node.ip.as_ref(), of_node.proxy_user_id), ("2001:db8::7", None));
        check_record(&of_node, ProxyServerKind::Static, now).expect("valid");
        for (host, target) in
            [("Example.com", "example.com"), ("%5B2001:db8::1%5D", "2001:db8::1"), ("%22%0a", ""), ("-", "")]
        {
            let found = record(&TUNNEL.replace("example.com", host)).expect("a line").expect("a record");
            assert_eq!(found.target, target);
        }
        let named = record(&TUNNEL.replace("id%3A7%3AUS", "name%3Aann%3A")).expect("a line").expect("a record");
        assert_eq!((named.user_name.as_ref(), named.country.as_ref()), ("ann", ""));
    }

    #[test]
    fn attempts_and_failures_count_for_nobody() {
        for line in [
            TUNNEL.replace("id%3A7%3AUS", "-"),
            TUNNEL.replace("TCP_TUNNEL", "TCP_DENIED"),
            TUNNEL.replace("TCP_TUNNEL", "TCP_DENIED_REPLY"),
            TUNNEL.replace("HIER_DIRECT", "HIER_NONE"),
            TUNNEL.replace(" - ", " ERR_CONNECT_FAIL "),
            TUNNEL.replace("231 707", "0 0"),
        ] {
            assert_eq!(record(&line).expect("a line").map(|record| record.id), None, "{line}");
        }
        // The destination broke off in the middle.
        assert!(record(&TUNNEL.replace(" - ", " ERR_READ_ERROR ")).expect("a line").is_some());
    }

    #[test]
    fn rubbish_is_not_understood() {
        for line in [
            String::new(),
            "postern1".into(),
            "postern1 ".into(),
            "1795774817.259    207 127.0.0.1 TCP_TUNNEL/200 707 CONNECT example.com:443 ann HIER_DIRECT/8.8.8.8 -"
                .into(),
            TUNNEL.replace("postern1", "postern2"),
            TUNNEL.replace("postern1 ", "postern1  "),
            TUNNEL.replace("1795774817.259", "1795774817"),
            TUNNEL.replace("1795774817.259", "99999999999999.259"),
            TUNNEL.replace("1795774817.259", "-1.2"),
            TUNNEL.replace("231", "-1"),
            TUNNEL.replace("231", "18446744073709551615"),
            TUNNEL.replace("707", "-"),
            TUNNEL.replace("id%3A7%3AUS", "id%3A7%3AXQ"),
            TUNNEL.replace("id%3A7%3AUS", "%"),
            // Squid was killed while it wrote.
            format!("{}{TUNNEL}", &TUNNEL[..40]),
            TUNNEL[..TUNNEL.len() - 4].into(),
        ] {
            assert_eq!(record(&line).err(), Some(Unreadable), "{line}");
        }
    }
}
