//! Lines of parts with blanks, tabs, semicolons or bars between them: as tables are copied, and as some shops write.
use crate::csv::split_row;
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::parts::{
    DEFAULT_SCHEME, endpoint, is_clearly_host, read_address, read_host, read_pair, read_port, read_scheme,
};
use crate::endpoint::types::Endpoint;

/// Every endpoint that can be read from the line. Its host has a dot or a colon: any four words would be one otherwise.
pub(super) fn read_separated(line: &str) -> Vec<Endpoint> {
    let mut found = Vec::new();
    for cells in rows(line) {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let last = cells.len() - 1;
        read_cells(DEFAULT_SCHEME, &cells, &mut found);
        for (scheme, others) in [(cells[0], &cells[1..]), (cells[last], &cells[..last])] {
            if let Ok(scheme) = read_scheme(scheme) {
                read_cells(scheme, others, &mut found);
            }
        }
    }
    found
}

/// Why a line whose first cell is a host gives no endpoint; `None` for any other line.
pub(super) fn rejection_of(line: &str) -> Option<EndpointError> {
    let rows = rows(line);
    let cells = rows.iter().find(|cells| read_host(&cells[0]).is_ok_and(is_clearly_host))?;
    read_port(&cells[1]).err()
}

/// The cells of the line, of which there are two at least, by each separator that it has.
fn rows(line: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for separator in [' ', '\t', ';', '|'] {
        let Some(mut cells) = split_row(line, separator) else { continue };
        if separator == ' ' {
            cells.retain(|cell| !cell.is_empty());
        }
        if cells.len() > 1 {
            rows.push(cells);
        }
    }
    rows
}

fn read_cells(scheme: &str, cells: &[&str], found: &mut Vec<Endpoint>) {
    match *cells {
        [address] => push(scheme, read_address(address), Ok(("", "")), found),
        [first, second] => {
            push(scheme, host_and_port(first, second), Ok(("", "")), found);
            push(scheme, read_address(first), read_pair(second), found);
            push(scheme, read_address(second), read_pair(first), found);
        }
        [first, second, third] => {
            push(scheme, read_address(first), Ok((second, third)), found);
            push(scheme, read_address(third), Ok((first, second)), found);
        }
        [first, second, third, fourth] => {
            push(scheme, host_and_port(first, second), Ok((third, fourth)), found);
            push(scheme, host_and_port(third, fourth), Ok((first, second)), found);
        }
        _ => {}
    }
}

fn host_and_port<'l>(host: &'l str, port: &str) -> Result<(&'l str, u16), EndpointError> {
    Ok((read_host(host)?, read_port(port)?))
}

/// Adds an endpoint of which all parts could be read, with a user name and a password or neither.
fn push(
    scheme: &str,
    address: Result<(&str, u16), EndpointError>,
    pair: Result<(&str, &str), EndpointError>,
    found: &mut Vec<Endpoint>,
) {
    if let (Ok((host, port)), Ok((user, password))) = (address, pair)
        && is_clearly_host(host)
        && user.is_empty() == password.is_empty()
    {
        found.push(endpoint(scheme, host, port, user, password));
    }
}
