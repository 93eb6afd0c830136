//! Exports: files of any length, streamed a thousand rows at a time.
use crate::config::exit_address_url;
use crate::error::AppError;
use crate::http::list::ListRequest;
use crate::http::request::{Body, SignedIn};
use crate::nodes::CHUNK;
use crate::state::App;
use crate::static_proxies::list;
use crate::static_proxies::selection::NodeSelection;
use crate::static_proxies::switch_records::{SwitchRecord, switch_records};
use crate::static_proxies::types::{OwnedNode, Protocol};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, post, web};
use futures_util::stream::{Stream, try_unfold};
use postern_core::constants::PAGE_SIZES;
use postern_core::csv::{begin_file, push_row};
use postern_core::endpoint::{Endpoint, EndpointFormat, format_endpoint};
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The file format.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// One endpoint per line.
    Txt,
    #[default]
    Csv,
    Json,
}

impl FileFormat {
    fn content_type(self) -> &'static str {
        match self {
            FileFormat::Txt => "text/plain; charset=utf-8",
            FileFormat::Csv => "text/csv; charset=utf-8",
            FileFormat::Json => "application/json",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            FileFormat::Txt => "txt",
            FileFormat::Csv => "csv",
            FileFormat::Json => "json",
        }
    }
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ExportNodes {
    #[serde(flatten)]
    pub nodes: NodeSelection,
    pub format: FileFormat,
    /// The line format of a text file.
    #[schema(required = false)]
    pub endpoint_format: Option<EndpointFormat>,
    /// `http`, the default, or `socks5`.
    #[schema(required = false)]
    pub protocol: Option<Protocol>,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ExportSwitchRecording {
    #[serde(flatten)]
    pub list: ListRequest,
    pub format: FileFormat,
}

/// The endpoint of a node, as a client would use it: over HTTP, if the node has no SOCKS5.
pub fn endpoint_of(node: &OwnedNode, protocol: Protocol) -> Result<Endpoint, AppError> {
    let (scheme, port) = match (protocol, node.socks5_port) {
        (Protocol::Socks5, Some(port)) => ("socks5", port),
        _ => ("http", node.http_port),
    };
    let port = u16::try_from(port).map_err(|_| AppError::internal("a node has an invalid port"))?;
    Ok(Endpoint {
        scheme: scheme.to_owned(),
        host: node.ip.clone(),
        port,
        user_name: node.user_name.clone(),
        password: node.password.clone(),
    })
}

const NODE_COLUMNS: [&str; 17] = [
    "Ip",
    "HttpPort",
    "Socks5Port",
    "UserName",
    "Password",
    "Country",
    "City",
    "Isp",
    "Asn",
    "VerStr",
    "Group",
    "Note",
    "State",
    "AssignedAt (UTC)",
    "ExpiresAt (UTC)",
    "AutoRenew",
    "Targets",
];

fn node_cells(node: &OwnedNode) -> [String; 17] {
    [
        node.ip.clone(),
        node.http_port.to_string(),
        node.socks5_port.map_or_else(String::new, |port| port.to_string()),
        node.user_name.clone(),
        node.password.clone(),
        node.country.clone(),
        node.city_name_en.clone(),
        node.isp.clone(),
        node.asn.to_string(),
        node.ver_str.clone(),
        node.group_name.clone().unwrap_or_default(),
        node.note.clone(),
        node.state.as_str().to_owned(),
        node.assigned_at.clone().unwrap_or_default(),
        node.expires_at.clone().unwrap_or_default(),
        node.auto_renew.to_string(),
        node.targets.join(" "),
    ]
}

const RECORD_COLUMNS: [&str; 10] =
    ["CreatedAt (UTC)", "OldIp", "NewIp", "Country", "City", "VerStr", "Mode", "Reason", "Price", "Email"];

fn record_cells(record: &SwitchRecord) -> [String; 10] {
    [
        record.created_at.clone(),
        record.old_ip.clone(),
        record.new_ip.clone(),
        record.country.clone(),
        record.city_name_en.clone(),
        record.ver_str.clone(),
        record.mode.as_str().to_owned(),
        record.reason.clone(),
        record.price.to_string(),
        record.email.clone(),
    ]
}

/// Rows as a chunk of a file; the first chunk has the header.
fn part<T: Serialize, const N: usize>(
    rows: &[T],
    is_first: bool,
    format: FileFormat,
    columns: [&str; N],
    cells: fn(&T) -> [String; N],
) -> Result<String, AppError> {
    let mut out = String::with_capacity(rows.len() * 160);
    match format {
        FileFormat::Csv => {
            if is_first {
                out = begin_file(&columns);
            }
            rows.iter().for_each(|row| push_row(&mut out, &cells(row)));
        }
        FileFormat::Json | FileFormat::Txt => {
            for (index, row) in rows.iter().enumerate() {
                out.push_str(if is_first && index == 0 { "[\n" } else { ",\n" });
                out.push_str(&serde_json::to_string(row)?);
            }
        }
    }
    Ok(out)
}

fn file(
    name: &str,
    format: FileFormat,
    parts: impl Stream<Item = Result<web::Bytes, AppError>> + 'static,
) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, format.content_type()))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{}\"", format.extension())))
        .streaming(parts)
}

