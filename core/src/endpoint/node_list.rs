//! Lists of nodes.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::format::{EndpointFormat, Line, at_index, check_line};
use crate::endpoint::list::LIST_MAX;
use crate::endpoint::parse::read_port;
use crate::endpoint::writer::{Writer, read_template};
use crate::field_errors::FieldErrors;

/// One node of a list.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ListNode<'a> {
    pub scheme: &'a str,
    pub host: &'a str,
    pub port: u16,
    pub user_name: &'a str,
    pub password: &'a str,
    /// A two-letter code, for templates; may be empty.
    pub country: &'a str,
}

impl<'a> ListNode<'a> {
    /// Parses scheme, host, port, user name, password and country, separated by tabs.
    #[inline]
    fn from_row(row: &'a str) -> Result<ListNode<'a>, EndpointError> {
        let mut cells = row.split('\t');
        let mut cell = |part| cells.next().ok_or(EndpointError::Missing { part });
        let (scheme, host) = (cell(Part::Scheme)?, cell(Part::Host)?);
        let port = read_port(cell(Part::Port)?)?;
        let (user_name, password, country) = (cell(Part::User)?, cell(Part::Password)?, cell(Part::Country)?);
        match cells.next() {
            None => Ok(ListNode { scheme, host, port, user_name, password, country }),
            Some(_) => Err(EndpointError::Forbidden { part: Part::Password, character: "U+0009".into() }),
        }
    }
}

/// Builds a list of nodes. Errors are at `Nodes.{index}.{field}`, and only those of the first invalid node.
#[inline]
pub fn build_node_list(
    nodes: &[ListNode<'_>],
    format: EndpointFormat,
    template: Option<&str>,
) -> Result<String, FieldErrors> {
    write_nodes(nodes.iter().map(|node| Ok(*node)), nodes.len(), format, template)
}

/// Like `build_node_list`, with the nodes as text: a line per node, with scheme, host, port, user name, password and country (may be empty)
/// separated by tabs. Passing one string to wasm is many times faster than passing as many objects.
///
/// ```
/// use postern_core::endpoint::{EndpointFormat, build_node_list_of_rows};
/// let rows = "http\t198.18.0.7\t8080\tu1\tpw\tus\nsocks5\t198.18.0.8\t1080\tu2\tpw\t";
/// let list = build_node_list_of_rows(rows, EndpointFormat::Url, None).expect("a list");
/// assert_eq!(list, "http://u1:pw@198.18.0.7:8080\nsocks5://u2:pw@198.18.0.8:1080");
/// ```
#[inline]
pub fn build_node_list_of_rows(
    rows: &str,
    format: EndpointFormat,
    template: Option<&str>,
) -> Result<String, FieldErrors> {
    let count = rows.lines().count();
    write_nodes(rows.lines().map(ListNode::from_row), count, format, template)
}

#[inline]
fn write_nodes<'a>(
    nodes: impl Iterator<Item = Result<ListNode<'a>, EndpointError>>,
    count: usize,
    format: EndpointFormat,
    template: Option<&str>,
) -> Result<String, FieldErrors> {
    let mut errors = FieldErrors::default();
    let template = read_template(template, &mut errors);
    if count > LIST_MAX as usize {
        errors.push("Nodes", EndpointError::Count { max: LIST_MAX }.into());
    }
    errors.into_result(())?;
    let format_of_line = template.is_none().then_some(format);
    // A little more than the average line.
    let mut writer = Writer::new(format, template, None, count.saturating_mul(96));
    for (index, node) in nodes.enumerate() {
        let checked = node.and_then(|ListNode { scheme, host, port, user_name, password, country }| {
            let line = Line { scheme, host, port, user_name, password };
            check_line(line, format_of_line).map(|()| (line, country))
        });
        let (line, country) = checked.map_err(|error| at_index("Nodes", index, error))?;
        writer.push(line, country, "").map_err(|error| error.at(Part::Template.field()))?;
    }
    Ok(writer.finish())
}

#[cfg(test)]
mod tests {
    use super::super::{Endpoint, format_endpoints};
    use super::*;

    #[test]
    fn nodes_are_formatted_like_endpoints() {
        let node = |host: &'static str, password: &'static str| ListNode {
            scheme: "http",
            host,
            port: 8_080,
            user_name: "u1",
            password,
            country: "US",
        };
        let nodes = [node("198.18.0.1", "p1"), node("2001:db8::1", "p2")];
        for format in EndpointFormat::ALL.iter().copied() {
            let endpoints: Vec<_> = nodes
                .iter()
                .map(|node| Endpoint {
                    scheme: node.scheme.to_string(),
                    host: node.host.to_string(),
                    port: node.port,
                    user_name: node.user_name.to_string(),
                    password: node.password.to_string(),
                })
                .collect();
            assert_eq!(build_node_list(&nodes, format, None), format_endpoints(&endpoints, format, None));
            let rows = "http\t198.18.0.1\t8080\tu1\tp1\tus\nhttp\t2001:db8::1\t8080\tu1\tp2\t\n";
            assert_eq!(build_node_list_of_rows(rows, format, None), format_endpoints(&endpoints, format, None));
        }
        let templated = build_node_list(&nodes, EndpointFormat::Url, Some("{country}|{host}|{session}"));
        assert_eq!(templated.expect("a list"), "us|198.18.0.1|\nus|2001:db8::1|");
        let errors =
            build_node_list(&[node("198.18.0.1", "a:b")], EndpointFormat::HostPortUserPass, None).expect_err("errors");
        assert!(errors.0.contains_key("Nodes.0.Password"));
        for (row, field) in [
            ("http", "Nodes.0.Host"),
            ("http\t198.18.0.1\t0\tu\tp\t", "Nodes.0.Port"),
            ("http\t198.18.0.1\t80\tu\tp\t\t", "Nodes.0.Password"),
            ("http\t198.18.0.1\t80\tu\tp\t\n\n", "Nodes.1.Host"),
        ] {
            let errors = build_node_list_of_rows(row, EndpointFormat::Url, None).expect_err("errors");
            assert!(errors.0.contains_key(field), "{row:?} {errors:?}");
        }
        let many = "http\t198.18.0.1\t80\tu\tp\t\n".repeat(LIST_MAX as usize + 1);
        let errors = build_node_list_of_rows(&many, EndpointFormat::Url, None).expect_err("errors");
        assert!(errors.0.contains_key("Nodes"));
        let errors = build_node_list(&nodes, EndpointFormat::Url, Some("{")).expect_err("errors");
        assert!(errors.0.contains_key("Template"));
        let long = build_node_list(&nodes, EndpointFormat::Url, Some(&"{host}".repeat(166))).expect_err("errors");
        assert_eq!(long.0["Template"][0].rule.as_str(), "endpointLine");
    }
}
