//! Encryption of a backup by a passphrase: Argon2id makes the key, XChaCha20-Poly1305 encrypts pieces in the STREAM construction, so that a piece that
//! was changed, moved or cut off is noticed.
use aead_stream::{DecryptorBE32, EncryptorBE32};
use anyhow::{Context, ensure};
use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use std::io::{self, Read, Write};

use crate::security::random;

/// The first bytes of an encrypted backup.
const MAGIC: &[u8; 24] = b"postern backup, locked 1";
const SALT: usize = 16;
/// What STREAM leaves of the nonce of 24 bytes.
const NONCE: usize = 19;
const PIECE: usize = 64 * 1024;
const TAG: usize = 16;

fn cipher(passphrase: &str, salt: &[u8]) -> anyhow::Result<XChaCha20Poly1305> {
    // 64 MB, three passes: a guess costs a tenth of a second.
    let params = Params::new(64 * 1024, 3, 1, Some(32)).map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut key = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase.as_bytes(), salt, &mut key)
        .map_err(|error| anyhow::anyhow!("making the key: {error}"))?;
    Ok(XChaCha20Poly1305::new(&key.into()))
}

/// Encrypts what is written to it. Without `finish` the file has no end, and cannot be read.
pub struct Locking<W> {
    out: W,
    stream: EncryptorBE32<XChaCha20Poly1305>,
    piece: Vec<u8>,
}

impl<W: Write> Locking<W> {
    pub fn begin(mut out: W, passphrase: &str) -> anyhow::Result<Locking<W>> {
        let (salt, nonce) = (random::<SALT>(), random::<NONCE>());
        out.write_all(MAGIC)?;
        out.write_all(&salt)?;
        out.write_all(&nonce)?;
        let stream = EncryptorBE32::from_aead(cipher(passphrase, &salt)?, &nonce.into());
        Ok(Locking { out, stream, piece: Vec::with_capacity(PIECE) })
    }

    pub fn finish(mut self) -> io::Result<W> {
        let last = self.stream.encrypt_last(self.piece.as_slice()).map_err(io::Error::other)?;
        self.out.write_all(&last)?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Locking<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full piece waits for more bytes: the last one is encrypted as such.
        if self.piece.len() == PIECE {
            let sealed = self.stream.encrypt_next(self.piece.as_slice()).map_err(io::Error::other)?;
            self.out.write_all(&sealed)?;
            self.piece.clear();
        }
        let taken = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads a backup that may be encrypted.
pub enum Unlocking<R> {
    /// The bytes that were read to see whether it is encrypted, and the rest.
    Plain(io::Chain<io::Cursor<Vec<u8>>, R>),
    Locked(Box<Locked<R>>),
}

pub struct Locked<R> {
    input: R,
    /// Absent after the last piece.
    stream: Option<DecryptorBE32<XChaCha20Poly1305>>,
    /// An encrypted piece, read ahead: the last one is the one after which nothing comes.
    next: Vec<u8>,
    plain: io::Cursor<Vec<u8>>,
}

impl<R: Read> Unlocking<R> {
    /// Whether the file is encrypted is seen by its beginning.
    pub fn begin(mut input: R, passphrase: Option<&str>) -> anyhow::Result<Unlocking<R>> {
        let head = read_up_to(&mut input, MAGIC.len())?;
        if head != MAGIC {
            return Ok(Unlocking::Plain(io::Cursor::new(head).chain(input)));
        }
        let passphrase =
            passphrase.context("the backup is encrypted: name the file of its passphrase with --passphrase-file")?;
        let start = read_up_to(&mut input, SALT + NONCE)?;
        ensure!(start.len() == SALT + NONCE, "the backup is cut off");
        let (salt, nonce) = start.split_at(SALT);
        let nonce: [u8; NONCE] = nonce.try_into()?;
        let stream = DecryptorBE32::from_aead(cipher(passphrase, salt)?, &nonce.into());
        let next = read_up_to(&mut input, PIECE + TAG)?;
        let plain = io::Cursor::new(Vec::new());
        Ok(Unlocking::Locked(Box::new(Locked { input, stream: Some(stream), next, plain })))
    }
}

impl<R: Read> Locked<R> {
    fn open_piece(&mut self) -> io::Result<bool> {
        let Some(mut stream) = self.stream.take() else { return Ok(false) };
        let wrong = |_| {
            io::Error::new(io::ErrorKind::InvalidData, "the passphrase is wrong, or the backup is damaged or cut off")
        };
        let following = read_up_to(&mut self.input, PIECE + TAG)?;
        let piece = std::mem::replace(&mut self.next, following);
        let opened = if self.next.is_empty() {
            stream.decrypt_last(piece.as_slice()).map_err(wrong)?
        } else {
            let opened = stream.decrypt_next(piece.as_slice()).map_err(wrong)?;
            self.stream = Some(stream);
            opened
        };
        self.plain = io::Cursor::new(opened);
        Ok(true)
    }
}

impl<R: Read> Read for Unlocking<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let locked = match self {
            Unlocking::Plain(input) => return input.read(bytes),
            Unlocking::Locked(locked) => locked,
        };
        loop {
            let read = locked.plain.read(bytes)?;
            if read > 0 || bytes.is_empty() || !locked.open_piece()? {
                return Ok(read);
            }
        }
    }
}

/// Reads this many bytes, or all that is left.
fn read_up_to(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(plain: &[u8]) -> Vec<u8> {
        let mut locking = Locking::begin(Vec::new(), "correct horse").expect("a key");
        locking.write_all(plain).expect("a vector");
        locking.finish().expect("a vector")
    }

    fn opened(file: &[u8], passphrase: &str) -> anyhow::Result<Vec<u8>> {
        let mut plain = Vec::new();
        Unlocking::begin(file, Some(passphrase))?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn what_was_locked_opens_whatever_its_length() {
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE] {
            let plain: Vec<u8> = (0..length).map(|at| at as u8).collect();
            let file = locked(&plain);
            assert_eq!(opened(&file, "correct horse").expect("the plain bytes"), plain, "{length}");
        }
    }

    #[test]
    fn another_passphrase_and_a_changed_cut_or_moved_piece_are_noticed() {
        let plain = vec![7; 2 * PIECE + 5];
        let file = locked(&plain);
        assert!(opened(&file, "wrong horse").is_err());
        assert!(Unlocking::begin(file.as_slice(), None).is_err_and(|error| error.to_string().contains("passphrase")));
        for at in [MAGIC.len(), MAGIC.len() + SALT, MAGIC.len() + SALT + NONCE, file.len() - 1] {
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(opened(&changed, "correct horse").is_err(), "{at}");
        }
        let head = MAGIC.len() + SALT + NONCE;
        for length in [head, head + PIECE + TAG, file.len() - 1] {
            assert!(opened(&file[..length], "correct horse").is_err(), "{length}");
        }
        let (first, second) = (head..head + PIECE + TAG, head + PIECE + TAG..head + 2 * (PIECE + TAG));
        let moved = [&file[..head], &file[second.clone()], &file[first], &file[second.end..]].concat();
        assert!(opened(&moved, "correct horse").is_err());
    }
}
