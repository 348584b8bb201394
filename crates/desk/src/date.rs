//! Dates as text.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86400;

/// Date and time in UTC: `2026-11-21T19:34:45Z`. What lies before 1970 is taken as its start.
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (mut day, time) = (seconds / DAY, seconds % DAY);
    let mut year = 1970;
    while day >= days_of_year(year) {
        day -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z", day + 1, time / 3600, time / 60 % 60, time % 60)
}

fn days_of_year(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_go_by_the_calendar() {
        let at = |seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(at(1_795_289_685), "2026-11-21T19:34:45Z");
    }
}
