//! CSV (RFC 4180): one reader for all uploaded files, one writer for all exported ones.
use crate::field_errors::Broken;
use crate::rule::Rule;

/// Cell separators: the comma, and those that spreadsheets use where the comma is the decimal separator.
pub(crate) const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// Spreadsheets treat a cell that begins with one of these as a formula.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The maximum number of lines in one row, whose cells may contain line breaks in quotes.
const ROW_LINES_MAX: u32 = 20;

/// The columns of a kind of file.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// All columns that a file may have. Their names are found regardless of case, blanks and underscores.
    pub known: &'static [&'static str],
    /// Those that it must have.
    pub required: &'static [&'static str],
}

/// A row after the header.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Row {
    /// The line of the file on which it begins, counted from 1, with empty ones.
    pub line: u32,
    /// The cells of the known columns, in their order.
    cells: Vec<String>,
    separator: char,
}

impl Row {
    /// The trimmed cell of a known column; empty if the file does not have the column.
    pub fn cell(&self, columns: &Columns, name: &str) -> &str {
        let place = columns.known.iter().position(|known| *known == name);
        place.and_then(|place| self.cells.get(place)).map_or("", |cell| cell.as_str())
    }

    /// A number in the cell, with a decimal point. Where another character separates cells, the comma may be the decimal separator.
    pub fn number(&self, columns: &Columns, name: &str) -> String {
        let cell = self.cell(columns, name);
        if self.separator == ',' { cell.to_owned() } else { cell.replacen(',', ".", 1) }
    }
}

/// Why a line is not a row of the file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CsvError {
    /// Counted from 1.
    pub line: u32,
    /// Whether the line should name the columns, so that no row can be read.
    pub is_header: bool,
    pub broken: Broken,
}

/// Reads a file line by line: separated by commas, semicolons, tabs or bars, as the header tells or a line before it such as `sep=;`. Empty
/// lines, and rows of separators only, are skipped.
pub struct CsvReader {
    columns: Columns,
    line: u32,
    /// The separator named before the header.
    separator: Option<char>,
    header: Header,
    /// A row whose quotes are not closed yet, and its first line.
    open: Option<(u32, String)>,
}

enum Header {
    Awaited,
    /// The separator, and the known column of each place; `None` for a column without a name.
    Read(char, Vec<Option<usize>>),
    Wrong,
}

impl CsvReader {
    pub fn new(columns: Columns) -> CsvReader {
        CsvReader { columns, line: 0, separator: None, header: Header::Awaited, open: None }
    }

    /// Takes the next line of the file, without its end, and returns the row that it completes, if any.
    pub fn read(&mut self, line: &str) -> Option<Result<Row, CsvError>> {
        self.line += 1;
        let line = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
        let line = line.trim_end_matches(['\r', '\n']);
        let (begun, text) = match self.open.take() {
            Some((begun, mut text)) => {
                text.push('\n');
                text.push_str(line);
                (begun, text)
            }
            None if line.trim().is_empty() => return None,
            None => (self.line, line.to_owned()),
        };
        let is_open = text.matches('"').count() % 2 == 1;
        if is_open && self.line - begun < ROW_LINES_MAX {
            self.open = Some((begun, text));
            return None;
        }
        self.take(begun, &text)
    }

    /// The row that the end of the file completes, or the error of a file without a header.
    pub fn finish(&mut self) -> Option<Result<Row, CsvError>> {
        match self.open.take() {
            Some((begun, text)) => self.take(begun, &text),
            None if matches!(self.header, Header::Awaited) => Some(Err(self.wrong_header(1, self.missing()))),
            None => None,
        }
    }

    fn take(&mut self, line: u32, text: &str) -> Option<Result<Row, CsvError>> {
        let (separator, places) = match &self.header {
            Header::Wrong => return None,
            Header::Awaited => return self.take_header(line, text).err().map(Err),
            Header::Read(separator, places) => (*separator, places),
        };
        let error = || CsvError { line, is_header: false, broken: Broken::new(Rule::CsvRow, &[]) };
        let Some(mut found) = split_row(text, separator) else { return Some(Err(error())) };
        if found.iter().all(|cell| cell.is_empty()) {
            return None;
        }
        let is_beyond = |place: usize| places.get(place).is_none_or(Option::is_none);
        if found.iter().enumerate().any(|(place, cell)| !cell.is_empty() && is_beyond(place)) {
            return Some(Err(error()));
        }
        let mut cells = vec![String::new(); self.columns.known.len()];
        for (found, column) in found.iter_mut().zip(places) {
            if let Some(column) = column {
                let cell = std::mem::take(found);
                cells[*column] = disarm(&cell).trim().to_owned();
            }
        }
        Some(Ok(Row { line, cells, separator }))
    }

