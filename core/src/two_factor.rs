//! Two-factor authentication: time-based one-time passwords (RFC 6238, with the defaults of authenticator apps: SHA-1, six digits, 30
//! seconds) and recovery codes. The server computes the HMAC and passes it in.
use crate::account::Throttle;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use chrono::{NaiveDateTime, TimeDelta};

/// The length of the secret, equal to SHA-1's output as RFC 4226 recommends.
pub const SECRET_BYTES: usize = 20;
pub const CODE_DIGITS: usize = 6;
pub const STEP_SECONDS: i64 = 30;
/// A code is also accepted one step early or late, to allow for clock skew and typing.
pub const SKEW_STEPS: i64 = 1;

pub const RECOVERY_CODES: usize = 10;
/// The length of a recovery code, without its hyphen: 50 bits.
const RECOVERY_CODE_LENGTH: usize = 10;
/// Letters and digits that are not mistaken for one another.
const RECOVERY_ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// How long a confirmed session needs no further code for calls that move money or grant access.
pub const CONFIRMED_MINUTES: i64 = 15;
/// How long a displayed secret can be confirmed with a code.
pub const PENDING_MINUTES: i64 = 30;

/// Codes per user and source (sender, known device or session); a correct code resets the count.
pub const CODES_PER_SOURCE: Throttle = Throttle { hits: 10, window_minutes: 15 };
/// Codes per user from all strangers together, and per session: with three of a million codes valid at a time, guessing takes decades.
pub const CODES_PER_DAY: Throttle = Throttle { hits: 50, window_minutes: 24 * 60 };

/// A code as entered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TypedCode {
    /// Six digits from an authenticator app.
    OneTime(String),
    /// A recovery code, in upper case and without its hyphen.
    Recovery(String),
}

impl TypedCode {
    /// Spaces, hyphens and case are ignored. `None` if it has neither form.
    pub fn parse(text: &str) -> Option<TypedCode> {
        let plain: String = text.chars().filter(|character| !matches!(character, ' ' | '-')).collect();
        if plain.len() == CODE_DIGITS && plain.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(TypedCode::OneTime(plain));
        }
        let plain = plain.to_ascii_uppercase();
        let is_recovery =
            plain.len() == RECOVERY_CODE_LENGTH && plain.bytes().all(|byte| RECOVERY_ALPHABET.contains(&byte));
        is_recovery.then_some(TypedCode::Recovery(plain))
    }
}

/// Validates the form of a code, as entered. Only the server can check whether it is correct.
pub fn validate_entered_code(text: &str) -> Result<TypedCode, FieldErrors> {
    let rule = if text.trim().is_empty() { Rule::Required } else { Rule::TwoFactorCode };
    TypedCode::parse(text).ok_or_else(|| FieldErrors::one("Code", rule, &[]))
}

/// The 30-second step of a time, which is the counter of RFC 6238.
pub fn step_at(now: NaiveDateTime) -> i64 {
    now.and_utc().timestamp().div_euclid(STEP_SECONDS)
}

/// The steps whose codes are valid now.
pub fn accepted_steps(now: NaiveDateTime) -> std::ops::RangeInclusive<i64> {
    let step = step_at(now);
    step - SKEW_STEPS..=step + SKEW_STEPS
}

/// The code of a step, from the HMAC-SHA-1 of its number as eight bytes, most significant first (RFC 4226, section 5.3).
pub fn one_time_code(mac: &[u8; 20]) -> String {
    let offset = usize::from(mac[19] & 15);
    let word = u32::from_be_bytes([mac[offset] & 0x7f, mac[offset + 1], mac[offset + 2], mac[offset + 3]]);
    format!("{:0width$}", word % 10_u32.pow(CODE_DIGITS as u32), width = CODE_DIGITS)
}

/// A secret in base32, as authenticator apps expect it: 32 characters.
pub fn secret_text(secret: &[u8; SECRET_BYTES]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let groups = secret.chunks_exact(5).flat_map(|bytes| {
        let word = bytes.iter().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
        (0..8).rev().map(move |place| char::from(ALPHABET[(word >> (place * 5) & 31) as usize]))
    });
    groups.collect()
}

/// The `otpauth:` URI for an authenticator app, shown as a QR code.
pub fn otpauth_uri(shop_name: &str, email: &str, secret: &[u8; SECRET_BYTES]) -> String {
    // A colon would separate issuer and account.
    let issuer = percent_encoded(&shop_name.replace(':', " "));
    let (account, secret) = (percent_encoded(email), secret_text(secret));
    format!(
        "otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits={CODE_DIGITS}&period={STEP_SECONDS}"
    )
}

/// Percent-encodes everything except letters, digits and `-._~`.
fn percent_encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// A recovery code: `XXXXX-XXXXX`.
pub fn recovery_code(random: [u8; RECOVERY_CODE_LENGTH]) -> String {
    let spelled: String = random.iter().map(|byte| char::from(RECOVERY_ALPHABET[usize::from(byte & 31)])).collect();
    let (first, second) = spelled.split_at(RECOVERY_CODE_LENGTH / 2);
    format!("{first}-{second}")
}

/// The time until which a session confirmed at this time needs no further code; `None` if it needs one now.
pub fn confirmed_until(confirmed_at: Option<NaiveDateTime>, now: NaiveDateTime) -> Option<NaiveDateTime> {
    let until = confirmed_at?.checked_add_signed(TimeDelta::minutes(CONFIRMED_MINUTES))?;
    (until > now).then_some(until)
}

