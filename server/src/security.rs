//! Secrets: random tokens, hashes of tokens and passwords, encrypted values, signatures of callbacks.
use anyhow::Context;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, PasswordHash, Version};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use chacha20poly1305::aead::{Aead, KeyInit as _};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::io::ErrorKind;
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// Random bytes from the operating system.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}

/// A token for a session, a link or a page: 256 bits, URL-safe. Only its hash is stored.
pub fn new_token() -> String {
    URL_SAFE_NO_PAD.encode(random::<32>())
}

/// Whether a text from outside could be a token at all: PostgreSQL refuses to compare some others, such as one with NUL.
pub fn is_token(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

pub fn sha256(text: impl AsRef<[u8]>) -> String {
    // In place: `hex::encode` would push every digit separately, for every request of a proxy server.
    let mut digits = vec![0; 64];
    hex::encode_to_slice(Sha256::digest(text.as_ref()), &mut digits).expect("two digits a byte");
    String::from_utf8(digits).expect("digits are ASCII")
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).expect("OWASP's parameters are valid");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Takes about 20 ms and 19 MB: call it on a blocking thread. Systems type `é` as one character or as two: both are the same password.
pub fn hash_password(password: &str) -> anyhow::Result<String> {
    let composed: String = password.nfc().collect();
    let hash = argon2().hash_password(composed.as_bytes()).map_err(|error| anyhow::anyhow!("hashing: {error}"))?;
    Ok(hash.to_string())
}

/// A random salt for `hash_with_salt`.
pub fn new_salt() -> String {
    hex::encode(random::<16>())
}

/// A slow hash of a short secret that is looked up by its hash, with a salt per owner. As slow as `hash_password`.
pub fn hash_with_salt(text: &str, salt: &str) -> anyhow::Result<String> {
    let mut hash = [0; 32];
    let hashed = argon2().hash_password_into(text.as_bytes(), salt.as_bytes(), &mut hash);
    hashed.map_err(|error| anyhow::anyhow!("hashing: {error}"))?;
    Ok(hex::encode(hash))
}

/// HMAC-SHA-1, the default of authenticator apps.
pub fn hmac_sha1(key: &[u8], text: &[u8]) -> [u8; 20] {
    let mut mac = Hmac::<Sha1>::new_from_slice(key).expect("a key of any length will do");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

/// Compares in constant time.
pub fn equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// Takes the same time with or without a hash, so that timing does not reveal whether an account exists. Passwords were once hashed as
/// typed, so the decomposed form of a password may match too.
pub fn password_matches(password: &str, hash: Option<&str>) -> bool {
    let mut forms: Vec<String> = vec![password.nfc().collect(), password.to_owned(), password.nfd().collect()];
    forms.dedup();
    let hash = hash.map(PasswordHash::new);
    forms.iter().any(|form| match &hash {
        Some(Ok(hash)) => argon2().verify_password(form.as_bytes(), hash).is_ok(),
        _ => {
            let _ = hash_password(form);
            false
        }
    })
}

/// The shop's secret key, from which purpose-specific keys are derived.
#[derive(Clone)]
pub struct SecretKey {
    root: [u8; 32],
    sealing: [u8; 32],
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SecretKey")
    }
}

impl SecretKey {
    pub fn of(root: [u8; 32]) -> SecretKey {
        SecretKey { root, sealing: derive(&root, "sealed values") }
    }

    /// Parses a key written as 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<SecretKey> {
        Some(SecretKey::of(hex::decode(text.trim()).ok()?.try_into().ok()?))
    }

    /// The key as its file has it.
    pub fn written(&self) -> String {
        hex::encode(self.root)
    }

    /// Reads the key file, if it exists.
    pub fn load(path: &Path) -> anyhow::Result<Option<SecretKey>> {
        match std::fs::read_to_string(path) {
            Ok(text) => SecretKey::parse(&text)
                .with_context(|| format!("{} is not a key of 64 hexadecimal digits", path.display()))
                .map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }

    /// Reads the key file, or creates one readable by its owner only. A file that exists but holds no valid key is never
    /// replaced: everything encrypted with it would be lost.
    pub fn load_or_create(path: &Path) -> anyhow::Result<SecretKey> {
        SecretKey::load(path)?.map_or_else(|| SecretKey::create(path), Ok)
    }

    /// Created atomically; of several processes that start together, only one creates it.
    fn create(path: &Path) -> anyhow::Result<SecretKey> {
        let root = random();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let draft = path.with_extension(hex::encode(random::<8>()));
        write_private(&draft, &SecretKey::of(root).written())?;
        let linked = std::fs::hard_link(&draft, path);
        std::fs::remove_file(&draft)?;
        match linked {
            Ok(()) => Ok(SecretKey::of(root)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => SecretKey::load_or_create(path),
            Err(error) => Err(error).with_context(|| format!("writing {}", path.display())),
        }
    }

    /// Encrypts a value for the database.
    pub fn seal(&self, plain: &str) -> anyhow::Result<String> {
        let nonce = random::<24>();
        let cipher = XChaCha20Poly1305::new(&self.sealing.into());
        let sealed = cipher.encrypt(&XNonce::from(nonce), plain.as_bytes());
        let sealed = sealed.map_err(|_| anyhow::anyhow!("a value could not be encrypted"))?;
        Ok(STANDARD_NO_PAD.encode([nonce.as_slice(), &sealed].concat()))
    }

    pub fn open(&self, sealed: &str) -> anyhow::Result<String> {
        let bytes = STANDARD_NO_PAD.decode(sealed)?;
        let (nonce, sealed) = bytes.split_first_chunk::<24>().context("an encrypted value is too short")?;
        let cipher = XChaCha20Poly1305::new(&self.sealing.into());
        let plain = cipher.decrypt(&XNonce::from(*nonce), sealed);
        Ok(String::from_utf8(plain.map_err(|_| anyhow::anyhow!("an encrypted value does not match the key"))?)?)
    }

    /// Signs a gateway's callback, as the sandbox does.
    pub fn sign(&self, purpose: &str, body: &[u8]) -> String {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&derive(&self.root, purpose)).expect("a key of any length will do");
        mac.update(body);
        hex::encode(mac.finalize().into_bytes())
    }

    /// Checks a signature in constant time.
    pub fn signature_matches(&self, purpose: &str, body: &[u8], signature: &str) -> bool {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&derive(&self.root, purpose)).expect("a key of any length will do");
        mac.update(body);
        hex::decode(signature).is_ok_and(|bytes| mac.verify_slice(&bytes).is_ok())
    }
}

