//! The pieces of a JSON text, one after the other.
use crate::value::{Json, escape, unescape};
use std::borrow::Cow;

/// Values may be nested so deep; more is refused, as every level takes room on the stack.
const MAX_DEPTH: usize = 128;

impl<'t> Json<'t> {
    /// Reads one value with blanks around it; `None` for what is not JSON.
    pub fn parse(text: &'t str) -> Option<Json<'t>> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        reader.is_at_end().then_some(value)
    }

    /// Reads the value that the text begins with, and says how many bytes it takes.
    pub fn parse_first(text: &'t str) -> Option<(Json<'t>, usize)> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        Some((value, reader.position()))
    }
}

/// The text as written, unless half a character is in it, which no reader of UTF-8 would take.
fn whole_characters(written: &str) -> Cow<'_, str> {
    match unescape(written) {
        Some(Cow::Owned(text)) if text.chars().any(|character| character == char::REPLACEMENT_CHARACTER) => {
            escape(&text).into_owned().into()
        }
        _ => Cow::Borrowed(written),
    }
}

/// A place in a JSON text.
pub(super) struct Reader<'t> {
    text: &'t str,
    position: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { text, position: 0, depth: 0 }
    }

    /// Does nothing but blanks follow?
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.position == self.text.len()
    }

    /// The first byte of what comes next, after blanks.
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

    /// Passes this byte, if it is the next one that is not blank.
    fn pass(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let is_next = self.peek() == Some(byte);
        self.position += usize::from(is_next);
        is_next
    }

    /// The value that comes next, whatever it is.
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

    /// Passes the bracket that opens an array or an object.
    pub(super) fn open(&mut self) -> Option<()> {
        self.position += 1;
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }

    /// Is there one more item before this closing bracket? Passes the comma before it, or the bracket; `None` where neither is.
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

    /// Goes to the value of this key in the object whose first field begins at `begin`. Looks onward from between two fields, where
    /// it stays if there is no such key, so that keys in the order of the questions are passed once.
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
            // Back before the bracket just passed.
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

    /// Passes the fields that are left of the object whose first field begins at `begin`, and its bracket.
    pub(super) fn close(&mut self, begin: usize) -> Option<()> {
        while self.next_item(b'}', self.position == begin)? {
            self.key()?;
            self.value()?;
        }
        Some(())
    }

    /// The key that comes next, as written, and the colon behind it.
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

    /// What is between the quotes of the string that begins here.
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

    /// Passes digits and says how many; `None` for none.
    fn digits(&mut self) -> Option<usize> {
        let begin = self.position;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
        Some(self.position - begin).filter(|count| *count > 0)
    }
}
