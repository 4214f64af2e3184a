//! Published numbers and limits of rules off their scale, and comparisons of what has no order.

use crate::experiment::parse;
use crate::replication::{EXPERIMENT, with_claim};

/// What is wrong with a file, all of it.
fn wrong(text: &str) -> String {
    parse(text).unwrap_err().list().iter().map(|m| format!("{}\n", m.error)).collect()
}

#[test]
fn a_share_is_from_0_to_1() {
    for rule in [
        r#"{above = 60, of = "A[work=1].score"}"#,
        r#"{below = 60, pooled = ["A[work=1].wins"]}"#,
        r#"{first = ["A[work=1].score"], above = 60}"#,
        r#"{near = ["A[work=1].draws", "A[work=2].draws"], within = 60}"#,
    ] {
        let told = wrong(&with_claim(rule));
        assert!(told.contains(" = 60 is no share: `"), "{told}");
        assert!(told.contains("60 % is 0.6"), "{told}");
    }
    for rule in [r#"{below = 1, of = "A.score"}"#, r#"{above = 60, of = "A[work=1].plies"}"#] {
        assert!(parse(&with_claim(rule)).is_ok(), "{rule}");
    }
    let published = |row: &str| EXPERIMENT.replace("value = 0.755", row);
    let told = wrong(&published("value = 75.5"));
    assert!(told.contains("`value` = 75.5 is no share"), "{told}");
    let told = wrong(&published("value = -0.1"));
    assert!(told.contains("0.755 for 75.5 %"), "{told}");
    let told = wrong(&published("value = 0.755\ninterval = [0.8, 0.9]"));
    assert!(told.contains("the interval does not contain `value` = 0.755"), "{told}");
    let told = wrong(&published("value = 0.755\ninterval = [0.7, 1.1]"));
    assert!(told.contains("`interval` = 1.1 is no share"), "{told}");
    assert!(parse(&published("value = 0.755\ninterval = [0.755, 0.9]")).is_ok());
}

#[test]
fn values_of_different_metrics_are_not_compared() {
    for rule in [
        r#"{greater = ["A[work=1].score", "A[work=2].plies"]}"#,
        r#"{near = ["A[work=1].score", "A[work=2].plies"], within = 0.1}"#,
        r#"{first = ["A[work=1].score", "A[work=2].plies"], above = 0.5}"#,
    ] {
        let told = wrong(&with_claim(rule));
        assert!(told.contains("compares `score` with `plies`"), "{told}");
    }
}

#[test]
fn no_anchor_rests_on_what_no_rule_can() {
    for metric in ["time", "los"] {
        let text = EXPERIMENT.replacen("\"score\"", &format!("\"{metric}\""), 1);
        let told = wrong(&text);
        assert!(told.contains(&format!("no anchor can rest on `{metric}`: ")), "{told}");
    }
}
