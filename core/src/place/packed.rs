//! Tables packed at compile time: each column becomes one newline-separated string. Arrays of strings, each with pointer and length, would
//! take a third more space in the wasm file.
use std::sync::OnceLock;

pub(super) const fn length(cells: &[&str]) -> usize {
    let mut length = 0;
    let mut index = 0;
    while index < cells.len() {
        length += cells[index].len() + 1;
        index += 1;
    }
    length
}

pub(super) const fn pack<const LENGTH: usize>(cells: &[&str]) -> [u8; LENGTH] {
    let mut packed = [b'\n'; LENGTH];
    let (mut written, mut index) = (0, 0);
    while index < cells.len() {
        let cell = cells[index].as_bytes();
        let mut at = 0;
        while at < cell.len() {
            packed[written + at] = cell[at];
            at += 1;
        }
        written += cell.len() + 1;
        index += 1;
    }
    packed
}

/// `column!(NAME = ROWS.2)` packs the third cell of every row.
macro_rules! column {
    ($name:ident = $rows:ident.$cell:tt) => {
        pub(super) static $name: $crate::place::packed::Column = {
            const CELLS: [&str; $rows.len()] = {
                let mut cells = [""; $rows.len()];
                let mut index = 0;
                while index < cells.len() {
                    cells[index] = $rows[index].$cell;
                    index += 1;
                }
                cells
            };
            const BYTES: [u8; $crate::place::packed::length(&CELLS)] = $crate::place::packed::pack(&CELLS);
            match std::str::from_utf8(&BYTES) {
                Ok(text) => $crate::place::packed::Column::new(text),
                Err(_) => panic!("cells are texts"),
            }
        };
    };
}

pub(super) use column;

/// One line per row. The line offsets are computed once, on first use, because a page of a list looks up hundreds of cells.
pub(super) struct Column {
    text: &'static str,
    lines: OnceLock<Vec<&'static str>>,
}

impl Column {
    pub(super) const fn new(text: &'static str) -> Column {
        Column { text, lines: OnceLock::new() }
    }

    fn lines(&self) -> &[&'static str] {
        self.lines.get_or_init(|| self.text.split_terminator('\n').collect())
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &'static str> {
        self.lines().iter().copied()
    }

    /// The first row with this cell.
    pub(super) fn position(&self, cell: &str) -> Option<usize> {
        self.cells().position(|other| other == cell)
    }

    /// All cells as one text, each followed by a line break.
    pub(super) const fn text(&self) -> &'static str {
        self.text
    }

    /// The cell of a row.
    pub(super) fn at(&self, row: usize) -> &'static str {
        self.lines().get(row).copied().unwrap_or_default()
    }
}