    fn take_header(&mut self, line: u32, text: &str) -> Result<(), CsvError> {
        if self.separator.is_none()
            && let Some(separator) = separator_named(text)
        {
            self.separator = Some(separator);
            return Ok(());
        }
        let known = self.columns.known;
        let place_of = |name: &str| known.iter().position(|known| is_same_name(known, name));
        let candidates = self.separator.map_or(SEPARATORS.to_vec(), |separator| vec![separator]);
        let split = candidates.into_iter().filter_map(|separator| Some((separator, split_row(text, separator)?)));
        let best = split.max_by_key(|(separator, cells)| {
            // Of equal ones the comma.
            (cells.iter().filter(|cell| place_of(cell).is_some()).count(), *separator == ',')
        });
        let Some((separator, names)) = best.filter(|(_, names)| names.iter().any(|name| place_of(name).is_some()))
        else {
            return Err(self.wrong_header(line, self.missing()));
        };
        let unknown: Vec<&str> =
            names.iter().map(|name| name.trim()).filter(|name| !name.is_empty() && place_of(name).is_none()).collect();
        if !unknown.is_empty() {
            let params = [("Value", unknown.join(", ")), ("Columns", known.join(", "))];
            return Err(self.wrong_header(line, Broken::new(Rule::CsvColumn, &params)));
        }
        let places: Vec<Option<usize>> = names.iter().map(|name| place_of(name)).collect();
        let repeated =
            (1..places.len()).find(|index| places[*index].is_some() && places[..*index].contains(&places[*index]));
        if let Some(index) = repeated {
            let params = [("Value", names[index].trim().to_owned())];
            return Err(self.wrong_header(line, Broken::new(Rule::CsvColumnRepeated, &params)));
        }
        if self.columns.required.iter().any(|name| !places.contains(&place_of(name))) {
            return Err(self.wrong_header(line, self.missing()));
        }
        self.header = Header::Read(separator, places);
        Ok(())
    }

    fn missing(&self) -> Broken {
        Broken::new(Rule::CsvHeader, &[("Columns", self.columns.required.join(", "))])
    }

    fn wrong_header(&mut self, line: u32, broken: Broken) -> CsvError {
        self.header = Header::Wrong;
        CsvError { line, is_header: true, broken }
    }
}

/// The lines of a text, which end in `\n`, `\r\n` or `\r`.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// Whether a header names this column, in its spelling.
fn is_same_name(column: &str, name: &str) -> bool {
    let letters = |text: &'_ str| {
        text.trim()
            .chars()
            .filter(|letter| !matches!(letter, ' ' | '_' | '-'))
            .map(|letter| letter.to_ascii_lowercase())
            .collect::<String>()
    };
    letters(column) == letters(name)
}

/// Whether this is the line by which Excel names the separator: `sep=;`.
pub(crate) fn is_separator_line(line: &str) -> bool {
    separator_named(line).is_some()
}

/// The separator that a line such as `sep=;` names.
fn separator_named(line: &str) -> Option<char> {
    let (name, separator) = line.trim_matches('"').split_once('=')?;
    let mut letters = separator.chars();
    let separator = letters.next()?;
    (name.trim().eq_ignore_ascii_case("sep") && letters.next().is_none()).then_some(separator)
}

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

/// The beginning of a file for spreadsheets: the mark by which Excel recognises UTF-8, and the header.
pub fn begin_file<T: AsRef<str>>(columns: &[T]) -> String {
    let mut out = String::from('\u{feff}');
    push_row(&mut out, columns);
    out
}

/// Appends a row.
pub fn push_row<T: AsRef<str>>(out: &mut String, cells: &[T]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push_cell(out, cell.as_ref());
    }
    out.push_str("\r\n");
}

/// Writes a cell. A leading apostrophe stops spreadsheets from evaluating it as a formula; a cell that already begins with an apostrophe
/// gets another one, so that a reader can remove exactly one.
#[inline]
pub fn push_cell(out: &mut String, text: &str) {
    let is_armed = text.starts_with(FORMULA_STARTS) || text.starts_with('\'');
    let is_quoted = text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
        || text.starts_with(char::is_whitespace)
        || text.ends_with(char::is_whitespace);
    if is_quoted {
        out.push('"');
    }
    if is_armed {
        out.push('\'');
    }
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            out.push_str("\"\"");
        }
        out.push_str(part);
    }
    if is_quoted {
        out.push('"');
    }
}

