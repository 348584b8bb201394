//! Sums over windows of lists.

/// The largest of some values; none where there are none.
pub fn largest<T: Copy + PartialOrd>(values: &[T]) -> Option<T> {
    let mut largest = *values.first()?;
    for &value in values {
        if value < largest {
            largest = value;
        }
    }
    Some(largest)
}

/// The sums of all windows of so many values.
pub fn sums(values: &[i64], width: usize) -> Vec<i64> {
    let mut sums = Vec::new();
    if width == 0 || width > values.len() {
        return sums;
    }
    for start in 0..values.len() - width {
        sums.push(values[start..start + width].iter().sum());
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_found() {
        assert_eq!(largest(&[3, 9, 4]), Some(9));
        assert_eq!(largest(&['b', 'a']), Some('b'));
    }

    #[test]
    fn of_one_it_is_that() {
        assert_eq!(largest(&[2.5]), Some(2.5));
        assert_eq!(largest::<u8>(&[]), None);
    }

    #[test]
    fn windows_end_with_the_last_value() {
        assert_eq!(sums(&[1, 2, 3, 4], 2), [3, 5, 7]);
        assert_eq!(sums(&[5], 1), [5]);
    }

    #[test]
    fn there_are_no_windows_of_nothing() {
        assert_eq!(sums(&[1, 2], 0), []);
        assert_eq!(sums(&[1, 2], 3), []);
    }
}
