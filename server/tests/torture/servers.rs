//! Servers that are killed and restarted, each on its port.
use crate::shop::ports::reserved;
use postern_server::config::Config;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::sleep;

pub struct Servers {
    config: Config,
    settings: Vec<(String, String)>,
    places: Vec<Place>,
}

struct Place {
    url: String,
    port: u16,
    process: Mutex<Child>,
}

impl Servers {
    /// `settings` are variables besides.
    pub async fn start(config: &Config, count: usize, settings: &[(&str, &str)]) -> Servers {
        let owned: Vec<(String, String)> =
            settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let places: Vec<Place> = (0..count)
            .map(|_| reserved().port())
            .map(|port| Place {
                url: format!("http://127.0.0.1:{port}"),
                port,
                process: Mutex::new(spawn(config, port, &owned)),
            })
            .collect();
        let servers = Servers { config: config.clone(), settings: owned, places };
        for place in &servers.places {
            for _ in 0..1_200 {
                let ready = reqwest::get(format!("{}/health/ready", place.url)).await;
                if ready.is_ok_and(|answer| answer.status().is_success()) {
                    break;
                }
                sleep(Duration::from_millis(50)).await;
            }
        }
        servers
    }

    /// The URL of one of them, which may be down.
    pub fn url(&self, random: &mut fastrand::Rng) -> &str {
        &self.places[random.usize(..self.places.len())].url
    }

    /// Kills a server with SIGKILL, and restarts it after a moment.
    pub async fn kill_one(&self, random: &mut fastrand::Rng) {
        let place = &self.places[random.usize(..self.places.len())];
        kill(&mut place.process.lock().expect("a process"));
        sleep(Duration::from_millis(random.u64(0..800))).await;
        *place.process.lock().expect("a process") = spawn(&self.config, place.port, &self.settings);
    }

    pub async fn stop(&self) {
        for place in &self.places {
            kill(&mut place.process.lock().expect("a process"));
        }
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        for place in &self.places {
            kill(&mut place.process.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        }
    }
}

fn kill(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

fn spawn(config: &Config, port: u16, settings: &[(String, String)]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_postern"))
        .arg("serve")
        .env("DATABASE_URL", &config.database_url)
        .env("POSTERN_VAR_DIR", &config.var_dir)
        .env("POSTERN_LOCALES_DIR", &config.locales_dir)
        .env("POSTERN_FONTS_DIR", &config.fonts_dir)
        .env("POSTERN_DATABASE_POOL", "10")
        .env("POSTERN_WHEN_OWED", config.when_owed.as_str())
        .env("PORT", port.to_string())
        .envs(settings.iter().cloned())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server's binary")
}