/// Removes the apostrophe that `push_cell` adds.
pub(crate) fn disarm(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(FORMULA_STARTS) || rest.starts_with('\'') => rest,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: Columns = Columns { known: &["name", "limit_gb", "note"], required: &["name"] };

    /// Rows as `line: cells`, errors as `line! rule`.
    fn read(text: &str) -> Vec<String> {
        let mut reader = CsvReader::new(COLUMNS);
        let mut found: Vec<_> = lines(text).filter_map(|line| reader.read(line)).collect();
        found.extend(reader.finish());
        let shown = |one: Result<Row, CsvError>| match one {
            Ok(row) => format!("{}: {}", row.line, row.cells.join("|")),
            Err(error) => {
                let params: Vec<_> = error.broken.params.values().map(String::as_str).collect();
                format!("{}! {} {}", error.line, error.broken.rule, params.join(" ")).trim_end().to_owned()
            }
        };
        found.into_iter().map(shown).collect()
    }

    #[test]
    fn rows_are_read_from_the_files_of_every_spreadsheet() {
        for (text, rows) in [
            ("name,note\nann,x", vec!["2: ann||x"]),
            ("name,note\r\nann,x\r\nbob,y\r\n", vec!["2: ann||x", "3: bob||y"]),
            ("name,note\rann,x\rbob,y", vec!["2: ann||x", "3: bob||y"]),
            ("\u{feff}name;note\n\nann;x\n\n\nbob;y", vec!["3: ann||x", "6: bob||y"]),
            ("name\tnote\nann\tx", vec!["2: ann||x"]),
            ("name|note\nann|x", vec!["2: ann||x"]),
            ("sep=;\r\nname;note\r\nann;a,b", vec!["3: ann||a,b"]),
            ("SEP=,\nname,note\nann,x", vec!["3: ann||x"]),
            ("\"sep=\t\"\nname\tnote\nann\tx", vec!["3: ann||x"]),
            ("sep=~\nname~note\nann~x", vec!["3: ann||x"]),
            ("name,note\n,,\n , \nann,x\n,", vec!["4: ann||x"]),
            ("name,note,\nann,x,\nbob,y,,,", vec!["2: ann||x", "3: bob||y"]),
            ("Note, Limit GB ,NAME\nx,5,ann", vec!["2: ann|5|x"]),
            ("name\nann", vec!["2: ann||"]),
            ("\"name\",\"note\"\n\"ann\",\"a \"\"b\"\", c\"", vec!["2: ann||a \"b\", c"]),
            ("name,note\nann,\"a\nb\"\nbob,y", vec!["2: ann||a\nb", "4: bob||y"]),
            ("name,note\nann,'=x\nbob,''y\neve,'z", vec!["2: ann||=x", "3: bob||'y", "4: eve||'z"]),
            ("name;note\nann", vec!["2: ann||"]),
            ("\n\nname\n\nann\n", vec!["5: ann||"]),
        ] {
            assert_eq!(read(text), rows, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_a_row_is_named_with_its_line() {
        for (text, rows) in [
            ("", vec!["1! csvHeader name"]),
            ("sep=;", vec!["1! csvHeader name"]),
            ("\na,b\nx,y", vec!["2! csvHeader name"]),
            ("note\nx", vec!["1! csvHeader name"]),
            ("name,limit\nann,5", vec!["1! csvColumn name, limit_gb, note limit"]),
            ("sep=;\nname;colour;limit\nann", vec!["2! csvColumn name, limit_gb, note colour, limit"]),
            ("name,Name\nann,bob", vec!["1! csvColumnRepeated Name"]),
            ("name,note\nann,x,y\nbob,z", vec!["2! csvRow", "3: bob||z"]),
            ("name,\nann,x", vec!["2! csvRow"]),
            ("name,note\nann,\"x\nbob,y", vec!["2! csvRow"]),
            ("name,note\nann,x\"y\"", vec!["2! csvRow"]),
            ("sep=;\nname,note\nann,x", vec!["2! csvHeader name"]),
        ] {
            assert_eq!(read(text), rows, "{text:?}");
        }
        let open = format!("name,note\nann,\"x\n{}", "bob,y\n".repeat(40));
        assert_eq!(read(&open)[..2], ["2! csvRow", "23: bob||y"]);
    }

    #[test]
    fn a_decimal_comma_is_a_point_where_it_does_not_separate_cells() {
        let number = |text: &str| {
            let mut reader = CsvReader::new(COLUMNS);
            let row = lines(text).filter_map(|line| reader.read(line)).next().expect("a row").expect("a row");
            row.number(&COLUMNS, "limit_gb")
        };
        assert_eq!(number("name;limit_gb\nann;1,5"), "1.5");
        assert_eq!(number("name,limit_gb\nann,\"1,5\""), "1,5");
        assert_eq!(number("name\nann"), "");
    }

    #[test]
    fn written_files_are_read_back() {
        let cells = ["=SUM(A1)", "-1,5", "a \"b\"\r\n c"];
        let mut out = begin_file(&["Name", "Limit GB", "Note"]);
        push_row(&mut out, &cells);
        assert!(out.starts_with("\u{feff}Name,Limit GB,Note\r\n'=SUM(A1),\"'-1,5\","));
        assert_eq!(read(&out), ["2: =SUM(A1)|-1,5|a \"b\"\n c"]);
    }

    #[test]
    fn a_cell_may_contain_characters_that_passwords_may_not() {
        for (text, cell) in [("a\nb", "\"a\nb\""), ("\t=1", "\"'\t=1\""), ("纽约", "纽约")] {
            let mut out = String::new();
            push_cell(&mut out, text);
            assert_eq!(out, cell);
            assert_eq!(disarm(out.trim_matches('"')), text);
        }
    }
}
