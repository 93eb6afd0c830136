//! Reads new lines of a log and of its rotated files, and remembers durably how far it has come.
//!
//! A file is known by its beginning: the first line of Squid's log names its time and number, so it is the file's own, also when the file is renamed
//! or copied. What may be read twice is read twice; the records of such lines are counted once.
use crate::squid::log_line;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes that are read at once. A longer line is skipped.
const CHUNK_BYTES: usize = 1024 * 1024;

/// The length of a beginning, unless its first line is shorter.
const BEGINNING_BYTES: usize = 200;

/// Endings of files that were compressed.
const COMPRESSED: [&str; 4] = ["gz", "bz2", "xz", "zst"];

/// How far a file is read.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Position {
    beginning: String,
    offset: u64,
}

pub struct LogFiles {
    log: PathBuf,
    /// Where the positions are kept.
    kept: PathBuf,
    positions: HashMap<String, u64>,
}

impl LogFiles {
    /// Follows a log. Without known positions, it is read from its beginning.
    pub fn open(log: &Path, kept: PathBuf) -> Result<LogFiles> {
        let positions: Vec<Position> = match fs::read(&kept) {
            Ok(json) => serde_json::from_slice(&json).unwrap_or_else(|error| {
                tracing::warn!(file = %kept.display(), %error, "how far the log was read is lost; all of it is read again");
                Vec::new()
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| format!("reading {}", kept.display())),
        };
        let positions = positions.into_iter().map(|position| (position.beginning, position.offset)).collect();
        Ok(LogFiles { log: log.to_owned(), kept, positions })
    }

    /// Hands all new lines over, in parts. The position moves on when a part is taken without an error.
    pub fn read(&mut self, mut take: impl FnMut(&str) -> Result<()>) -> Result<()> {
        let mut seen = Vec::new();
        for path in self.files()? {
            // It may have been renamed since it was listed, and is found at the next reading.
            let Some(mut file) =
                unless_gone(File::open(&path)).with_context(|| format!("opening {}", path.display()))?
            else {
                continue;
            };
            if let Some(beginning) = beginning(&mut file).with_context(|| format!("reading {}", path.display()))? {
                self.read_file(&mut file, &beginning, &mut take)
                    .with_context(|| format!("reading {}", path.display()))?;
                seen.push(beginning);
            }
        }
        let known = self.positions.len();
        self.positions.retain(|beginning, _| seen.contains(beginning));
        if self.positions.len() < known { self.keep() } else { Ok(()) }
    }

    /// The log and its rotated files.
    fn files(&self) -> Result<Vec<PathBuf>> {
        let folder = self.log.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = self.log.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut found: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
            let entry = entry?;
            let file_name = entry.file_name().to_string_lossy().into_owned();
            let Some(rest) = file_name.strip_prefix(&name) else { continue };
            let is_compressed = rest.rsplit('.').next().is_some_and(|ending| COMPRESSED.contains(&ending));
            if (rest.is_empty() || rest.starts_with('.') || rest.starts_with('-'))
                && !is_compressed
                && let Some(metadata) = unless_gone(entry.metadata())?
                && metadata.is_file()
            {
                found.push(entry.path());
            }
        }
        found.sort_by(|one, other| other.cmp(one));
        Ok(found)
    }

    fn read_file(&mut self, file: &mut File, beginning: &str, take: &mut impl FnMut(&str) -> Result<()>) -> Result<()> {
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let (mut offset, length) = (self.positions.get(beginning).copied().unwrap_or(0), file.metadata()?.len());
            if length < offset && !beginning.starts_with(log_line::NAME) {
                offset = 0;
            }
            // A copy that was made before the last lines has nothing new.
            if length <= offset {
                return Ok(());
            }
            file.seek(SeekFrom::Start(offset))?;
            let length = fill(file, &mut chunk)?;
            let whole = match chunk[..length].iter().rposition(|byte| *byte == b'\n') {
                Some(last) => last + 1,
                None if length == chunk.len() => length,
                // A line that Squid has not finished.
                None => return Ok(()),
            };
            take(&String::from_utf8_lossy(&chunk[..whole]))?;
            self.positions.insert(beginning.to_owned(), offset + whole as u64);
            self.keep()?;
        }
    }

    fn keep(&self) -> Result<()> {
        let positions: Vec<Position> = self
            .positions
            .iter()
            .map(|(beginning, offset)| Position { beginning: beginning.clone(), offset: *offset })
            .collect();
        let new = self.kept.with_extension("new");
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&new)?;
            file.write_all(&serde_json::to_vec(&positions)?)?;
            file.sync_all()?;
            fs::rename(&new, &self.kept)
        };
        write().with_context(|| format!("writing {}", self.kept.display()))
    }
}

