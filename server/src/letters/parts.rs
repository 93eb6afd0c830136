//! Parses a mail's text into parts. This happens before placeholders are filled, so that customer input never becomes a link or a button.

/// Placeholders for our URLs; others begin with `PublicUrl`.
const LINKS: [&str; 2] = ["{{Link}}", "{{WalletLink}}"];

#[derive(Debug, PartialEq)]
pub enum Part<'a> {
    /// A paragraph.
    Text(&'a str),
    /// Labels and their values; a value of several lines has no label.
    Facts(Vec<(&'a str, &'a str)>),
    /// A placeholder on a line of its own: a list of addresses, or free text.
    Lines(&'a str),
    /// One of our URLs.
    Link(&'a str),
}

pub fn parts(text: &str) -> Vec<Part<'_>> {
    text.split("\n\n").flat_map(parts_of_block).collect()
}

fn parts_of_block(block: &str) -> Vec<Part<'_>> {
    if let Some(facts) = facts(block) {
        return vec![Part::Facts(facts)];
    }
    block.lines().map(part_of_line).collect()
}

fn part_of_line(line: &str) -> Part<'_> {
    match line {
        _ if is_link(line) => Part::Link(line),
        _ if is_placeholder(line) => Part::Lines(line),
        _ => Part::Text(line),
    }
}

/// The labels and values of a block that consists of more than one.
fn facts(block: &str) -> Option<Vec<(&str, &str)>> {
    let fact = |line| match part_of_line(line) {
        Part::Lines(values) => Some(("", values)),
        Part::Text(line) => labelled(line),
        _ => None,
    };
    let facts: Vec<_> = block.lines().map(fact).collect::<Option<_>>()?;
    (facts.len() > 1 && !facts[0].0.is_empty()).then_some(facts)
}

fn labelled(line: &str) -> Option<(&str, &str)> {
    let (label, value) = line.split_once(": ").or_else(|| line.split_once('：'))?;
    (!value.is_empty()).then_some((label, value))
}

fn is_link(line: &str) -> bool {
    LINKS.contains(&line) || line.starts_with("{{PublicUrl}}/")
}

fn is_placeholder(line: &str) -> bool {
    let name = line.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
    name.is_some_and(|name| !name.contains('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_into_paragraphs_facts_lists_and_links() {
        for colon in [": ", "："] {
            let text = format!(
                "Thanks, {{{{Name}}}}.\n\nOrder{colon}{{{{Number}}}}\n{{{{Places}}}}\nTotal{colon}{{{{Total}}}}\n\nThese:\n{{{{Ips}}}}\n\nHere:\n{{{{PublicUrl}}}}/order?OrderId={{{{OrderId}}}}"
            );
            let expected = vec![
                Part::Text("Thanks, {{Name}}."),
                Part::Facts(vec![("Order", "{{Number}}"), ("", "{{Places}}"), ("Total", "{{Total}}")]),
                Part::Text("These:"),
                Part::Lines("{{Ips}}"),
                Part::Text("Here:"),
                Part::Link("{{PublicUrl}}/order?OrderId={{OrderId}}"),
            ];
            assert_eq!(parts(&text), expected);
        }
        assert_eq!(parts("Reason: {{Reason}}"), [Part::Text("Reason: {{Reason}}")], "one is no table");
        assert_eq!(parts("Do it now: here\n{{Link}}"), [Part::Text("Do it now: here"), Part::Link("{{Link}}")]);
    }
}
