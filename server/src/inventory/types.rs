//! Requests and responses of the calls about the inventory.
use postern_core::field_errors::Broken;
use postern_core::money::{Currency, Money};
use postern_core::node::NodeState;
use postern_core::node_edit::NodeEditForm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct InventoryFilter {
    #[schema(required = false)]
    pub state: Option<NodeState>,
    #[schema(required = false)]
    pub ver_str: Option<String>,
    #[schema(required = false)]
    pub country: Option<String>,
    #[schema(required = false)]
    pub city: Option<String>,
    /// A use case that the nodes are good for.
    #[schema(required = false)]
    pub target: Option<String>,
    /// Where the seller has the nodes from.
    #[schema(required = false)]
    pub supplier: Option<String>,
    /// The proxy server that alone carries the nodes.
    #[schema(required = false)]
    pub server_id: Option<i64>,
    /// The account that owns the nodes.
    #[schema(required = false)]
    pub account_id: Option<i64>,
}

/// A node of the inventory, in stock or not.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct InventoryNode {
    pub node_id: i64,
    pub ip: String,
    pub http_port: i32,
    /// Null for a node with HTTP alone.
    pub socks5_port: Option<i32>,
    pub country: String,
    pub country_name_en: String,
    pub country_name_zh: String,
    pub city: String,
    pub city_name_en: String,
    pub city_name_zh: String,
    pub isp: String,
    pub asn: i64,
    pub ver_str: String,
    /// The use cases that it is good for.
    pub targets: Vec<String>,
    /// Where the seller has it from; customers do not see it.
    pub supplier: String,
    /// What the seller pays for it, per 30 days.
    pub cost: Money,
    pub currency: Currency,
    /// The proxy server that alone carries it; null if any may.
    pub server: Option<String>,
    pub state: NodeState,
    /// The account that owns it.
    pub account_id: Option<i64>,
    /// The e-mail address of its owner.
    pub email: Option<String>,
    /// When it expires for its owner.
    pub expires_at: Option<String>,
    /// When its quarantine ends.
    pub free_at: Option<String>,
}

/// The nodes of one tier in one city.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CityShelf {
    pub ver_str: String,
    pub country: String,
    pub country_name_en: String,
    pub country_name_zh: String,
    pub city: String,
    pub city_name_en: String,
    pub city_name_zh: String,
    /// Nodes that are not retired.
    pub nodes: i64,
    pub available: i64,
    /// Nodes sold in the last 30 days that their buyers still have.
    pub sold: i64,
    /// For how many days the stock lasts at this pace; null if nothing was sold.
    pub days_left: Option<i64>,
}

/// Either `NodeIds`, at most 1,000; or `All` with the filter and the search of the inventory, of which a call changes the next nodes after `After`.
#[derive(Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct NodeChoice {
    #[schema(required = false)]
    pub node_ids: Option<Vec<i64>>,
    #[schema(required = false)]
    pub all: bool,
    #[schema(required = false)]
    pub filter: InventoryFilter,
    #[schema(required = false)]
    pub search: String,
    /// With `All`: `Next` of the call before; 0 for the first.
    #[schema(required = false)]
    pub after: i64,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EditNodes {
    #[serde(flatten)]
    pub nodes: NodeChoice,
    #[serde(flatten)]
    pub form: NodeEditForm,
}

/// What became of the nodes of a call.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodesChanged {
    pub changed: usize,
    /// The nodes that stayed as they are: unknown, or in a state that forbids the change.
    pub failed: Vec<UnchangedNode>,
    /// With `All`: there are more nodes; make the call again with this number as `After`. Otherwise null.
    pub next: Option<i64>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UnchangedNode {
    pub node_id: i64,
    /// Null if there is no such node.
    pub ip: Option<String>,
    pub state: Option<NodeState>,
}

/// A wrong cell of a file to import.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WrongCell {
    /// From 1.
    pub line: u32,
    /// The column's name; `line` for a line that cannot be read.
    pub column: String,
    #[serde(flatten)]
    pub broken: Broken,
}

/// The result of an import, or of its preview.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodesImported {
    /// Valid lines: how many nodes can be imported, or were.
    pub nodes: usize,
    /// Whether they were imported: only if no line is wrong.
    pub is_imported: bool,
    /// The number of wrong cells.
    pub wrong_cells: usize,
    /// The first of them.
    pub wrong: Vec<WrongCell>,
    /// Valid lines by tier and city, the largest number first.
    pub shelves: Vec<ImportedShelf>,
}

/// The lines of one tier and city.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ImportedShelf {
    pub ver_str: String,
    pub country: String,
    pub country_name_en: String,
    pub country_name_zh: String,
    pub city: String,
    pub city_name_en: String,
    pub city_name_zh: String,
    pub nodes: usize,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReplaceNode {
    /// A node that a customer has.
    pub node_id: i64,
    /// The node to give instead, of the same tier and in stock; null for one of the same city.
    #[serde(default)]
    #[schema(required = false)]
    pub new_node_id: Option<i64>,
    /// Shown to the customer.
    pub reason: String,
    /// Whether the faulty node is taken off sale; otherwise it returns to stock after its quarantine.
    pub retire: bool,
}

/// A node that took another's place.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodeReplaced {
    pub account_id: i64,
    pub old_node_id: i64,
    pub old_ip: String,
    pub new_node_id: i64,
    pub new_ip: String,
}
