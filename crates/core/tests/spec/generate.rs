//! Random texts that are valid, written in all the ways people may write them.

use spielbaum_core::Rng;
use spielbaum_core::param::{Kind, Schema};

/// The text of a random specification.
pub(crate) fn spec(rng: &mut Rng, schemas: &[&'static Schema], depth: usize) -> String {
    let schema = schemas[rng.below(schemas.len())];
    let names: Vec<&str> = schema.names().chain(schema.aliases.iter().copied()).collect();
    let name = names[rng.below(names.len())];
    let mut params: Vec<_> = schema.all_params().filter(|_| rng.below(3) == 0).collect();
    rng.shuffle(&mut params);
    let mut args = Vec::new();
    for param in params {
        if depth < 5 || !matches!(param.kind, Kind::Nested(_)) {
            let value = value(rng, &param.kind, depth);
            args.push(format!("{}{}{}={}{value}", gap(rng), param.name, gap(rng), gap(rng)));
        }
    }
    let args = args.join(&format!("{},", gap(rng)));
    match (depth, args.is_empty()) {
        (0, false) if rng.below(2) == 0 => format!("{name}{}:{args}", gap(rng)),
        (_, false) => format!("{name}{}({args}{})", gap(rng), gap(rng)),
        (_, true) if rng.below(2) == 0 => format!("{name}()"),
        (_, true) => name.to_string(),
    }
}

fn gap(rng: &mut Rng) -> &'static str {
    ["", "", "", "", "", " ", "  ", "\t"][rng.below(8)]
}

fn value(rng: &mut Rng, kind: &Kind, depth: usize) -> String {
    match *kind {
        Kind::Int { min, max } => int(rng, min, max),
        Kind::Real { min, max } => {
            let x = match rng.below(4) {
                0 => f64::from_bits(rng.next()),
                1 => rng.unit() * 10.0 - 5.0,
                2 => 0.0,
                _ => min.max(-1e9),
            };
            let x = if x.is_finite() { x.clamp(min, max) } else { 1.5 };
            if rng.below(2) == 0 { format!("{x:e}") } else { format!("{x}") }
        }
        Kind::Bool => ["true", "false", "on", "off", "yes", "no"][rng.below(6)].to_string(),
        Kind::Choice(choices) => choices[rng.below(choices.len())].0.to_string(),
        Kind::Duration => time(rng),
        Kind::Clock if rng.below(3) == 0 => time(rng),
        Kind::Clock => {
            format!("{}+{}", time(rng), if rng.below(4) > 0 { time(rng) } else { "0s".into() })
        }
        Kind::Text => text(rng),
        Kind::Open(_) if rng.below(2) == 0 => ["a", "a/b"][rng.below(2)].to_string(),
        Kind::Open(_) => spec(rng, &[&crate::tables::MAST], depth + 1),
        Kind::Nested(schemas) => spec(rng, schemas, depth + 1),
    }
}

fn int(rng: &mut Rng, min: i64, max: i64) -> String {
    let span = max.abs_diff(min);
    let n = match rng.below(4) {
        0 => min,
        1 => max,
        _ => min.wrapping_add_unsigned(if span == u64::MAX {
            rng.next()
        } else {
            rng.next() % (span + 1)
        }),
    };
    match rng.below(3) {
        0 if n % 1000 == 0 => format!("{}k", n / 1000),
        1 if n.unsigned_abs() > 999 => format!("{}_{:03}", n / 1000, (n % 1000).abs()),
        _ => n.to_string(),
    }
}

fn time(rng: &mut Rng) -> String {
    match rng.below(5) {
        0 => format!("{}h", 1 + rng.below(8760)),
        1 => format!("{}.{}m", rng.below(1000), 1 + rng.below(99)),
        2 => format!("{}.{:09}s", 1 + rng.below(100_000), rng.below(1_000_000_000)),
        3 => format!("{}ms", 1 + rng.below(100_000)),
        _ => format!("{}ns", 1 + rng.below(100_000)),
    }
}

fn text(rng: &mut Rng) -> String {
    const CHARS: &[char] = &[
        'a', 'b', '.', '/', '-', '+', '獅', 'é', ' ', ',', '"', '\\', '(', ')', '=', ':', '[', '\n',
    ];
    let content: String = (0..rng.below(8)).map(|_| CHARS[rng.below(CHARS.len())]).collect();
    let bare = !content.is_empty() && content.chars().all(|c| CHARS[..8].contains(&c));
    if bare && rng.below(2) == 0 {
        return content;
    }
    let escaped: String = (content.chars())
        .flat_map(|c| if matches!(c, '"' | '\\') { vec!['\\', c] } else { vec![c] })
        .collect();
    format!("\"{escaped}\"")
}
