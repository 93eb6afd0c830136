//! The command `postern proxy-server`.
use crate::audit::Actor;
use crate::error::AppError;
use crate::proxy_servers::types::ProxyServerView;
use crate::proxy_servers::{nodes, queries};
use crate::state::App;
use clap::Subcommand;
use postern_core::proxy_server::{ProxyServerForm, read_assigned, validate_proxy_server};

#[derive(Subcommand)]
pub enum ProxyServerCommand {
    /// Register a proxy server and print its secret, which is shown once
    Add {
        name: String,
        #[arg(long, value_parser = ["residential", "static"])]
        kind: String,
        /// Host name or address that customers connect to
        #[arg(long)]
        host: String,
        #[arg(long)]
        http_port: String,
        #[arg(long, default_value = "", hide_default_value = true)]
        socks5_port: String,
    },
    /// List the registered proxy servers
    List,
    /// Let one server for static proxies alone carry some nodes, or any server with --any
    Assign {
        /// Addresses and networks such as 203.0.113.0/24
        #[arg(required = true)]
        addresses: Vec<String>,
        #[arg(long, required_unless_present = "any")]
        server: Option<String>,
        #[arg(long, conflicts_with = "server")]
        any: bool,
    },
    /// Replace a proxy server's secret and print the new one
    Rotate { name: String },
    /// Remove a proxy server; its usage records are kept
    Remove { name: String },
}

/// Runs the command and returns the text to print.
pub fn run(app: &App, command: ProxyServerCommand) -> Result<String, AppError> {
    let now = app.clock.now();
    match command {
        ProxyServerCommand::Add { name, kind, host, http_port, socks5_port } => {
            let server = validate_proxy_server(&ProxyServerForm { name, kind, host, http_port, socks5_port })?;
            let (_, secret) = app.db.write_blocking(|conn| queries::add(conn, &server, &Actor::command(), now))?;
            Ok(format!("{} can send its requests with this secret, which is shown once:\n{secret}", server.name))
        }
        ProxyServerCommand::List => {
            let servers = app.db.read_blocking(queries::list)?;
            Ok(servers.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
        ProxyServerCommand::Assign { addresses, server, .. } => {
            let networks = read_assigned(&addresses.join(" "))?;
            let id = server.map(|name| app.db.read_blocking(|conn| queries::by_name(conn, &name))).transpose()?;
            let done = nodes::assign_blocking(&app.db, id, &networks, now)?;
            let none = done.not_found.iter().map(|network| format!("There are no nodes in {network}.\n"));
            Ok(format!("{}{} nodes assigned.", none.collect::<String>(), done.assigned))
        }
        ProxyServerCommand::Rotate { name } => {
            let secret = app.db.write_blocking(|conn| {
                let id = queries::by_name(conn, &name)?;
                queries::rotate(conn, id, &Actor::command(), now)
            })?;
            Ok(format!("The old secret of {} no longer works. The new one is shown once:\n{secret}", name.trim()))
        }
        ProxyServerCommand::Remove { name } => {
            app.db.write_blocking(|conn| {
                let id = queries::by_name(conn, &name)?;
                queries::remove(conn, id, &Actor::command(), now)
            })?;
            Ok(format!("{} was removed.", name.trim()))
        }
    }
}

fn line(server: &ProxyServerView) -> String {
    let socks5 = server.socks5_port.map_or_else(String::new, |port| format!(", SOCKS5 {port}"));
    let seen = server.last_seen_at.as_deref().unwrap_or("never");
    format!(
        "{:<20} {:<11} {}: HTTP {}{socks5}; last seen {seen}; {} records rejected",
        server.name,
        server.kind.as_str(),
        server.host,
        server.http_port,
        server.rejected_records
    )
}