/// Exports the selected nodes as a file: endpoints as text, or every field as CSV or JSON.
#[utoipa::path(
    request_body = ExportNodes,
    responses((status = 200, content((String = "text/csv"), (String = "text/plain"), (Vec<OwnedNode> = "application/json"))))
)]
#[post("/Ips/ExportNodes")]
pub async fn export_nodes(
    app: web::Data<App>,
    who: SignedIn,
    Body(export): Body<ExportNodes>,
) -> Result<HttpResponse, AppError> {
    let ExportNodes { nodes: selection, format, endpoint_format, protocol } = export;
    let now = app.clock.now();
    let selected = app.db.read(move |conn| selection.resolve(conn, who.account_id, now)).await?;
    let chunks: Vec<Vec<i64>> = selected.ids.chunks(CHUNK).map(<[i64]>::to_vec).collect();
    let line_format = endpoint_format.unwrap_or(EndpointFormat::HostPortUserPass);
    let protocol = protocol.unwrap_or_default();
    let count = chunks.len();
    let parts = try_unfold((0, chunks, app), move |(index, chunks, app)| async move {
        let Some(ids) = chunks.get(index).cloned() else {
            // Closes the JSON array; an empty export is an empty array.
            let end = if count == 0 { "[]\n" } else { "\n]\n" };
            let is_due = format == FileFormat::Json && index == count;
            return Ok(is_due.then(|| (web::Bytes::from_static(end.as_bytes()), (index + 1, chunks, app))));
        };
        let key = app.key.clone();
        let rows = app.db.read(move |conn| list::by_ids(conn, who.account_id, &ids, &key)).await?;
        let text = match format {
            FileFormat::Txt => endpoint_lines(&rows, line_format, protocol, &app.config.public_url)?,
            _ => part(&rows, index == 0, format, NODE_COLUMNS, node_cells)?,
        };
        Ok(Some((web::Bytes::from(text), (index + 1, chunks, app))))
    });
    Ok(file("proxies", format, parts))
}

fn endpoint_lines(
    rows: &[OwnedNode],
    format: EndpointFormat,
    protocol: Protocol,
    public_url: &str,
) -> Result<String, AppError> {
    let target = exit_address_url(public_url);
    let mut out = String::with_capacity(rows.len() * 64);
    for node in rows {
        let line = format_endpoint(&endpoint_of(node, protocol)?, format, Some(&target));
        out.push_str(&line.map_err(|error| AppError::from(error.at("EndpointFormat")))?);
        out.push('\n');
    }
    Ok(out)
}

/// Exports the switch records that match the list's filters as a file.
#[utoipa::path(
    request_body = ExportSwitchRecording, responses((status = 200, content((String = "text/csv"), (Vec<SwitchRecord> = "application/json"))))
)]
#[post("/Ips/ExportSwitchRecording")]
pub async fn export_switch_recording(
    app: web::Data<App>,
    who: SignedIn,
    Body(export): Body<ExportSwitchRecording>,
) -> Result<HttpResponse, AppError> {
    let ExportSwitchRecording { list, format } = export;
    if format == FileFormat::Txt {
        return Err(FieldErrors::one("Format", Rule::UnknownFormat, &[]).into());
    }
    let list = ListRequest { page_size: PAGE_SIZES.into_iter().max(), ..list };
    let first = list.clone();
    // Validate the list's filters before the file begins.
    app.db.read(move |conn| switch_records(conn, who.account_id, &first)).await?;
    let begin = ListRequest { page: None, after: None, ..list };
    let parts = try_unfold((Some(begin), app), move |(asked, app)| async move {
        let Some(asked) = asked else { return Ok(None) };
        let (this, is_first) = (asked.clone(), asked.after.is_none());
        let found = app.db.read(move |conn| switch_records(conn, who.account_id, &this)).await?;
        let mut text = part(&found.rows, is_first, format, RECORD_COLUMNS, record_cells)?;
        if found.next.is_none() && format == FileFormat::Json {
            text.push_str(if is_first && found.rows.is_empty() { "[]\n" } else { "\n]\n" });
        }
        let next = found.next.map(|next| ListRequest { after: Some(next), ..asked });
        Ok(Some((web::Bytes::from(text), (next, app))))
    });
    Ok(file("replaced", format, parts))
}
