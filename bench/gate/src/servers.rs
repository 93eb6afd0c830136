//! The processes that are measured, and those that they are measured with.
use crate::shop::Shop;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// For a process to listen.
const START: Duration = Duration::from_secs(20);

/// A folder that is removed when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Result<Folder> {
        let path = std::env::temp_dir().join(format!("postern-bench-gate-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        // Squid gives up the rights of the one who starts it.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o777))?;
        fs::write(path.join("secret"), "secret")?;
        fs::set_permissions(path.join("secret"), fs::Permissions::from_mode(0o644))?;
        Ok(Folder(path))
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that ends when this is dropped.
pub struct Server {
    pub address: SocketAddr,
    pub binary: PathBuf,
    process: Child,
}

impl Server {
    async fn start(binary: &Path, address: SocketAddr, arguments: &[&str]) -> Result<Server> {
        let process = Command::new(binary)
            .args(arguments)
            .env("RUST_LOG", "warn")
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {}", binary.display()))?;
        let mut server = Server { address, binary: binary.to_owned(), process };
        let begin = Instant::now();
        while TcpStream::connect(address).await.is_err() {
            let ended = server.process.try_wait()?;
            ensure!(ended.is_none() && begin.elapsed() < START, "{} does not listen: {ended:?}", binary.display());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(server)
    }

    /// A process of this program.
    async fn own(name: &str, more: &[&str]) -> Result<Server> {
        let address = free()?;
        let address_text = address.to_string();
        Server::start(&std::env::current_exe()?, address, &[&[name, &address_text], more].concat()).await
    }

    pub async fn origin() -> Result<Server> {
        Server::own("origin", &[]).await
    }

    /// A loop that copies bytes between its clients and the origin.
    pub async fn copy(origin: &Server) -> Result<Server> {
        Server::own("copy", &[&origin.address.to_string()]).await
    }

    pub async fn gate(binary: &Path, folder: &Folder, shop: &Shop, origin: &Server) -> Result<Server> {
        let address = free()?;
        let (url, secret, spool) = (format!("http://{}", shop.address), folder.file("secret"), folder.file("spool"));
        let (listen, allow) = (address.to_string(), origin.address.to_string());
        let arguments =
            ["--url", &url, "--secret-file", &secret, "--spool", &spool, "--listen", &listen, "--allow", &allow];
        Server::start(binary, address, &arguments).await
    }

    /// Squid, with the configuration of the gate's `squid-config` if it has one; returns also which it has.
    pub async fn squid(
        binary: &Path,
        folder: &Folder,
        shop: &Shop,
        origin: &Server,
        gate: &Path,
    ) -> Result<(Server, &'static str)> {
        let address = free()?;
        let (url, listen, allow) =
            (format!("http://{}", shop.address), address.to_string(), origin.address.to_string());
        let (secret, log) = (folder.file("secret"), folder.file("access.log"));
        let printing = ["squid-config", "--url", &url, "--secret-file", &secret, "--listen", &listen];
        let printed = Command::new(gate).args(printing).args(["--log", &log, "--allow", &allow]).output().await?;
        let (configuration, configured) = match printed.status.success() {
            true => (String::from_utf8(printed.stdout)?, "as squid-config configures it"),
            false => (minimal(address, shop.address)?, "with a minimal helper, and without a log"),
        };
        let file = folder.file("squid.conf");
        fs::write(&file, configuration + &own_files(folder))?;
        let (arguments, started) = (["-N", "-f", file.as_str()], Instant::now());
        let server = Server::start(binary, address, &arguments).await?;
        println!("Squid started in {:.1} s", started.elapsed().as_secs_f64());
        Ok((server, configured))
    }

    /// The processor time that the process has used.
    pub fn processor_time(&self) -> Result<Duration> {
        let id = self.process.id().context("the process has ended")?;
        let stat = fs::read_to_string(format!("/proc/{id}/stat"))?;
        let (_, fields) = stat.rsplit_once(')').context("its times")?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?;
        Ok(Duration::from_millis(ticks * 1_000 / rustix::param::clock_ticks_per_second()))
    }

    /// The resident memory.
    pub fn megabytes(&self) -> Result<f64> {
        let id = self.process.id().context("the process has ended")?;
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("its memory")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
    }
}

/// What Squid needs to ask the shop about each user once a minute, and to carry tunnels.
fn minimal(address: SocketAddr, shop: SocketAddr) -> Result<String> {
    let helper = std::env::current_exe()?;
    Ok(format!(
        "http_port {address}\n\
         auth_param basic program {} squid-auth {shop}\n\
         auth_param basic children 2 startup=2 concurrency=100\n\
         auth_param basic credentialsttl 60 seconds\n\
         acl known proxy_auth REQUIRED\n\
         http_access allow known\n\
         http_access deny all\n\
         access_log none\n\
         via off\n\
         forwarded_for delete\n",
        helper.display()
    ))
}

/// Where Squid may write here, and what it needs for as many connections as the gate.
fn own_files(folder: &Folder) -> String {
    format!(
        "\ncache deny all\npid_filename none\ncache_log {}\ncoredump_dir none\nshutdown_lifetime 0 seconds\n",
        folder.file("cache.log")
    )
}

fn free() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
