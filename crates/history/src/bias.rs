//! Whether the fixes that were kept are like those that were not (section 6.6 of the paper on iBUGS): a test of difference.

/// The two-sided Mann-Whitney U test with the normal approximation, corrected for ties: the probability of a difference like that of
/// the two samples, or a larger one, where there is none. `None` where a sample has fewer than three values, or all are equal.
pub fn difference(one: &[f64], other: &[f64]) -> Option<f64> {
    let (m, n) = (one.len() as f64, other.len() as f64);
    if one.len() < 3 || other.len() < 3 {
        return None;
    }
    let mut all: Vec<(f64, bool)> =
        one.iter().map(|value| (*value, true)).chain(other.iter().map(|value| (*value, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut ranks, mut ties, mut at) = (0.0, 0.0, 0);
    while at < all.len() {
        let end = at + all[at..].iter().take_while(|value| value.0 == all[at].0).count();
        let (size, rank) = ((end - at) as f64, (at + end + 1) as f64 / 2.0);
        ranks += rank * all[at..end].iter().filter(|value| value.1).count() as f64;
        ties += size.powi(3) - size;
        at = end;
    }
    let (u, mean, total) = (ranks - m * (m + 1.0) / 2.0, m * n / 2.0, m + n);
    let variance = m * n / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        return None;
    }
    let z = ((u - mean).abs() - 0.5).max(0.0) / variance.sqrt();
    Some(2.0 * upper_tail(z))
}

/// The probability that a normal variable is larger than `z`, at least 0 (Abramowitz and Stegun 26.2.17; exact to 7.5e-8).
fn upper_tail(z: f64) -> f64 {
    const FACTORS: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let sum = FACTORS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * sum
}

/// The median; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_apart_differ_and_alike_do_not() {
        let low: Vec<f64> = (0..10).map(f64::from).collect();
        let high: Vec<f64> = (20..30).map(f64::from).collect();
        // U = 0 of two samples of ten: z = 49.5 / sqrt(175).
        assert!((difference(&low, &high).expect("a figure") - 0.000_183).abs() < 1e-5);
        assert!(difference(&low, &low).expect("a figure") > 0.95);
        assert_eq!((difference(&low, &[1.0]), difference(&[1.0; 5], &[1.0; 5])), (None, None));
        assert!((upper_tail(1.96) - 0.025).abs() < 1e-4 && (upper_tail(0.0) - 0.5).abs() < 1e-6);
        assert_eq!([median(&[]), median(&[3.0, 1.0]), median(&[5.0, 1.0, 2.0])], [0.0, 2.0, 2.0]);
    }
}
