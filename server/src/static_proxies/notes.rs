//! Notes on nodes.
use crate::db::prelude::*;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::nodes::CHUNK;
use crate::schema::nodes;
use crate::state::App;
use crate::static_proxies::selection::{BulkResult, NodeSelection};
use actix_web::{post, web};
use postern_core::node_forms::validate_node_note;
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct EditNodeNote {
    #[serde(flatten)]
    pub nodes: NodeSelection,
    pub note: String,
}

/// Sets the note of nodes; an empty one removes it.
#[utoipa::path(request_body = EditNodeNote, responses((status = 200, body = Answer<BulkResult>)))]
#[post("/Ips/EditNodeNote")]
pub async fn edit_node_note(
    app: web::Data<App>,
    who: SignedIn,
    Body(edit): Body<EditNodeNote>,
) -> Answered<BulkResult> {
    let note = validate_node_note(&edit.note)?;
    let now = app.clock.now();
    let edited = app.db.write(move |conn| {
        let selected = edit.nodes.resolve(conn, who.account_id, now)?;
        for chunk in selected.ids.chunks(CHUNK) {
            let these = nodes::table.filter(nodes::id.eq_any(chunk));
            diesel::update(these).set(nodes::note.eq(&note)).execute(conn)?;
        }
        Ok(BulkResult { changed: selected.ids.len(), failed: selected.failed })
    });
    answer(edited.await?)
}
