//! Parses rows of CSV (RFC 4180), from files and pasted lines.

/// Cell separators: the comma, and those that spreadsheets use where the comma is the decimal separator.
pub(crate) const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// Splits a row of CSV (RFC 4180) into cells, and trims unquoted ones. `None` if a quote is not closed, or text follows it within the cell.
pub(crate) fn split_row(line: &str, separator: char) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let after = match rest.strip_prefix('"') {
            Some(quoted) => {
                let mut cell = String::new();
                let mut quoted = quoted;
                loop {
                    let (text, next) = quoted.split_once('"')?;
                    cell.push_str(text);
                    match next.strip_prefix('"') {
                        Some(doubled) => {
                            cell.push('"');
                            quoted = doubled;
                        }
                        None => {
                            cells.push(cell);
                            break next;
                        }
                    }
                }
            }
            None => {
                let end = rest.find(separator).unwrap_or(rest.len());
                let cell = &rest[..end];
                if cell.contains('"') {
                    return None;
                }
                cells.push(cell.trim().to_owned());
                &rest[end..]
            }
        };
        match after.strip_prefix(separator) {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(cells),
            None => return None,
        }
    }
}