/// The rate limit buckets that a code counts towards. `source` is a sender, a session, or the hash of a known device's id.
pub struct CodeBuckets {
    pub limits: Vec<(String, Throttle)>,
}

impl CodeBuckets {
    pub fn of_sign_in(user_id: i64, sender: &str, known_device: Option<&str>) -> CodeBuckets {
        match known_device {
            Some(device) => {
                CodeBuckets { limits: vec![(format!("code of {user_id} with {device}"), CODES_PER_SOURCE)] }
            }
            None => CodeBuckets::of_source(&format!("code of {user_id} from {sender}"), format!("code of {user_id}")),
        }
    }

    /// A session shares no bucket with strangers, who could otherwise block its user.
    pub fn of_session(session_id: i64) -> CodeBuckets {
        CodeBuckets::of_source(
            &format!("code in session {session_id}"),
            format!("codes of a day in session {session_id}"),
        )
    }

    fn of_source(source: &str, day: String) -> CodeBuckets {
        CodeBuckets { limits: vec![(source.to_owned(), CODES_PER_SOURCE), (day, CODES_PER_DAY)] }
    }

    /// The bucket that a correct code resets.
    pub fn bucket_to_reset(&self) -> &str {
        &self.limits[0].0
    }

    /// The bucket from which a correct code subtracts only its own attempt.
    pub fn bucket_to_undo(&self) -> Option<&str> {
        self.limits.get(1).map(|(bucket, _)| bucket.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;
    use crate::time::from_wire;

    #[test]
    fn a_code_is_parsed_in_any_spelling() {
        for (text, expected) in [
            ("123456", Some(TypedCode::OneTime("123456".into()))),
            (" 123 456 ", Some(TypedCode::OneTime("123456".into()))),
            ("abcde-fgh23", Some(TypedCode::Recovery("ABCDEFGH23".into()))),
            ("ABCDEFGH23", Some(TypedCode::Recovery("ABCDEFGH23".into()))),
            ("12345", None),
            ("1234567", None),
            ("ABCDE-FGHI0", None),
            ("12345é", None),
            ("", None),
        ] {
            assert_eq!(TypedCode::parse(text), expected, "{text}");
            assert_eq!(validate_entered_code(text).ok(), expected, "{text}");
        }
        let broken = |text| rules(validate_entered_code(text).expect_err("errors"));
        assert_eq!([broken(" "), broken("12345")], [["Code:required"], ["Code:twoFactorCode"]]);
    }

    #[test]
    fn codes_match_the_examples_of_rfc_4226() {
        // RFC 4226, section 5.4.
        let mac = [
            0x1f, 0x86, 0x98, 0x69, 0x0e, 0x02, 0xca, 0x16, 0x61, 0x85, 0x50, 0xef, 0x7f, 0x19, 0xda, 0x8e, 0x94, 0x5b,
            0x55, 0x5a,
        ];
        assert_eq!(one_time_code(&mac), "872921");
        assert_eq!(one_time_code(&[0; 20]), "000000");
    }

    #[test]
    fn a_secret_is_encoded_for_authenticator_apps() {
        assert_eq!(secret_text(b"12345678901234567890"), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(
            otpauth_uri("Proxy: Corner", "ann+1@example.com", b"12345678901234567890"),
            "otpauth://totp/Proxy%20%20Corner:ann%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=Proxy%20%20Corner&algorithm=SHA1&digits=6&period=30"
        );
    }

    #[test]
    fn a_code_is_valid_for_its_step_and_one_step_before_and_after() {
        let at = |text| from_wire(text).expect("a time");
        assert_eq!(step_at(at("1970-01-01 00:00:59")), 1);
        assert_eq!(accepted_steps(at("2005-03-18 01:58:29")), 37_037_035..=37_037_037);
        assert_eq!(accepted_steps(at("2005-03-18 01:58:30")), 37_037_036..=37_037_038);
    }

    #[test]
    fn a_recovery_code_round_trips() {
        let code = recovery_code([0, 31, 32, 63, 255, 1, 2, 3, 4, 5]);
        assert_eq!(code, "A9A99-BCDEF");
        assert_eq!(TypedCode::parse(&code), Some(TypedCode::Recovery("A9A99BCDEF".into())));
    }

    #[test]
    fn a_session_stays_confirmed_for_a_while() {
        let now = from_wire("2026-11-22 12:00:00").expect("a time");
        let before = |minutes| Some(now - TimeDelta::minutes(minutes));
        assert_eq!(confirmed_until(None, now), None);
        assert_eq!(confirmed_until(before(CONFIRMED_MINUTES), now), None);
        assert_eq!(confirmed_until(before(CONFIRMED_MINUTES - 1), now), Some(now + TimeDelta::minutes(1)));
    }

    #[test]
    fn known_devices_and_sessions_share_no_bucket_with_strangers() {
        let buckets = |buckets: CodeBuckets| buckets.limits.into_iter().map(|(bucket, _)| bucket).collect::<Vec<_>>();
        assert_eq!(
            buckets(CodeBuckets::of_sign_in(7, "203.0.113.9", None)),
            ["code of 7 from 203.0.113.9", "code of 7"]
        );
        assert_eq!(buckets(CodeBuckets::of_sign_in(7, "203.0.113.9", Some("d"))), ["code of 7 with d"]);
        assert_eq!(buckets(CodeBuckets::of_session(3)), ["code in session 3", "codes of a day in session 3"]);
    }
}
