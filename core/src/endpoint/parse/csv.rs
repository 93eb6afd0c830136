//! Rows of CSV, with or without a header that names the columns.
use crate::csv::{SEPARATORS, disarm, split_row};
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::names::{HOST_NAMES, PASSWORD_NAMES, PORT_NAMES, SCHEME_NAMES, USER_NAMES, is_one_of};
use crate::endpoint::parse::parts::{DEFAULT_SCHEME, checked, endpoint, read_host, read_port, read_scheme};
use crate::endpoint::parse::remarks::is_remark;
use crate::endpoint::types::Endpoint;

/// The column of each part in CSV.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    host: usize,
    port: usize,
    user_name: Option<usize>,
    password: Option<usize>,
    scheme: Option<usize>,
    separator: char,
}

impl Columns {
    /// Whether this line is a row with these columns.
    pub(super) fn fit(&self, line: &str) -> bool {
        line.contains(self.separator)
    }
}

impl Default for Columns {
    fn default() -> Columns {
        Columns { host: 0, port: 1, user_name: Some(2), password: Some(3), scheme: Some(4), separator: ',' }
    }
}

/// The columns named by a CSV header; `None` if the line is not a header.
pub(super) fn read_header(line: &str) -> Option<Columns> {
    SEPARATORS.into_iter().find_map(|separator| read_header_with(line, separator))
}

fn read_header_with(line: &str, separator: char) -> Option<Columns> {
    let cells = split_row(line, separator)?;
    let find = |names: &[&str]| cells.iter().position(|cell| is_one_of(cell, names));
    Some(Columns {
        host: find(HOST_NAMES)?,
        port: find(PORT_NAMES)?,
        user_name: find(USER_NAMES),
        password: find(PASSWORD_NAMES),
        scheme: find(SCHEME_NAMES),
        separator,
    })
}

/// Whether a row without a header has the columns in which lists are written, and nothing that may be a remark.
pub(super) fn is_plain_row(line: &str) -> bool {
    let Some(cells) = split_row(line, ',') else { return false };
    let scheme = cells.get(4).map_or("", |cell| cell.trim());
    matches!(cells.len(), 2 | 4 | 5)
        && (scheme.is_empty() || read_scheme(scheme).is_ok())
        && !cells[2..].iter().take(2).any(|cell| !cell.is_empty() && is_remark(disarm(cell)))
}

pub(super) fn read_row(line: &str, columns: &Columns) -> Result<Endpoint, EndpointError> {
    let cells = split_row(line, columns.separator).ok_or(EndpointError::Csv)?;
    if cells.len() < 2 {
        return Err(EndpointError::Csv);
    }
    let cell = |column: Option<usize>| column.and_then(|column| cells.get(column)).map_or("", |cell| disarm(cell));
    let scheme = match cell(columns.scheme).trim() {
        "" => DEFAULT_SCHEME,
        named => read_scheme(named)?,
    };
    let host = read_host(cell(Some(columns.host)).trim())?;
    let port = read_port(cell(Some(columns.port)).trim())?;
    checked(endpoint(scheme, host, port, cell(columns.user_name), cell(columns.password)))
}
