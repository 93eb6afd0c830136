//! The file of a backup: a tar archive, whose first entry is the manifest and whose last one is the SHA-256 of all bytes before it. Any bit that is not
//! as it was written is noticed.
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use tar::{Archive, Builder, EntryType, Header};

/// The format of this version. Another one is written when an older program could misread a backup.
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
const SEAL: &str = "sha256";
const MANIFEST_LIMIT: u64 = 1_000_000;

/// What a backup has.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Manifest {
    pub format: u32,
    /// The version of the program that wrote it.
    pub version: String,
    pub database: Kind,
    /// The moment whose state it has, in UTC.
    pub taken_at: String,
    pub migrations: Vec<String>,
    /// The number of rows of the most important tables.
    pub rows: BTreeMap<String, i64>,
    pub files: Vec<Part>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Kind {
    #[serde(rename = "SQLite")]
    Sqlite,
    #[serde(rename = "PostgreSQL")]
    Postgres,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Sqlite => "SQLite",
            Kind::Postgres => "PostgreSQL",
        }
    }
}

/// A file in a backup.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Part {
    pub name: String,
    pub bytes: u64,
    pub sha256: String,
}

impl Manifest {
    pub fn new(database: Kind, taken_at: String) -> Manifest {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let (migrations, rows, files) = (Vec::new(), BTreeMap::new(), Vec::new());
        Manifest { format: FORMAT, version, database, taken_at, migrations, rows, files }
    }

    /// Adds a file of this folder, if there is one.
    pub fn add(&mut self, folder: &Path, name: &str) -> anyhow::Result<()> {
        let path = folder.join(name);
        if !path.exists() {
            return Ok(());
        }
        let mut hashing = Hashing::new(io::sink());
        let bytes = io::copy(&mut BufReader::new(File::open(&path)?), &mut hashing)?;
        self.files.push(Part { name: name.to_owned(), bytes, sha256: hashing.digest() });
        Ok(())
    }
}

/// Passes on what is written, and hashes it.
struct Hashing<W> {
    out: W,
    sha256: Sha256,
}

impl<W> Hashing<W> {
    fn new(out: W) -> Hashing<W> {
        Hashing { out, sha256: Sha256::new() }
    }

