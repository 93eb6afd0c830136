//! Lines of parts separated by spaces, tabs, commas, semicolons or bars, as copied from tables and as some shops write them.
//!
//! Such a line often has remarks: a country, a protocol, a speed. One word that names a scheme is the scheme. Two other words are a user
//! name and a password only if they cannot be a remark.
use crate::csv::{disarm, split_row};
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::parts::{
    DEFAULT_SCHEME, endpoint, is_clearly_host, read_address, read_host, read_pair, read_port, read_scheme,
};
use crate::endpoint::parse::plain::{read_at, read_host_at, read_host_first, read_user_first};
use crate::endpoint::parse::remarks::is_remark;
use crate::endpoint::types::Endpoint;

/// Between sentences stand blanks; the other separators are those of columns.
const SEPARATORS: [char; 5] = [' ', '\t', ',', ';', '|'];

/// The cells of a line.
struct Row {
    cells: Vec<String>,
    separator: char,
}

/// All endpoints that can be parsed from the line. The host must have a dot or a colon, or any four words would be an endpoint.
pub(super) fn read_separated(line: &str) -> Vec<Endpoint> {
    let mut found = Vec::new();
    for Row { cells, separator } in rows(line) {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let schemes: Vec<_> = cells.iter().enumerate().filter(|(_, cell)| read_scheme(cell).is_ok()).collect();
        let (scheme, others, is_listed) = match schemes.as_slice() {
            [] => (DEFAULT_SCHEME, cells.clone(), separator != ' '),
            [(place, scheme)] => {
                let others = [&cells[..*place], &cells[place + 1..]].concat();
                (read_scheme(scheme).unwrap_or(DEFAULT_SCHEME), others, separator != ' ' || *place == 0)
            }
            _ => continue,
        };
        read_cells(scheme, &others, is_listed, &mut found);
    }
    found
}

/// Why a line whose first cell is a host is not an endpoint; `None` for any other line.
pub(super) fn rejection_of(line: &str) -> Option<EndpointError> {
    let rows = rows(line);
    let row = rows.iter().find(|row| read_host(&row.cells[0]).is_ok_and(is_clearly_host))?;
    read_port(&row.cells[1]).err()
}

/// Whether the line has an address, but also words that may or may not belong to it.
pub(super) fn has_words_beside_an_address(line: &str) -> bool {
    rows(line).iter().any(|Row { cells, .. }| {
        let is_address = |cell: &String| read_whole(cell).is_some();
        let is_pair = |pair: &[String]| host_and_port(&pair[0], &pair[1]).is_ok_and(|(host, _)| is_clearly_host(host));
        cells.iter().any(is_address) || cells.windows(2).any(is_pair)
    })
}

/// The cells of the line, split by each separator that gives at least two.
fn rows(line: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for separator in SEPARATORS {
        if !line.contains(separator) {
            continue;
        }
        let Some(mut cells) = split_row(line, separator) else { continue };
        match separator {
            ' ' => cells.retain(|cell| !cell.is_empty()),
            ',' => cells.iter_mut().for_each(|cell| *cell = disarm(cell).to_owned()),
            _ => {}
        }
        if cells.len() > 1 {
            rows.push(Row { cells, separator });
        }
    }
    rows
}

fn read_cells(scheme: &str, cells: &[&str], is_listed: bool, found: &mut Vec<Endpoint>) {
    let words = |user, password| may_be_credentials(user, password, is_listed).then_some((user, password));
    match *cells {
        [whole] => found.extend(read_whole(whole).map(|read| Endpoint { scheme: scheme.to_owned(), ..read })),
        [first, second] => {
            push(scheme, host_and_port(first, second).ok(), Some(("", "")), found);
            push(scheme, read_address(first).ok(), glued(second), found);
            push(scheme, read_address(second).ok(), glued(first), found);
        }
        [first, second, third] => {
            push(scheme, read_address(first).ok(), words(second, third), found);
            push(scheme, read_address(third).ok(), words(first, second), found);
            push(scheme, host_and_port(first, second).ok(), glued(third), found);
        }
        [first, second, third, fourth] => {
            push(scheme, host_and_port(first, second).ok(), words(third, fourth), found);
            push(scheme, host_and_port(third, fourth).ok(), words(first, second), found);
        }
        _ => {}
    }
}

/// An endpoint of parts separated by colons or `@`, with a host that cannot be mistaken for a user name.
fn read_whole(cell: &str) -> Option<Endpoint> {
    let readings = [read_host_first(cell), read_user_first(cell), read_at(cell), read_host_at(cell)];
    let mut readings = readings.into_iter().flatten().filter(|read| is_clearly_host(&read.host));
    let first = readings.next()?;
    readings.all(|other| other == first).then_some(first)
}

fn host_and_port<'l>(host: &'l str, port: &str) -> Result<(&'l str, u16), EndpointError> {
    Ok((read_host(host)?, read_port(port)?))
}

/// `user:pass`, unless it may be a time or other remark.
fn glued(pair: &str) -> Option<(&str, &str)> {
    let (user, password) = read_pair(pair).ok()?;
    let is_short_number = |text: &str| text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = is_short_number(user) && is_short_number(password);
    (!is_time && !is_remark(user) && !is_remark(password)).then_some((user, password))
}

/// Whether two separate words can only be a user name and a password. In columns, two capitalised words may be a name; between blanks, any
/// two words may be.
fn may_be_credentials(user: &str, password: &str, is_listed: bool) -> bool {
    if user.is_empty() && password.is_empty() {
        return true;
    }
    let is_word = |text: &str| text.chars().all(char::is_alphabetic);
    let is_capitalised = |text: &str| text.starts_with(char::is_uppercase);
    let may_be_prose = if is_listed {
        is_word(user) && is_word(password) && is_capitalised(user) && is_capitalised(password)
    } else {
        is_word(user) && (is_word(password) || password.chars().count() < 4)
    };
    !may_be_prose && !is_remark(user) && !is_remark(password)
}

/// Adds an endpoint if all its parts could be parsed, and it has both user name and password or neither.
fn push(scheme: &str, address: Option<(&str, u16)>, pair: Option<(&str, &str)>, found: &mut Vec<Endpoint>) {
    if let (Some((host, port)), Some((user, password))) = (address, pair)
        && is_clearly_host(host)
        && user.is_empty() == password.is_empty()
    {
        found.push(endpoint(scheme, host, port, user, password));
    }
}
