//! Lines of parts with blanks, tabs, semicolons or bars between them: as tables are copied, and as some shops write.
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::csv::split_row;
use crate::endpoint::parse::parts::{
    DEFAULT_SCHEME, endpoint, is_clearly_host, read_address, read_host, read_pair, read_port, read_scheme,
};
use crate::endpoint::types::Endpoint;

/// Every endpoint that can be read from the line. Its host has a dot or a colon: any four words would be one otherwise.
pub(super) fn read_separated(line: &str) -> Vec<Endpoint> {
    let rows = rows(line);
    let read = rows.iter().flat_map(|cells| {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let with_scheme = [cells.split_first(), cells.split_last()].into_iter().flatten();
        let named = with_scheme.filter_map(|(scheme, cells)| Some((read_scheme(scheme).ok()?, cells.to_vec())));
        let all = named.chain([(DEFAULT_SCHEME, cells.clone())]).collect::<Vec<_>>();
        all.into_iter().flat_map(|(scheme, cells)| read_cells(scheme, &cells))
    });
    read.filter(|endpoint| is_clearly_host(&endpoint.host)).collect()
}

/// Why a line whose first cell is a host gives no endpoint; `None` for any other line.
pub(super) fn why_not(line: &str) -> Option<EndpointError> {
    let rows = rows(line);
    let cells = rows.iter().find(|cells| read_host(&cells[0]).is_ok_and(is_clearly_host))?;
    read_port(&cells[1]).err()
}

fn rows(line: &str) -> Vec<Vec<String>> {
    let blanks = || Some(line.split_whitespace().map(str::to_owned).collect());
    let by = |separator| line.contains(separator).then(|| split_row(line, separator)).flatten();
    let rows = [by('\t'), by(';'), by('|'), blanks()];
    rows.into_iter().flatten().filter(|cells: &Vec<String>| cells.len() > 1).collect()
}

fn read_cells(scheme: &str, cells: &[&str]) -> Vec<Endpoint> {
    let of = |host, port, user, password| {
        let (host, port) = (read_host(host).ok()?, read_port(port).ok()?);
        let is_whole = (user, password) == ("", "") || (user != "" && password != "");
        is_whole.then(|| endpoint(scheme, host, port, user, password))
    };
    let at = |address, user, password| {
        let (host, port) = read_address(address).ok()?;
        Some(endpoint(scheme, host, port, user, password))
    };
    let beside = |address, pair| {
        let (user, password) = read_pair(pair).ok()?;
        at(address, user, password)
    };
    let read = match *cells {
        [address] => [at(address, "", ""), None, None],
        [first, second] => [of(first, second, "", ""), beside(first, second), beside(second, first)],
        [first, second, third] => [at(first, second, third), at(third, first, second), None],
        [first, second, third, fourth] => [of(first, second, third, fourth), of(third, fourth, first, second), None],
        _ => [None, None, None],
    };
    read.into_iter().flatten().collect()
}