    fn digest(&self) -> String {
        hex::encode(self.sha256.clone().finalize())
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// In GNU's format, which has room for the size of files of more than 8 GB.
fn append<W: Write>(tar: &mut Builder<W>, name: &str, bytes: u64, content: impl Read) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(0);
    tar.append_data(&mut header, name, content)
}

fn append_seal<W: Write>(tar: &mut Builder<W>, digest: &str) -> io::Result<()> {
    append(tar, SEAL, digest.len() as u64, digest.as_bytes())
}

/// The last entry and the end of an archive.
fn trailer(digest: &str) -> io::Result<Vec<u8>> {
    let mut tar = Builder::new(Vec::new());
    append_seal(&mut tar, digest)?;
    tar.into_inner()
}

/// Writes the archive of the files that the manifest names, from this folder.
pub fn write<W: Write>(out: W, manifest: &Manifest, folder: &Path) -> anyhow::Result<W> {
    let mut tar = Builder::new(Hashing::new(out));
    let text = serde_json::to_vec_pretty(manifest)?;
    append(&mut tar, MANIFEST, text.len() as u64, text.as_slice())?;
    for part in &manifest.files {
        append(&mut tar, &part.name, part.bytes, BufReader::new(File::open(folder.join(&part.name))?))?;
    }
    let digest = tar.get_ref().digest();
    append_seal(&mut tar, &digest)?;
    let mut hashing = tar.into_inner()?;
    hashing.flush()?;
    Ok(hashing.out)
}

/// Reads all of an archive, and refuses it unless every bit is as it was written.
pub fn check_seal(mut input: impl Read) -> anyhow::Result<()> {
    let length = trailer(&Hashing::new(io::sink()).digest())?.len();
    let mut hashing = Hashing::new(io::sink());
    let (mut held, mut read) = (Vec::new(), vec![0; 256 * 1024]);
    loop {
        let count = input.read(&mut read)?;
        if count == 0 {
            break;
        }
        held.extend_from_slice(&read[..count]);
        let settled = held.len().saturating_sub(length);
        hashing.write_all(&held[..settled])?;
        held.drain(..settled);
    }
    ensure!(held == trailer(&hashing.digest())?, "the backup is damaged or cut off: restore another one");
    Ok(())
}

/// Reads the files of an archive into a folder. The caller has checked its seal.
pub fn unpack(input: impl Read, folder: &Path) -> anyhow::Result<Manifest> {
    let mut archive = Archive::new(input);
    let mut entries = archive.entries()?;
    let mut first = entries.next().context("the file is empty")??;
    ensure!(first.path()?.to_str() == Some(MANIFEST), "the file is no backup of Postern");
    let mut text = String::new();
    first.by_ref().take(MANIFEST_LIMIT).read_to_string(&mut text)?;
    let manifest = read_manifest(&text)?;
    for part in &manifest.files {
        let mut entry = entries.next().context("the backup is cut off")??;
        let is_plain = Path::new(&part.name).file_name().is_some_and(|name| name.to_str() == Some(&part.name));
        ensure!(is_plain && entry.path()?.to_str() == Some(&part.name), "the backup does not fit its manifest");
        let mut hashing = Hashing::new(File::create(folder.join(&part.name))?);
        let bytes = io::copy(&mut entry, &mut hashing)?;
        ensure!(bytes == part.bytes && hashing.digest() == part.sha256, "{} in the backup is damaged", part.name);
    }
    Ok(manifest)
}

fn read_manifest(text: &str) -> anyhow::Result<Manifest> {
    #[derive(Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Beginning {
        format: u32,
        version: String,
    }
    let beginning: Beginning = serde_json::from_str(text).context("the file is no backup of Postern")?;
    if beginning.format != FORMAT {
        bail!(
            "the backup was written by Postern {}, in a format that this version {} cannot read",
            beginning.version,
            env!("CARGO_PKG_VERSION")
        );
    }
    Ok(serde_json::from_str(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("postern-archive-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn written(name: &str) -> (Manifest, Vec<u8>) {
        let folder = folder(name);
        std::fs::write(folder.join("secret.key"), "ab".repeat(32)).expect("a file");
        std::fs::write(folder.join("database"), vec![3; 1_500]).expect("a file");
        let mut manifest = Manifest::new(Kind::Sqlite, "2026-05-04 09:30:00".to_owned());
        for file in ["database", "secret.key", "absent"] {
            manifest.add(&folder, file).expect("a hash");
        }
        let bytes = write(Vec::new(), &manifest, &folder).expect("an archive");
        std::fs::remove_dir_all(folder).expect("gone");
        (manifest, bytes)
    }

    #[test]
    fn what_was_written_is_read_by_us_and_by_tar() {
        let (manifest, bytes) = written("whole");
        assert_eq!(manifest.files.len(), 2);
        check_seal(bytes.as_slice()).expect("a seal");
        let folder = folder("unpacked");
        assert_eq!(unpack(bytes.as_slice(), &folder).expect("files"), manifest);
        assert_eq!(std::fs::read(folder.join("database")).expect("a file"), vec![3; 1_500]);
        std::fs::remove_dir_all(folder).expect("gone");
        let mut archive = Archive::new(bytes.as_slice());
        let names = archive.entries().expect("entries").map(|entry| entry.expect("an entry").path_bytes().to_vec());
        let names: Vec<String> = names.map(|name| String::from_utf8(name).expect("a name")).collect();
        assert_eq!(names, [MANIFEST, "database", "secret.key", SEAL]);
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let (_, bytes) = written("flipped");
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(check_seal(flipped.as_slice()).is_err(), "bit {bit}");
        }
        for length in [0, 1, 512, bytes.len() / 2, bytes.len() - 1] {
            assert!(check_seal(&bytes[..length]).is_err(), "{length}");
        }
        assert!(check_seal([bytes.as_slice(), b"\0"].concat().as_slice()).is_err(), "a byte more");
    }

    #[test]
    fn a_newer_format_and_foreign_files_are_refused() {
        let newer = r#"{"Format":2,"Version":"9.1.0","New":[]}"#;
        let error = read_manifest(newer).expect_err("a refusal").to_string();
        assert!(error.contains("9.1.0") && error.contains(env!("CARGO_PKG_VERSION")), "{error}");
        assert!(read_manifest("{}").is_err());
        for bytes in [&b"not a tar"[..], &[0; 4_096]] {
            assert!(unpack(bytes, Path::new("/nowhere")).is_err());
        }
    }
}
