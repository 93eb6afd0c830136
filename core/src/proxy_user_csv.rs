//! Import and export of proxy users as CSV.
use crate::csv::{Columns, CsvReader, Row, lines};
use crate::field_errors::FieldErrors;
use crate::proxy_user::LimitCycle;
use crate::proxy_user_form::{MAX_PROXY_USERS, ProxyUser, ProxyUserForm, validate_proxy_user};
use crate::rule::Rule;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

/// The columns of an exported file. An imported file needs only `name`; columns may be in any order, and `state` and `used_gb` are ignored.
pub const COLUMNS: [&str; 11] = [
    "name",
    "password",
    "note",
    "limit_gb",
    "limit_cycle",
    "expires_at",
    "countries",
    "max_connections",
    "max_megabits",
    "state",
    "used_gb",
];

const FILE: Columns = Columns { known: &COLUMNS, required: &["name"] };

/// The maximum length of an imported file, in characters.
pub const CSV_MAX_LENGTH: usize = 200_000;

/// The maximum number of lines whose errors are reported.
const MAX_WRONG_LINES: usize = 100;

/// A proxy user in one line of a file.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUserLine {
    /// Counted from 1, including the header.
    pub line: u32,
    pub form: ProxyUserForm,
}

/// Parses the lines of a file without validating them. Errors of the whole file are at the field `Csv`, those of a line at
/// `Lines.{line}.{Field}`.
pub fn read_proxy_user_lines(csv: &str) -> Result<Vec<ProxyUserLine>, FieldErrors> {
    if csv.len() > CSV_MAX_LENGTH && csv.chars().count() > CSV_MAX_LENGTH {
        return Err(FieldErrors::one("Csv", Rule::MaxLength, &[("Max", CSV_MAX_LENGTH.to_string())]));
    }
    let mut reader = CsvReader::new(FILE);
    let mut rows: Vec<_> = lines(csv).filter_map(|line| reader.read(line)).collect();
    rows.extend(reader.finish());
    let mut errors = FieldErrors::default();
    let mut found = Vec::new();
    for row in rows {
        if found.len() == MAX_PROXY_USERS as usize {
            return Err(FieldErrors::one("Csv", Rule::TooManyProxyUsers, &[("Max", MAX_PROXY_USERS.to_string())]));
        }
        if errors.0.len() == MAX_WRONG_LINES {
            break;
        }
        match row {
            Ok(row) => match form_of(&row) {
                Some(form) => found.push(ProxyUserLine { line: row.line, form }),
                None => errors.add(&format!("Lines.{}.LimitCycle", row.line), Rule::UnknownCycle, &[]),
            },
            Err(error) if error.is_header => errors.push("Csv", error.broken),
            Err(error) => errors.push(&format!("Lines.{}.Csv", error.line), error.broken),
        }
    }
    if found.is_empty() && errors.is_empty() {
        errors.add("Csv", Rule::Required, &[]);
    }
    errors.into_result(found)
}

/// Parses and validates a file at `now`, in UTC; a single invalid line fails the whole file. Two lines with the same name are an error.
/// Only the server can check that the names are unused.
pub fn read_proxy_users(csv: &str, now: NaiveDateTime) -> Result<Vec<(u32, ProxyUser)>, FieldErrors> {
    let mut errors = FieldErrors::default();
    let mut users: Vec<(u32, ProxyUser)> = Vec::new();
    for ProxyUserLine { line, form } in read_proxy_user_lines(csv)? {
        if errors.0.len() >= MAX_WRONG_LINES {
            break;
        }
        match validate_proxy_user(&form, now) {
            Ok(user) if users.iter().any(|(_, other)| other.name == user.name) => {
                errors.add(&format!("Lines.{line}.Name"), Rule::NameRepeated, &[]);
            }
            Ok(user) => users.push((line, user)),
            Err(wrong) => {
                for (field, rules) in wrong.0 {
                    rules.into_iter().for_each(|broken| errors.push(&format!("Lines.{line}.{field}"), broken));
                }
            }
        }
    }
    errors.into_result(users)
}

/// The lines of a file, and all its errors: at `Csv` for the file, at `Lines.{line}.{Field}` for a line.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUserFile {
    pub lines: Vec<ProxyUserLine>,
    pub errors: FieldErrors,
}

