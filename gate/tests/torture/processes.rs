//! The shop and the gates, as processes that are killed and started again.
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What is killed when this is dropped.
pub struct Process {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    child: Option<Child>,
    pub address: String,
}

impl Process {
    pub fn new(address: String, command: impl Fn() -> Command + Send + Sync + 'static) -> Process {
        Process { command: Box::new(command), child: None, address }
    }

    /// Starts it, and waits until it listens.
    pub async fn start(&mut self) {
        let mut child = (self.command)().spawn().expect("a process");
        let began = Instant::now();
        while tokio::net::TcpStream::connect(&self.address).await.is_err() {
            assert!(child.try_wait().expect("a state").is_none(), "{} has ended", self.address);
            assert!(began.elapsed() < Duration::from_secs(60), "{} does not listen", self.address);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.child = Some(child);
    }

    /// Kills it, without time for anything.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().and_then(|()| child.wait()).expect("killed");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A command of the shop on a database in this folder.
pub fn shop_command(binary: &Path, folder: &Path, port: u16, argument: &str) -> Command {
    let mut command = Command::new(binary);
    command.arg(argument).current_dir(root()).env("POSTERN_VAR_DIR", folder).env("PORT", port.to_string());
    if let Ok(url) = std::env::var("TEST_DATABASE_URL") {
        command.env("DATABASE_URL", url);
    }
    command.env("RUST_LOG", "off").stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// A gate with a spool of its own.
pub fn gate_command(folder: &Path, number: usize, port: u16, shop: &str, origin: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postern-gate"));
    let path = |name: &str| folder.join(name).display().to_string();
    command
        .args(["--url", shop, "--secret-file", &path("demo-residential.secret")])
        .args(["--spool", &path(&format!("spool-{number}")), "--listen", &format!("127.0.0.1:{port}")])
        .args(["--allow", origin])
        .env("RUST_LOG", "warn")
        .stdin(Stdio::null());
    command
}

/// The PostgreSQL server of the shop, if it has one: `scripts/postgres.sh` stops and starts it.
pub struct Database(Option<String>);

impl Database {
    pub fn of_the_shop() -> Database {
        Database(std::env::var("TEST_DATABASE_URL").ok())
    }

    pub fn is_server(&self) -> bool {
        self.0.is_some()
    }

    pub fn pause(&self) {
        self.tell("pause");
    }

    pub fn resume(&self) {
        self.tell("resume");
    }

    fn tell(&self, what: &str) {
        let Some(url) = &self.0 else { return };
        let told = Command::new("scripts/postgres.sh").args([what, url]).current_dir(root()).status();
        assert!(told.expect("a script").success(), "{what}");
    }
}
