//! Files on disk and their permissions.
use crate::shop::Shop;
use serde_json::json;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder and all that is in it.
fn everything_in(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { all.extend(everything_in(&path)) } else { all.push(path) }
    }
    all
}

fn open_to_others(folder: &Path) -> Vec<PathBuf> {
    let mode = |path: &PathBuf| std::fs::metadata(path).expect("a file").permissions().mode();
    everything_in(folder).into_iter().filter(|path| mode(path) & 0o077 != 0).collect()
}

#[actix_web::test]
async fn files_of_a_shop_are_readable_by_their_owner_only() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    assert!(shop.last_mail_to(&customer.email).is_some());
    assert_eq!(open_to_others(&shop.app.config.var_dir), Vec::<PathBuf>::new());
}

#[actix_web::test]
async fn open_permissions_are_tightened_at_start_up() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let folder = &shop.app.config.var_dir;
    std::fs::write(folder.join("demo-accounts.json"), "{}").expect("a file");
    let all = everything_in(folder);
    for path in &all {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("open to all");
    }
    assert_eq!(open_to_others(folder), all);
    postern_server::app::open((*shop.app.config).clone()).expect("a second start");
    assert_eq!(open_to_others(folder), Vec::<PathBuf>::new());
}

#[test]
fn commands_write_private_files_regardless_of_the_umask() {
    let folder = std::env::temp_dir().join(format!("postern-files-{}", std::process::id()));
    let command =
        format!("umask 000; exec {} inventory export {}/nodes.csv", env!("CARGO_BIN_EXE_postern"), folder.display());
    let done = Command::new("sh")
        .args(["-c", &command])
        .env_remove("DATABASE_URL")
        .env("POSTERN_VAR_DIR", &folder)
        .env("POSTERN_LOCALES_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/../locales"))
        .output()
        .expect("the command");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(everything_in(&folder).contains(&folder.join("nodes.csv")));
    assert_eq!(open_to_others(&folder), Vec::<PathBuf>::new());
    std::fs::remove_dir_all(folder).expect("gone");
}
