//! The cities that a catalogue shows first.

/// The maximum number of popular cities.
pub const POPULAR_CITIES: usize = 6;

/// The keys of the cities with the most proxies sold, in descending order; ties are ordered by key. A city without sales is not popular.
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
    fn cities_are_ordered_by_sales_and_limited_in_number() {
        let sold = [("g", 1), ("f", 2), ("e", 2), ("d", 4), ("c", 5), ("b", 6), ("a", 7), ("none", 0)];
        assert_eq!(popular_cities(sold), ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(popular_cities([]), Vec::<&str>::new());
    }
}
