//! The operator's calls about the inventory.
use crate::audit::Actor;
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::csv::csv_of_list;
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, Write, once};
use crate::http::upload::{self, UploadForm};
use crate::inventory::changes::{self, Chosen, Done, Node};
use crate::inventory::types::{
    CityShelf, EditNodes, ImportedShelf, InventoryNode, NodeChoice, NodeReplaced, NodesChanged, NodesImported,
    ReplaceNode,
};
use crate::inventory::{Imported, Source, import, list, replacing, stock};
use crate::state::App;
use crate::static_proxies::place_names::{of_city, of_country};
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse, post, web};
use chrono::NaiveDateTime;
use postern_core::csv::push_row;
use postern_core::inventory::{COLUMNS, MAX_CHANGED_NODES, UPLOAD_MAX_BYTES};
use postern_core::node_edit::validate_node_edit;
use postern_core::operator_forms::validate_reason;
use serde_json::Value;

type AppData = web::Data<App>;

/// Lists the nodes of the shop, newest first. `Search` matches part of an address; filters by `State`, `VerStr`, `Country`, `City`, `Target`,
/// `Supplier`, `ServerId` and `AccountId`; sorts by `NodeId` and `Ip`, in short lists also by place, ISP, state and supplier.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<InventoryNode>>)))]
#[post("/Operator/GetInventory")]
pub async fn get_inventory(
    app: AppData,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<InventoryNode>> {
    answer(app.db.read(move |conn| list::list(conn, &asked)).await?)
}

/// Exports the inventory as CSV, with the filters of the list. `Operator/ImportNodes` and `postern inventory import` read the file.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = String, content_type = "text/csv")))]
#[post("/Operator/ExportInventory")]
pub async fn export_inventory(
    app: AppData,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    csv_of_list(app, "inventory", &COLUMNS, ("NodeId", asked), list::list, push_node).await
}

fn push_node(out: &mut String, node: &InventoryNode) {
    let cells: [&str; 13] = [
        &node.ip,
        &node.http_port.to_string(),
        &node.socks5_port.map_or_else(String::new, |port| port.to_string()),
        &node.country,
        &node.city,
        &node.isp,
        &node.asn.to_string(),
        &node.ver_str,
        &node.targets.join(" "),
        &node.supplier,
        &node.cost.to_string(),
        node.server.as_deref().unwrap_or_default(),
        node.state.as_str(),
    ];
    push_row(out, &cells);
}

/// Returns the stock by tier and city, with the sales of the last 30 days and how long it lasts; the shortest first.
#[utoipa::path(responses((status = 200, body = Answer<Vec<CityShelf>>)))]
#[post("/Operator/GetStock")]
pub async fn get_stock(app: AppData, _who: Operator) -> Answered<Vec<CityShelf>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| stock::shelves(conn, now)).await?)
}

/// Reads a CSV file of nodes and reports what an import would do: the nodes by tier and city, and the wrong cells. At most 8 MB.
#[utoipa::path(request_body(content = UploadForm, content_type = "multipart/form-data"), responses((status = 200, body = Answer<NodesImported>)))]
#[post("/Operator/PreviewImport")]
pub async fn preview_import(
    app: AppData,
    who: Operator,
    request: HttpRequest,
    payload: Payload,
) -> Answered<NodesImported> {
    uploaded(app, who, &request, payload, true).await
}

/// Imports all nodes of a CSV file, or none if a cell is wrong. At most 8 MB. Sent again, it imports nothing, because the addresses are there.
#[utoipa::path(request_body(content = UploadForm, content_type = "multipart/form-data"), responses((status = 200, body = Answer<NodesImported>)))]
#[post("/Operator/ImportNodes")]
pub async fn import_nodes(
    app: AppData,
    who: Operator,
    request: HttpRequest,
    payload: Payload,
) -> Answered<NodesImported> {
    uploaded(app, who, &request, payload, false).await
}

async fn uploaded(
    app: AppData,
    who: Operator,
    request: &HttpRequest,
    payload: Payload,
    is_preview: bool,
) -> Answered<NodesImported> {
    let file = upload::read(request, payload, UPLOAD_MAX_BYTES).await?;
    let (account_id, shop) = (who.account_id, app.clone());
    let work = move || {
        let source = Source::Upload(&file.name, &file.content);
        import(&shop, &source, is_preview, &who.actor, &mut |_| {}).map_err(AppError::Internal)
    };
    let done = app.costly.files.of_account(account_id).run(work).await??;
    answer(told(done, is_preview))
}