/// Previews the import of a file at `now`, in UTC: the proxy users that it would create, or its errors.
pub fn preview_proxy_users(csv: &str, now: NaiveDateTime) -> ProxyUserFile {
    match read_proxy_user_lines(csv) {
        Ok(lines) => ProxyUserFile { lines, errors: read_proxy_users(csv, now).err().unwrap_or_default() },
        Err(errors) => ProxyUserFile { lines: Vec::new(), errors },
    }
}

/// `None` for an unknown cycle.
fn form_of(row: &Row) -> Option<ProxyUserForm> {
    let cell = |name: &str| row.cell(&FILE, name);
    let limit_cycle = match cell("limit_cycle").to_ascii_lowercase().as_str() {
        "" => LimitCycle::None,
        named => LimitCycle::from_wire(named)?,
    };
    let countries = cell("countries").split([' ', '|', ';', ',']).filter(|code| !code.is_empty());
    Some(ProxyUserForm {
        name: cell("name").to_owned(),
        password: cell("password").to_owned(),
        note: cell("note").to_owned(),
        limit_gigabytes: row.number(&FILE, "limit_gb"),
        limit_cycle,
        expires_at: cell("expires_at").to_owned(),
        countries: countries.map(str::to_owned).collect(),
        max_connections: cell("max_connections").to_owned(),
        max_megabits: cell("max_megabits").to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;
    use crate::time::from_wire;

    fn read(csv: &str) -> Result<Vec<(u32, ProxyUser)>, FieldErrors> {
        read_proxy_users(csv, from_wire("2026-11-22 12:00:00").expect("a time"))
    }

    #[test]
    fn errors_name_line_and_field() {
        let unknown = format!("Csv:csvColumn {} limit", COLUMNS.join(", "));
        for (csv, broken) in [
            ("", vec!["Csv:csvHeader name"]),
            ("a,b\nx,y", vec!["Csv:csvHeader name"]),
            ("name,limit\nscraper1,5", vec![&unknown]),
            ("name\n\n", vec!["Csv:required"]),
            ("name\nab", vec!["Lines.2.Name:minLength 4"]),
            ("name,limit_gb\nscraper1,x\n\nscraper2,1\nscraper1,1", vec!["Lines.2.LimitGigabytes:gigabytes"]),
            ("name\nscraper1\nscraper2\nscraper1", vec!["Lines.4.Name:nameRepeated"]),
            ("name,note\nscraper1,\"a", vec!["Lines.2.Csv:csvRow"]),
            ("name\nscraper1,too,many", vec!["Lines.2.Csv:csvRow"]),
            ("name;limit_cycle\nscraper1;hourly", vec!["Lines.2.LimitCycle:unknownCycle"]),
        ] {
            assert_eq!(rules(read(csv).expect_err("errors")), broken, "{csv}");
        }
        let line = |number: u32| format!("scraper{number}\n");
        let csv = "name\n".to_owned() + &(0..501).map(line).collect::<String>();
        assert_eq!(rules(read(&csv).expect_err("errors")), ["Csv:tooManyProxyUsers 500"]);
        assert_eq!(
            read(&("name\n".to_owned() + &(0..500).map(line).collect::<String>())).map(|users| users.len()),
            Ok(500)
        );
        let csv = "name\n".to_owned() + &"x\n".repeat(499);
        assert_eq!(read(&csv).expect_err("errors").0.len(), MAX_WRONG_LINES);
        assert_eq!(rules(read(&"n".repeat(CSV_MAX_LENGTH + 1)).expect_err("errors")), ["Csv:maxLength 200000"]);
    }

    #[test]
    fn columns_are_found_by_name_in_any_order_and_with_any_separator() {
        let csv = "\u{feff}Note;Name;countries;limit_gb;limit_cycle;used_gb;max_connections\r\n\"a;b\";scraper_1;us de;1.5;Month;7;20\r\n'=x;scraper_2;;;;;\r\n";
        let users = read(csv).expect("two users");
        let [(2, one), (3, two)] = users.as_slice() else { panic!("{users:?}") };
        assert_eq!((one.name.as_str(), one.note.as_str(), one.limit_bytes), ("scraper_1", "a;b", Some(1_500_000_000)));
        assert_eq!((one.limit_cycle, &one.countries), (LimitCycle::Month, &vec!["DE".to_owned(), "US".to_owned()]));
        assert_eq!((one.max_connections, two.max_connections, one.max_megabits), (Some(20), None, None));
        assert_eq!((two.note.as_str(), two.limit_bytes, two.password.as_ref()), ("=x", None, None));
    }
}
