//! A real Squid with the configuration that `squid-config` prints, and the commands beside it.
use crate::harness::*;
use crate::shop::Shop;
use rustix::process::Signal;
use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};

pub struct Squid {
    child: Child,
    /// By this name, those that run at the same time tell their shared memory apart.
    service: String,
    pub port: u16,
    pub folder: Folder,
}

/// A port that is free on all addresses.
pub fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("0.0.0.0:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// The program, where Debian has it.
fn squid_path() -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).chain([PathBuf::from("/usr/sbin")]).map(|folder| folder.join("squid"));
    found.into_iter().find(|path| path.is_file()).expect("Squid is not installed: run scripts/setup.sh test")
}

/// A folder that Squid may use: started by root, it runs as a user of its own. It has the commands, too, as that user may not see others' folders.
pub fn folder() -> Folder {
    let folder = Folder::new();
    let mode = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    mode(folder.path(), 0o777);
    mode(&folder.path().join("secret"), 0o644);
    let program = folder.path().join("postern-gate");
    fs::hard_link(env!("CARGO_BIN_EXE_postern-gate"), &program)
        .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_postern-gate"), &program).map(|_| ()))
        .expect("the program");
    folder
}

/// One of the commands, with the arguments that all have.
pub fn command(folder: &Folder, shop: &Shop, name: &str) -> Command {
    let mut command = Command::new(folder.path().join("postern-gate"));
    command.args([name, "--url", &format!("http://{}", shop.address), "--secret-file"]);
    command.arg(folder.path().join("secret")).kill_on_drop(true);
    command
}

/// What `squid-config` prints.
pub async fn configuration(folder: &Folder, shop: &Shop, more: &[&str]) -> Result<String, String> {
    let mut printing = command(folder, shop, "squid-config");
    let output = printing.arg("--log").arg(folder.path().join("postern.log")).args(more).output().await;
    let output = output.expect("a process");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// Writes a configuration with the places of this test. Returns its file.
pub fn write_configuration(folder: &Folder, printed: &str) -> PathBuf {
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (pid, log) = (place("squid.pid"), place("cache.log"));
    let own = format!("pid_filename {pid}\ncache_log {log}\n");
    let file = folder.path().join("squid.conf");
    fs::write(&file, format!("{printed}{own}")).expect("a configuration");
    file
}

/// What Squid says about a configuration.
pub async fn check(file: &Path) -> String {
    let output = Command::new(squid_path()).args(["-k", "parse", "-f"]).arg(file).output().await.expect("a process");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

impl Squid {
    pub async fn start(folder: Folder, port: u16, printed: &str) -> Squid {
        let file = write_configuration(&folder, printed);
        let service = format!("postern{}x{port}", std::process::id());
        let child = Command::new(squid_path())
            .args(["-N", "-n", &service, "-f"])
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("Squid");
        let squid = Squid { child, service, port, folder };
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
                return squid;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("Squid does not listen: {}", squid.log());
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("cache.log")).unwrap_or_default()
    }

    pub fn signal(&self, signal: Signal) {
        send_signal(&self.child, signal);
    }

    pub async fn wait_for_end(&mut self) {
        tokio::time::timeout(Duration::from_secs(10), self.child.wait()).await.expect("an end").expect("a status");
    }

    /// Connects to a node from an address of this machine.
    pub async fn dial(&self, from: [u8; 4], node: [u8; 4]) -> TcpStream {
        dial(self.port, from, node).await
    }

    /// Sends a text, and returns all that comes back until Squid closes the connection.
    pub async fn send(&self, from: [u8; 4], node: [u8; 4], text: &str) -> String {
        exchange(self.dial(from, node).await, text).await
    }

    /// Opens a tunnel; returns the response's head as well.
    pub async fn tunnel(&self, from: [u8; 4], node: [u8; 4], head: &str) -> (TcpStream, String) {
        let mut stream = self.dial(from, node).await;
        stream.write_all(head.as_bytes()).await.expect("written");
        let answer = read_head(&mut stream).await;
        (stream, answer)
    }
}

pub fn send_signal(child: &Child, signal: Signal) {
    let id = i32::try_from(child.id().expect("an id")).expect("an id");
    let id = rustix::process::Pid::from_raw(id).expect("an id");
    rustix::process::kill_process(id, signal).expect("told");
}

impl Drop for Squid {
    fn drop(&mut self) {
        let _ = self.child.start_kill();
        // One that is killed leaves its shared memory behind.
        for entry in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&format!("{}-", self.service)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

pub async fn dial(port: u16, from: [u8; 4], node: [u8; 4]) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::new(IpAddr::from(from), 0)).expect("an address");
    socket.connect(SocketAddr::new(IpAddr::from(node), port)).await.expect("a connection")
}
