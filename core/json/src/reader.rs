//! Tokenises JSON text.
use crate::value::{Json, escape, unescape};
use std::borrow::Cow;

/// The maximum nesting depth. Deeper input is rejected, because every level uses stack.
const MAX_DEPTH: usize = 128;

impl<'t> Json<'t> {
    /// Parses one value, with optional whitespace around it; `None` for invalid JSON.
    pub fn parse(text: &'t str) -> Option<Json<'t>> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        reader.is_at_end().then_some(value)
    }

    /// Parses the value at the start of the text, and returns it with its length in bytes.
    pub fn parse_first(text: &'t str) -> Option<(Json<'t>, usize)> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        Some((value, reader.position()))
    }
}

/// The string as written, unless it contains an escaped lone surrogate, which UTF-8 cannot represent.
fn whole_characters(written: &str) -> Cow<'_, str> {
    match unescape(written) {
        Some(Cow::Owned(text)) if text.chars().any(|character| character == char::REPLACEMENT_CHARACTER) => {
            escape(&text).into_owned().into()
        }
        _ => Cow::Borrowed(written),
    }
}

/// A position in JSON text.
pub(super) struct Reader<'t> {
    text: &'t str,
    position: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, position: 0, depth: 0 }
    }

    /// Whether only whitespace follows.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.position == self.text.len()
    }

    /// The next byte after whitespace, without consuming it.
    #[inline(never)]
    pub(super) fn next_byte(&mut self) -> Option<u8> {
        self.skip_blanks();
        self.peek()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    /// Skips whitespace, and consumes the next byte if it is this one.
    fn pass(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let is_next = self.peek() == Some(byte);
        self.position += usize::from(is_next);
        is_next
    }

    /// Parses the next value of any type.
    pub(super) fn value(&mut self) -> Option<Json<'t>> {
        match self.next_byte()? {
            b'"' => self.string().map(|written| Json::Text(whole_characters(written))),
            b'[' => {
                let mut items = Vec::new();
                self.open()?;
                while self.next_item(b']', items.is_empty())? {
                    items.push(self.value()?);
                }
                Some(Json::Array(items))
            }
            b'{' => {
                let mut fields = Vec::new();
                self.open()?;
                while self.next_item(b'}', fields.is_empty())? {
                    let key = unescape(self.key()?)?;
                    Json::insert(&mut fields, key, self.value()?);
                }
                Some(Json::Object(fields))
            }
            _ => self.plain().map(Json::Plain),
        }
    }

    /// Consumes the opening bracket of an array or object.
    pub(super) fn open(&mut self) -> Option<()> {
        self.position += 1;
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }

    /// Whether another item precedes this closing bracket. Consumes the comma before the item, or the bracket; `None` if neither is there.
    #[inline(never)]
    pub(super) fn next_item(&mut self, end: u8, is_first: bool) -> Option<bool> {
        if self.pass(end) {
            self.depth -= 1;
            return Some(false);
        }
        (is_first || self.pass(b',')).then_some(true)
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Seeks the value of this key in the object whose first field begins at `begin`. The search starts at the current position and wraps
    /// around; if the key is absent, the position is unchanged. Keys that are looked up in document order are scanned once.
    #[inline(never)]
    pub(super) fn find(&mut self, begin: usize, key: &str) -> Option<bool> {
        let from = self.position;
        let mut is_second_round = false;
        loop {
            if is_second_round && self.position == from {
                return Some(false);
            }
            if self.next_item(b'}', self.position == begin)? {
                let written = self.key()?;
                if written == key || (written.as_bytes().contains(&b'\\') && unescape(written)? == key) {
                    return Some(true);
                }
                self.value()?;
                continue;
            }
            // Undo the closing bracket.
            self.depth += 1;
            self.position = begin;
            if from == begin {
                return Some(false);
            }
            if is_second_round {
                return None;
            }
            is_second_round = true;
        }
    }

    /// Consumes the remaining fields of the object whose first field begins at `begin`, and its closing bracket.
    pub(super) fn close(&mut self, begin: usize) -> Option<()> {
        while self.next_item(b'}', self.position == begin)? {
            self.key()?;
            self.value()?;
        }
        Some(())
    }

    /// Consumes the next key and the colon after it; returns the key as written.
    #[inline(never)]
    pub(super) fn key(&mut self) -> Option<&'t str> {
        self.skip_blanks();
        let key = self.string()?;
        self.pass(b':').then_some(key)
    }

    /// A number, `true`, `false` or `null`.
    #[inline(never)]
    pub(super) fn plain(&mut self) -> Option<&'t str> {
        if let b'-' | b'0'..=b'9' = self.next_byte()? {
            return self.number();
        }
        let rest = self.text.get(self.position..)?;
        let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word))?;
        self.position += word.len();
        Some(word)
    }

    /// The text between the quotes of the next string, still escaped.
    #[inline(never)]
    pub(super) fn string(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        if self.peek() != Some(b'"') {
            return None;
        }
        let begin = self.position + 1;
        let mut end = begin;
        loop {
            match *bytes.get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                0..b' ' => return None,
                _ => end += 1,
            }
        }
        self.position = end + 1;
        let written = self.text.get(begin..end)?;
        unescape(written).map(|_| written)
    }

    fn number(&mut self) -> Option<&'t str> {
        let begin = self.position;
        self.position += usize::from(self.peek() == Some(b'-'));
        let leading_zero = self.peek() == Some(b'0');
        if self.digits()? > 1 && leading_zero {
            return None;
        }
        if self.peek() == Some(b'.') {
            self.position += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.position += 1;
            self.position += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        self.text.get(begin..self.position)
    }

    /// Consumes digits and returns how many; `None` if there are none.
    fn digits(&mut self) -> Option<usize> {
        let begin = self.position;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
        Some(self.position - begin).filter(|count| *count > 0)
    }
}