/// By what a file is known; none while its first line is not finished. The beginning of a foreign file need not be its own.
fn beginning(file: &mut File) -> std::io::Result<Option<String>> {
    let mut start = [0; BEGINNING_BYTES];
    let length = fill(file, &mut start)?;
    let end = match start[..length].iter().position(|byte| *byte == b'\n') {
        Some(end) => end,
        None if length == start.len() => length,
        None => return Ok(None),
    };
    let text = String::from_utf8_lossy(&start[..end]).into_owned();
    if text.starts_with(log_line::NAME) {
        return Ok(Some(text));
    }
    Ok(Some(format!("{} {text}", file.metadata()?.ino())))
}

/// Reads until the buffer is full, or the file ends.
fn fill(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read(&mut buffer[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}

fn unless_gone<T>(result: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("postern-gate-log-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).expect("a folder");
            Folder(folder)
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn append(&self, name: &str, text: &str) {
            let mut file = File::options().append(true).create(true).open(self.path(name)).expect("a file");
            file.write_all(text.as_bytes()).expect("written");
        }

        fn rename(&self, from: &str, to: &str) {
            fs::rename(self.path(from), self.path(to)).expect("renamed");
        }

        fn open(&self) -> LogFiles {
            LogFiles::open(&self.path("a.log"), self.path("position.json")).expect("opened")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn new_lines(files: &mut LogFiles) -> Vec<String> {
        let mut lines = Vec::new();
        let take = |text: &str| {
            lines.extend(text.lines().map(|line| line.trim_start_matches("postern1 ").to_owned()));
            Ok(())
        };
        files.read(take).expect("read");
        lines
    }

    #[test]
    fn lines_are_read_when_they_are_whole_and_go_on_after_a_restart() {
        let folder = Folder::new("restart");
        assert!(new_lines(&mut folder.open()).is_empty(), "a log that does not exist yet");
        folder.append("a.log", "postern1 1\npostern1 2\npost");
        let mut files = folder.open();
        assert_eq!(new_lines(&mut files), ["1", "2"]);
        assert!(new_lines(&mut files).is_empty());
        folder.append("a.log", "ern1 3\n");
        assert_eq!(new_lines(&mut folder.open()), ["3"]);
        assert!(new_lines(&mut folder.open()).is_empty());
    }

    #[test]
    fn rotated_files_are_read_to_their_end_and_new_ones_from_their_beginning() {
        let folder = Folder::new("rotated");
        folder.append("a.log", "postern1 1\npostern1 2\n");
        assert_eq!(new_lines(&mut folder.open()), ["1", "2"]);
        folder.append("a.log", "postern1 3\n");
        folder.rename("a.log", "a.log.1");
        folder.append("a.log", "postern1 4\n");
        let mut files = folder.open();
        assert_eq!(new_lines(&mut files), ["3", "4"]);
        // Squid writes to the old file until it is told.
        folder.append("a.log.1", "postern1 5\n");
        assert_eq!(new_lines(&mut files), ["5"]);
        folder.rename("a.log.1", "a.log-20261127");
        folder.rename("a.log", "a.log.1");
        folder.append("a.log.3.gz", "postern1 6\n");
        folder.append("a.logs", "postern1 6\n");
        assert!(new_lines(&mut files).is_empty());
    }

    #[test]
    fn a_copied_and_truncated_log_is_not_read_twice() {
        let folder = Folder::new("truncated");
        folder.append("a.log", "postern1 1\npostern1 2\n");
        let mut files = folder.open();
        assert_eq!(new_lines(&mut files), ["1", "2"]);
        fs::copy(folder.path("a.log"), folder.path("a.log.1")).expect("copied");
        folder.append("a.log", "postern1 3\n");
        assert_eq!(new_lines(&mut files), ["3"]);
        assert!(new_lines(&mut files).is_empty(), "the copy is shorter");
        File::options().write(true).open(folder.path("a.log")).expect("opened").set_len(0).expect("truncated");
        folder.append("a.log", "postern1 4\npostern1 5\npostern1 6\npostern1 7\n");
        assert_eq!(new_lines(&mut files), ["4", "5", "6", "7"]);
    }

    #[test]
    fn what_could_not_be_taken_is_read_again() {
        let folder = Folder::new("again");
        folder.append("a.log", "postern1 1\n");
        let mut files = folder.open();
        files.read(|_| anyhow::bail!("the disk is full")).expect_err("an error");
        assert_eq!(new_lines(&mut files), ["1"]);
        fs::write(folder.path("position.json"), "").expect("written");
        assert_eq!(new_lines(&mut folder.open()), ["1"], "a lost position");
    }

    #[test]
    fn foreign_files_and_endless_lines_hold_nothing_up() {
        let folder = Folder::new("foreign");
        folder.append("a.log", &"x".repeat(CHUNK_BYTES + 5));
        folder.append("a.log", "\npostern1 1\n");
        folder.append("a.log.1", "\n\n");
        let mut files = folder.open();
        assert_eq!(new_lines(&mut files).last().map(String::as_str), Some("1"));
        assert!(new_lines(&mut files).is_empty());
    }
}
