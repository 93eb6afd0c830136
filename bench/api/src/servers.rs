//! The measured servers: the product's, and bare ones in separate processes.
use crate::shop::Shop;
use anyhow::Context;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server process, killed on drop.
pub struct Server {
    process: Child,
    pub address: SocketAddr,
}

impl Server {
    fn start(command: &mut Command, address: SocketAddr) -> anyhow::Result<Server> {
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let server = Server { process, address };
        for _ in 0..500 {
            if TcpStream::connect(address).is_ok() {
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        anyhow::bail!("nobody listens at {address}")
    }

    pub fn postern(binary: &Path, shop: &Shop) -> anyhow::Result<Server> {
        Server::postern_with(binary, shop, &[])
    }

    /// `settings` are variables besides.
    pub fn postern_with(binary: &Path, shop: &Shop, settings: &[(&str, &str)]) -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(binary);
        command
            .arg("serve")
            .envs(&shop.settings)
            .envs(settings.iter().copied())
            .env("PORT", address.port().to_string());
        Server::start(&mut command, address)
    }

    pub fn bare(shop: &Shop) -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["bare", shop.database_url(), &shop.app.config.database_pool.to_string(), &address.to_string()]);
        Server::start(&mut command, address)
    }

    pub fn bare_file(file: &Path) -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare-file").arg(file).arg(address.to_string());
        Server::start(&mut command, address)
    }

    pub fn hello() -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("hello").arg(address.to_string());
        Server::start(&mut command, address)
    }

    /// Its resident memory.
    pub fn megabytes(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> anyhow::Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
