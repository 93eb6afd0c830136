//! Which cities a catalogue shows first.

/// So many cities are shown before the others.
pub const POPULAR_CITIES: usize = 6;

/// The keys of the cities in which most proxies are sold, the first first; where as many are sold, by key. A city without a
/// sold proxy is not popular.
///
/// ```
/// use postern_core::place::popular_cities;
/// assert_eq!(popular_cities([("paris", 3), ("tokyo", 7), ("oslo", 0)]), ["tokyo", "paris"]);
/// ```
pub fn popular_cities<'a>(sold: impl IntoIterator<Item = (&'a str, i64)>) -> Vec<&'a str> {
    let mut cities: Vec<(&str, i64)> = sold.into_iter().filter(|(_, sold)| *sold > 0).collect();
    cities.sort_by(|(one, of_one), (other, of_other)| of_other.cmp(of_one).then(one.cmp(other)));
    cities.into_iter().take(POPULAR_CITIES).map(|(city, _)| city).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_sold_come_first_and_no_more_than_are_shown() {
        let sold = [("g", 1), ("f", 2), ("e", 2), ("d", 4), ("c", 5), ("b", 6), ("a", 7), ("none", 0)];
        assert_eq!(popular_cities(sold), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(popular_cities([]), Vec::<&str>::new());
    }
}