fn derive(root: &[u8; 32], purpose: &str) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(root).expect("a key of any length will do");
    mac.update(purpose.as_bytes());
    mac.finalize().into_bytes().into()
}

/// Writes a file that only its owner can read.
pub fn write_private(path: &Path, content: &str) -> anyhow::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    file.write_all(content.as_bytes())?;
    Ok(file.sync_all()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encrypted_value_opens_only_unchanged_and_with_its_key() {
        let (key, other) = (SecretKey::of([1; 32]), SecretKey::of([2; 32]));
        let sealed = key.seal("s3cret 密").expect("sealed");
        assert_eq!(key.open(&sealed).expect("opened"), "s3cret 密");
        assert_ne!(key.seal("s3cret 密").expect("sealed"), sealed);
        assert!(other.open(&sealed).is_err() && key.open(&sealed[..20]).is_err() && key.open("!").is_err());
    }

    #[test]
    fn an_invalid_key_file_is_never_replaced_and_a_missing_one_is_created_once() {
        let folder = std::env::temp_dir().join(format!("postern-key-{}", hex::encode(random::<8>())));
        let path = folder.join("secret.key");
        let starts: Vec<_> = (0..8)
            .map(|_| {
                std::thread::spawn({
                    let path = path.clone();
                    move || SecretKey::load_or_create(&path)
                })
            })
            .collect();
        let keys: Vec<_> = starts.into_iter().map(|start| start.join().expect("a start").expect("a key")).collect();
        let sealed = keys[0].seal("x").expect("sealed");
        assert!(keys.iter().all(|key| key.open(&sealed).is_ok()));
        let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").collect();
        assert_eq!(left.len(), 1, "no drafts stay");
        std::fs::write(&path, "not a key").expect("written");
        assert!(SecretKey::load_or_create(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "not a key");
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_signature_fits_one_body_and_one_purpose() {
        let key = SecretKey::of([1; 32]);
        let signature = key.sign("sandbox", b"body");
        assert!(key.signature_matches("sandbox", b"body", &signature));
        for (purpose, body, signature) in
            [("sandbox", &b"bodY"[..], signature.as_str()), ("stripe", b"body", &signature), ("sandbox", b"body", "zz")]
        {
            assert!(!key.signature_matches(purpose, body, signature));
        }
    }

    #[test]
    fn one_time_codes_are_those_of_the_standard() {
        use postern_core::two_factor::{SECRET_BYTES, one_time_code};
        let secret: [u8; SECRET_BYTES] = *b"12345678901234567890";
        // RFC 6238, appendix B, with its last six digits; the steps of 59, 1111111109, 1234567890 and 20000000000 seconds.
        for (step, expected) in
            [(1_i64, "287082"), (37_037_036, "081804"), (41_152_263, "005924"), (666_666_666, "353130")]
        {
            assert_eq!(one_time_code(&hmac_sha1(&secret, &step.to_be_bytes())), expected, "{step}");
        }
    }

    #[test]
    fn a_salted_hash_is_the_same_for_the_same_salt_only() {
        let (salt, other) = (new_salt(), new_salt());
        let hash = hash_with_salt("ABCDEFGH23", &salt).expect("a hash");
        assert_eq!(hash_with_salt("ABCDEFGH23", &salt).expect("a hash"), hash);
        assert_ne!(hash_with_salt("ABCDEFGH23", &other).expect("a hash"), hash);
        assert!(equal(b"ab", b"ab") && !equal(b"ab", b"ac") && !equal(b"ab", b"abc"));
    }

    #[test]
    fn passwords_match_their_own_hash_only() {
        let hash = hash_password("correct horse").expect("a hash");
        assert!(password_matches("correct horse", Some(&hash)));
        assert!(!password_matches("wrong horse", Some(&hash)) && !password_matches("correct horse", None));
    }

    #[test]
    fn a_password_matches_however_its_accents_are_typed() {
        let (composed, decomposed) =
            ("caf\u{e9} \u{d55c}\u{ae00} 1", "cafe\u{301} \u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af} 1");
        // As passwords were hashed before: as typed.
        let as_typed = |password: &str| argon2().hash_password(password.as_bytes()).expect("a hash").to_string();
        for kept in
            [hash_password(composed), hash_password(decomposed), Ok(as_typed(composed)), Ok(as_typed(decomposed))]
        {
            let kept = kept.expect("a hash");
            for typed in [composed, decomposed] {
                assert!(password_matches(typed, Some(&kept)), "{typed:?}");
            }
            assert!(!password_matches("cafe \u{d55c}\u{ae00} 1", Some(&kept)));
        }
    }
}