fn told(done: Imported, is_preview: bool) -> NodesImported {
    let shelf = |((ver_str, country, city), nodes): ((String, String, String), usize)| {
        let (country_name, city_name) = (of_country(&country), of_city(&city));
        ImportedShelf {
            ver_str,
            country,
            country_name_en: country_name.en,
            country_name_zh: country_name.zh,
            city,
            city_name_en: city_name.en,
            city_name_zh: city_name.zh,
            nodes,
        }
    };
    let Imported { nodes, wrong_cells, wrong, shelves } = done;
    let mut shelves: Vec<ImportedShelf> = shelves.into_iter().map(shelf).collect();
    shelves.sort_by(|one, other| {
        let place = |shelf: &ImportedShelf| (shelf.ver_str.clone(), shelf.country.clone(), shelf.city.clone());
        other.nodes.cmp(&one.nodes).then_with(|| place(one).cmp(&place(other)))
    });
    NodesImported { nodes, is_imported: !is_preview && wrong_cells == 0, wrong_cells, wrong, shelves }
}

/// Takes nodes off sale. Those that a customer has or is buying stay as they are. At most 1,000 nodes in a call: with `All`, the next ones.
#[utoipa::path(request_body = NodeChoice, responses((status = 200, body = Answer<NodesChanged>)))]
#[post("/Operator/RetireNodes")]
pub async fn retire_nodes(app: AppData, who: Operator, Body(asked): Body<NodeChoice>) -> Answered<NodesChanged> {
    moved(&app, who, asked, changes::retire).await
}

/// Sells retired nodes again. At most 1,000 nodes in a call: with `All`, the next ones.
#[utoipa::path(request_body = NodeChoice, responses((status = 200, body = Answer<NodesChanged>)))]
#[post("/Operator/RestoreNodes")]
pub async fn restore_nodes(app: AppData, who: Operator, Body(asked): Body<NodeChoice>) -> Answered<NodesChanged> {
    moved(&app, who, asked, changes::restore).await
}

async fn moved(
    app: &App,
    who: Operator,
    asked: NodeChoice,
    step: fn(&mut Conn, &[Node], &Actor, NaiveDateTime) -> Result<Done, AppError>,
) -> Answered<NodesChanged> {
    let now = app.clock.now();
    let moved = app.db.write(move |conn| {
        let chosen = Chosen::of(conn, &asked, MAX_CHANGED_NODES)?;
        let done = step(conn, &chosen.nodes, &who.actor, now)?;
        Ok(chosen.told(done.changed.len(), done.left))
    });
    answer(moved.await?)
}

/// Edits nodes, whoever has them: ports, place, ISP, supplier, cost and use cases. Empty fields stay as they are. At most 1,000 nodes
/// and 3,000 changes of use cases in a call: with `All`, the next nodes.
#[utoipa::path(request_body = EditNodes, responses((status = 200, body = Answer<NodesChanged>)))]
#[post("/Operator/EditNodes")]
pub async fn edit_nodes(app: AppData, who: Operator, Body(asked): Body<EditNodes>) -> Answered<NodesChanged> {
    let edit = validate_node_edit(&asked.form)?;
    let now = app.clock.now();
    let edited = app.db.write(move |conn| {
        let chosen = Chosen::of(conn, &asked.nodes, edit.max_nodes())?;
        let changed = changes::edit(conn, &chosen.nodes, &edit, &who.actor, now)?;
        Ok(chosen.told(changed, Vec::new()))
    });
    let edited = edited.await?;
    app.authorizer.forget_nodes();
    answer(edited)
}

/// Gives the owner of a faulty node another one, at no cost: it takes over expiry, group, note and credentials. Refused with 4002 if its city has no
/// other node of the tier; choose one with `NewNodeId` then.
#[utoipa::path(request_body = ReplaceNode, responses((status = 200, body = Answer<NodeReplaced>)))]
#[post("/Operator/ReplaceNode")]
pub async fn replace_node(app: AppData, who: Operator, write: Write<ReplaceNode>) -> Answered<Value> {
    let reason = validate_reason(&write.body.reason)?;
    let now = app.clock.now();
    let replaced = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            replacing::replace(conn, &write.body, &reason, (who.user_id, &who.actor), now)
        })
    });
    let replaced = replaced.await?;
    app.authorizer.forget_nodes();
    answer(replaced)
}
