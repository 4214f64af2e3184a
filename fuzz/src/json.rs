//! Mutations that keep JSON what it is: plain ones seldom get past its parser.

use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Value, json};
use spielbaum_core::Rng;

/// Changes a value in a line of JSON, or does what libFuzzer does on its own.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut rng = Rng::new(seed.into());
    if rng.below(4) > 0
        && let Some(text) = mutated(&data[..size], &mut rng)
        && text.len() <= max_size
    {
        data[..text.len()].copy_from_slice(text.as_bytes());
        return text.len();
    }
    fuzzer_mutate(data, size, max_size)
}

fn mutated(data: &[u8], rng: &mut Rng) -> Option<String> {
    let text = std::str::from_utf8(data).ok()?;
    let mut lines: Vec<String> = text.split('\n').map(str::to_string).collect();
    // Half of the changes are for the header, which decides most.
    let i = if rng.below(2) == 0 { 0 } else { rng.below(lines.len()) };
    if rng.below(16) == 0 {
        let line = lines[i].clone();
        lines.insert(rng.below(lines.len() + 1), line);
        return Some(lines.join("\n"));
    }
    let mut value: Value = serde_json::from_str(&lines[i]).ok()?;
    if i == 0 && value.is_object() && rng.below(8) == 0 {
        // Numbers that belong together, as a match of two players has them.
        let rounds = 1 + rng.below(6);
        let per_round = value.get("games_per_round").and_then(Value::as_u64).unwrap_or(2).min(1000);
        value["games"] = json!(rounds as u64 * per_round);
        value["units"] = json!(rounds);
    } else {
        change(&mut value, rng);
    }
    lines[i] = value.to_string();
    Some(lines.join("\n"))
}

/// Changes one value somewhere inside.
fn change(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Object(map) if !map.is_empty() && rng.below(12) > 0 => {
            let nth = rng.below(map.len());
            let key = map.keys().nth(nth).cloned().unwrap_or_default();
            if rng.below(24) == 0 {
                map.remove(&key);
            } else if let Some(inner) = map.get_mut(&key) {
                change(inner, rng);
            }
        }
        Value::Array(items) if !items.is_empty() && rng.below(12) > 0 => {
            let nth = rng.below(items.len());
            match rng.below(8) {
                0 => drop(items.remove(nth)),
                1 => items.push(items[nth].clone()),
                _ => change(&mut items[nth], rng),
            }
        }
        Value::String(text) if rng.below(6) > 0 => *text = respelt(text),
        _ => *value = interesting(rng),
    }
}

/// The text after a mutation of libFuzzer's own, which knows the dictionary.
fn respelt(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let size = bytes.len();
    bytes.resize(size + 16, 0);
    let size = fuzzer_mutate(&mut bytes, size, size + 16);
    String::from_utf8_lossy(&bytes[..size]).into_owned()
}

fn interesting(rng: &mut Rng) -> Value {
    match rng.below(24) {
        n @ 0..=5 => json!(n),
        6 => json!(-1),
        7 => json!(u32::MAX),
        8 => json!(u64::MAX),
        9 => json!(u64::MAX - 1),
        10 => json!(1_000_000_000),
        11 => json!(i32::MIN),
        12 => json!(0.5),
        13 => json!(f64::MAX),
        14 => json!(-1e300),
        15 => json!(1e39),
        16 => json!(5e-324),
        17 => json!("none"),
        18 => json!(format!("random:{}", rng.below(8))),
        19 => json!("list"),
        20 => json!([]),
        21 => json!({"depth": 1, "time": -0.0}),
        22 => json!({"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05, "model": "bayes"}),
        _ => Value::Null,
    }
}
