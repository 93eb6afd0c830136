//! Lines of parts separated by spaces, tabs, semicolons or bars, as copied from tables and as some shops write them.
use crate::csv::split_row;
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::parts::{
    DEFAULT_SCHEME, endpoint, is_clearly_host, read_address, read_host, read_pair, read_port, read_scheme,
};
use crate::endpoint::types::Endpoint;

/// All endpoints that can be parsed from the line. The host must have a dot or a colon, or any four words would be an endpoint.
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

/// Why a line whose first cell is a host is not an endpoint; `None` for any other line.
pub(super) fn rejection_of(line: &str) -> Option<EndpointError> {
    let rows = rows(line);
    let cells = rows.iter().find(|cells| read_host(&cells[0]).is_ok_and(is_clearly_host))?;
    read_port(&cells[1]).err()
}

/// The cells of the line, split by each separator that gives at least two.
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

/// Adds an endpoint if all its parts could be parsed, and it has both user name and password or neither.
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
