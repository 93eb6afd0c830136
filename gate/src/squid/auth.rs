//! `squid-auth`: answers Squid's questions, many at once. What comes together is one request to the shop.
use crate::access::{Access, Identity};
use crate::addresses::AddressMap;
use crate::health::Health;
use crate::refusal::Refusal;
use crate::squid::counted_for::CountedFor;
use crate::squid::question::{self, Channel, Question};
use crate::squid::shop_settings::ShopSettings;
use anyhow::{Context, Result};
use clap::Args;
use postern_core::proxy_server::ProxyServerKind;
use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::sync::mpsc;
use tokio_util::task::TaskTracker;

/// The maximum length of a question: the longest header that Squid accepts, with each of its bytes escaped.
const MAX_LINE_BYTES: u64 = 256 * 1024;

#[derive(Clone, Debug, Args)]
pub struct AuthSettings {
    #[command(flatten)]
    shop: ShopSettings,
    /// What this server is registered as: static or residential
    #[arg(long, value_parser = kind)]
    kind: ProxyServerKind,
    /// Behind NAT, a file with a line `public = private` for each address
    #[arg(long, env = "POSTERN_GATE_ADDRESSES")]
    addresses: Option<PathBuf>,
    /// For how long those whom the shop allowed go on while it does not answer
    #[arg(long, env = "POSTERN_GATE_GRACE_SECONDS", default_value_t = 600)]
    grace_seconds: u64,
}

fn kind(text: &str) -> Result<ProxyServerKind, String> {
    ProxyServerKind::from_wire(text).ok_or_else(|| "neither static nor residential".to_owned())
}

struct Helper {
    kind: ProxyServerKind,
    addresses: AddressMap,
    access: Access,
}

pub async fn run(settings: AuthSettings) -> Result<()> {
    let shop = Arc::new(settings.shop.shop()?);
    let addresses = settings.addresses.as_deref().map(AddressMap::read).transpose()?.unwrap_or_default();
    let access = Access::new(shop, Arc::new(Health::default()), Duration::from_secs(settings.grace_seconds));
    let helper = Arc::new(Helper { kind: settings.kind, addresses, access });
    let (replies, waiting) = mpsc::unbounded_channel();
    let writing = std::thread::spawn(move || write_all(waiting));
    let watcher = helper.clone();
    let watching = tokio::spawn(async move { watcher.access.watch().await });
    let asked = answer_all(&helper, BufReader::new(tokio::io::stdin()), replies).await;
    watching.abort();
    let written = tokio::task::spawn_blocking(|| writing.join()).await.context("writing answers")?;
    asked.and(written.unwrap_or_else(|_| anyhow::bail!("the thread that writes answers broke off")))
}

/// Answers questions until Squid asks no more.
async fn answer_all(
    helper: &Arc<Helper>,
    mut questions: impl AsyncBufRead + Unpin,
    replies: mpsc::UnboundedSender<String>,
) -> Result<()> {
    let open = TaskTracker::new();
    let mut line = Vec::new();
    while (&mut questions).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).await.context("reading questions")? > 0 {
        anyhow::ensure!(line.ends_with(b"\n"), "a question is too long, or has no end");
        let (helper, replies, asked) = (helper.clone(), replies.clone(), std::mem::take(&mut line));
        open.spawn(async move {
            match question::read(&String::from_utf8_lossy(&asked)) {
                Some((channel, question)) => {
                    // Squid may have gone.
                    let _ = replies.send(helper.answer(channel, question).await);
                }
                None => tracing::warn!("a question without a channel: does the configuration set concurrency=…?"),
            }
        });
    }
    open.close();
    open.wait().await;
    Ok(())
}

impl Helper {
    async fn answer(&self, channel: Channel, question: Result<Question, Refusal>) -> String {
        match question {
            Ok(question) => match self.admit(question).await {
                Ok((counted_for, user_name)) => question::admission(channel, &counted_for, user_name.as_deref()),
                Err(refusal) => question::refusal(channel, refusal),
            },
            Err(refusal) => question::refusal(channel, refusal),
        }
    }

    async fn admit(&self, question: Question) -> Result<(CountedFor, Option<String>), Refusal> {
        let Question { client, dialled, user_name, password } = question;
        let identity = Identity { user_name, password, client, node: self.node(dialled) };
        let grant = self.access.admit(identity).await?;
        let Some(counted_for) = CountedFor::of(grant.identity(), &grant.answer) else {
            tracing::error!(%client, "the shop allows a client without saying for whom its traffic counts; it is refused");
            return Err(Refusal::ShopAway);
        };
        Ok((counted_for, grant.answer.user_name.clone()))
    }

    /// The node's public address, on static proxies.
    fn node(&self, dialled: IpAddr) -> Option<IpAddr> {
        (self.kind == ProxyServerKind::Static).then(|| self.addresses.public_of(dialled))
    }
}

/// Writes each answer with one call: when Squid reads a part of one that ends within the channel's number, it takes the whole for rubbish, and
/// refuses the client.
fn write_all(mut waiting: mpsc::UnboundedReceiver<String>) -> Result<()> {
    let mut output = std::io::stdout().lock();
    while let Some(answer) = waiting.blocking_recv() {
        output.write_all(answer.as_bytes()).and_then(|()| output.flush()).context("writing answers")?;
    }
    Ok(())
}
