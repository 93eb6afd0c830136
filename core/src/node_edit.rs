//! Changes of nodes by an operator, by the rules of inventory files.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::inventory::{
    ISP_MAX_LENGTH, MAX_CHANGED_NODES, SUPPLIER_MAX_LENGTH, number, port, read_cost, read_place, without_as,
};
use crate::money::Money;
use crate::rule::Rule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A change of nodes, as entered: what is empty stays as it is.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct NodeEditForm {
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub http_port: String,
    /// `0` for a node with HTTP alone.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub socks5_port: String,
    /// A country's code or name, together with `City`.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub country: String,
    /// A city's key or name.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub city: String,
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub isp: String,
    /// With or without `AS`.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub asn: String,
    /// Where the seller has it from; customers do not see it.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub supplier: String,
    /// What the seller pays for a node, per 30 days.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub cost: String,
    /// The use cases that the nodes are good for from now on, besides those that they were good for.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub add_targets: Vec<String>,
    /// The use cases that the nodes are no longer good for.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub remove_targets: Vec<String>,
}

/// A validated change of nodes; `None` stays as it is.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct NodeEdit {
    pub http_port: Option<u16>,
    /// `Some(None)` for HTTP alone.
    pub socks5_port: Option<Option<u16>>,
    /// Keys of the country and the city.
    pub place: Option<(&'static str, &'static str)>,
    pub isp: Option<String>,
    pub asn: Option<u32>,
    pub supplier: Option<String>,
    pub cost: Option<Money>,
    pub add_targets: BTreeSet<String>,
    pub remove_targets: BTreeSet<String>,
}

/// The maximum number of changes of use cases in one call, over all nodes: each changes a count of the stock, and nobody can buy meanwhile.
pub const MAX_TARGET_CHANGES: usize = 3_000;

impl NodeEdit {
    /// How many nodes may be changed so in one call.
    pub fn max_nodes(&self) -> usize {
        let targets = self.add_targets.len() + self.remove_targets.len();
        MAX_TARGET_CHANGES.checked_div(targets).map_or(MAX_CHANGED_NODES, |most| most.min(MAX_CHANGED_NODES))
    }
}

/// Validates a change of nodes, by the rules of a file. Spellings of suppliers are read too.
pub fn validate_node_edit(form: &NodeEditForm) -> Result<NodeEdit, FieldErrors> {
    let mut checks = Checks::default();
    let some = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let isp = some(&form.isp).map(|isp| checks.line("Isp", &isp, ISP_MAX_LENGTH));
    let supplier = some(&form.supplier).map(|supplier| checks.line("Supplier", &supplier, SUPPLIER_MAX_LENGTH));
    let mut errors = checks.0;
    let http_port = some(&form.http_port).and_then(|text| port(&mut errors, "HttpPort", &text));
    let socks5_port = match form.socks5_port.trim() {
        "" => None,
        "0" => Some(None),
        text => port(&mut errors, "Socks5Port", text).map(Some),
    };
    let place = match (form.country.trim(), form.city.trim()) {
        ("", "") => None,
        (country, city) => read_place((country, city), ("Country", "City"), &mut errors),
    };
    let asn = some(&form.asn).and_then(|text| number(&mut errors, "Asn", Rule::Asn, without_as(&text)));
    let cost = some(&form.cost).and_then(|text| {
        let cost = read_cost(&text);
        if cost.is_none() {
            errors.add("Cost", Rule::Amount, &[]);
        }
        cost
    });
    let (add_targets, remove_targets): (BTreeSet<String>, BTreeSet<String>) =
        (form.add_targets.iter().cloned().collect(), form.remove_targets.iter().cloned().collect());
    if let Some(both) = add_targets.intersection(&remove_targets).next() {
        errors.add("RemoveTargets", Rule::UseCaseTwice, &[("Value", both.clone())]);
    }
    errors.into_result(NodeEdit {
        http_port,
        socks5_port,
        place,
        isp,
        asn,
        supplier,
        cost,
        add_targets,
        remove_targets,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rule_keys;

    #[test]
    fn the_more_use_cases_change_the_fewer_nodes_at_once() {
        for (add, remove, most) in [(0, 0, 1_000), (1, 0, 1_000), (2, 1, 1_000), (2, 2, 750), (100, 100, 15)] {
            let named = |count: usize, prefix: char| (0..count).map(|number| format!("{prefix}{number}")).collect();
            let edit =
                NodeEdit { add_targets: named(add, 'a'), remove_targets: named(remove, 'r'), ..NodeEdit::default() };
            assert_eq!(edit.max_nodes(), most, "{add} {remove}");
        }
    }

    #[test]
    fn what_is_empty_in_a_change_stays_as_it_is() {
        assert_eq!(validate_node_edit(&NodeEditForm::default()), Ok(NodeEdit::default()));
        let text = |text: &str| text.to_owned();
        let form = NodeEditForm {
            http_port: text("9000"),
            socks5_port: text("0"),
            country: text("Germany"),
            city: text("München"),
            isp: text(" Northlight "),
            asn: text("AS64501"),
            supplier: text("Acme"),
            cost: text("$1.20"),
            add_targets: vec![text("shops"), text("games"), text("shops")],
            remove_targets: vec![text("travel")],
        };
        let edit = NodeEdit {
            http_port: Some(9_000),
            socks5_port: Some(None),
            place: Some(("DE", "munich")),
            isp: Some(text("Northlight")),
            asn: Some(64_501),
            supplier: Some(text("Acme")),
            cost: Some(Money::from_minor(120)),
            add_targets: [text("games"), text("shops")].into(),
            remove_targets: [text("travel")].into(),
        };
        assert_eq!(validate_node_edit(&form), Ok(edit));
        let wrong = NodeEditForm {
            http_port: text("0"),
            socks5_port: text("70000"),
            country: text("DE"),
            city: String::new(),
            isp: "n".repeat(81),
            asn: text("x"),
            supplier: text("a\u{202e}"),
            cost: text("-1"),
            add_targets: vec![text("shops")],
            remove_targets: vec![text("shops")],
        };
        let broken = rule_keys(validate_node_edit(&wrong).expect_err("errors"));
        assert_eq!(
            broken,
            [
                "Asn:asn",
                "City:unknownCity",
                "Cost:amount",
                "HttpPort:port",
                "Isp:maxLength",
                "RemoveTargets:useCaseTwice",
                "Socks5Port:port",
                "Supplier:invisibleCharacters"
            ]
        );
    }
}
