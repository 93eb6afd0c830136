//! The random number generator for test inputs.

/// A deterministic random number generator (SplitMix64).
pub struct Generator(u64);

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit
    }

    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u64) as usize]
    }

    /// A text of characters that often cause bugs: escapes, other scripts, signs.
    pub fn text(&mut self, most: u64) -> String {
        const PIECES: &[&str] = &[
            "a", "Z", "0", "9", "@", ".", "-", "/", "\\", "\"", "'", " ", "\n", "密", "é", "😀", "%", ":", "NULL", "",
            "T", "+",
        ];
        (0..self.below(most + 1)).map(|_| *self.pick(PIECES)).collect()
    }

    /// A time, or a string that resembles one.
    pub fn time(&mut self) -> String {
        let (year, month, day) = (1900 + self.below(200), 1 + self.below(13), 1 + self.below(31));
        let (hour, minute, second) = (self.below(25), self.below(60), self.below(61));
        let separator = self.pick(&[" ", "T", "-"]).to_string();
        let end = self.pick(&["", "", "", "Z", ".5", ".123", ".123456Z", "+08:00", " call Bob"]).to_string();
        format!("{year}-{month:02}-{day:02}{separator}{hour:02}:{minute:02}:{second:02}{end}")
    }
}
