//! Durations and sizes as people write them.

use std::time::Duration;

/// "10s", "500ms", "2m", "1.5h".
pub(super) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" | "" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero())
}

/// "512MiB", "4GiB", "64M", "1000000".
pub(super) fn size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1u64,
        "k" | "kib" => 1 << 10,
        "kb" => 1000,
        "m" | "mib" => 1 << 20,
        "mb" => 1_000_000,
        "g" | "gib" => 1 << 30,
        "gb" => 1_000_000_000,
        "t" | "tib" => 1 << 40,
        "tb" => 1_000_000_000_000,
        _ => return None,
    };
    let bytes = number * factor as f64;
    (1.0..1e18).contains(&bytes).then_some(bytes as u64)
}

fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

/// A duration in the form that [`duration`] reads.
pub(crate) fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1.0 {
        format!("{}ms", duration.as_millis())
    } else if seconds >= 3600.0 && duration.as_secs().is_multiple_of(3600) {
        format!("{}h", duration.as_secs() / 3600)
    } else if seconds >= 60.0 && duration.as_secs().is_multiple_of(60) {
        format!("{}m", duration.as_secs() / 60)
    } else {
        format!("{seconds}s")
    }
}

/// A size in the form that [`size`] reads.
pub(crate) fn show_size(bytes: u64) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if bytes >= 1 << shift && bytes.trailing_zeros() >= shift {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    format!("{bytes}B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, millis) in [("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("1.5h", 5_400_000), ("3", 3000)] {
            assert_eq!(duration(text), Some(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "10x", "-1s", "1e3s", "0s", "99999999999999999999999h", "1..2s"] {
            assert_eq!(duration(text), None, "{text}");
        }
        for text in ["10s", "500ms", "2m", "1h", "1.5s", "90s"] {
            assert_eq!(show_duration(duration(text).unwrap()), text);
        }
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [("64M", 64 << 20), ("4GiB", 4 << 30), ("1 kb", 1000), ("7", 7), ("0.5K", 512)] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for text in ["", "M", "1X", "0", "-5", "9999999999TB"] {
            assert_eq!(size(text), None, "{text}");
        }
        for text in ["64MiB", "4GiB", "100B", "3KiB"] {
            assert_eq!(show_size(size(text).unwrap()), text);
        }
    }
}
