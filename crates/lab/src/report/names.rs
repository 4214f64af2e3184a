//! Short names for players: what all of them share is said once and left out.

/// Keys of a specification that are a budget.
const BUDGETS: [&str; 5] = ["nodes", "iterations", "time", "clock", "increment"];

/// Names of players without the budget that all of them share who have one.
pub(super) fn short(specs: &[&str]) -> Vec<String> {
    let parsed: Vec<(&str, Vec<&str>)> = specs.iter().map(|spec| split(spec)).collect();
    let key = |arg: &str| arg.split_once('=').map_or(String::new(), |(key, _)| key.to_string());
    let shared = |arg: &str| {
        let rivals =
            parsed.iter().flat_map(|(_, args)| args).filter(|other| key(other) == key(arg));
        BUDGETS.contains(&key(arg).as_str())
            && specs.len() > 1
            && rivals.into_iter().all(|&other| other == arg)
    };
    let name = |(name, args): &(&str, Vec<&str>)| {
        let own: Vec<&str> = args.iter().copied().filter(|arg| !shared(arg)).collect();
        if own.is_empty() { name.to_string() } else { format!("{name}:{}", own.join(",")) }
    };
    let names: Vec<String> = parsed.iter().map(name).collect();
    // Two that differ in nothing else keep what tells them apart.
    let unique = |at: usize| {
        names.iter().filter(|n| **n == names[at]).count()
            == specs.iter().filter(|s| **s == specs[at]).count()
    };
    (0..specs.len())
        .map(|at| if unique(at) { names[at].clone() } else { specs[at].to_string() })
        .collect()
}

/// Names for a chart: of those who share a name only in what they differ.
pub(super) fn brief(specs: &[&str]) -> Vec<String> {
    let flat: Vec<(String, Vec<String>)> = (specs.iter())
        .map(|spec| {
            let (name, args) = split(spec);
            (name.to_string(), args.into_iter().flat_map(flatten).collect())
        })
        .collect();
    let name = |(name, args): &(String, Vec<String>)| {
        let kin: Vec<_> = flat.iter().filter(|(other, _)| other == name).collect();
        let shared = |arg: &String| kin.iter().all(|(_, other)| other.contains(arg));
        let own: Vec<&str> = args.iter().filter(|arg| !shared(arg)).map(String::as_str).collect();
        if own.is_empty() { name.clone() } else { format!("{name}:{}", own.join(",")) }
    };
    let names: Vec<String> = flat.iter().map(name).collect();
    let unique = |at: &usize| names.iter().filter(|n| **n == names[*at]).count() == 1;
    if (0..specs.len()).all(|at| unique(&at)) { names } else { short(specs) }
}

/// An argument with arguments of its own, `playout=minimax(depth=2)`, as a list of its parts:
/// `playout=minimax`, `playout.depth=2`.
fn flatten(arg: &str) -> Vec<String> {
    let Some((key, value)) = arg.split_once('=') else { return vec![arg.to_string()] };
    let Some((name, inner)) = value.strip_suffix(')').and_then(|v| v.split_once('(')) else {
        return vec![arg.to_string()];
    };
    let head = format!("{key}={name}");
    let nested = format!("{name}:{inner}");
    let inner = split(&nested).1.into_iter().flat_map(flatten);
    std::iter::once(head).chain(inner.map(|part| format!("{key}.{part}"))).collect()
}

/// Name and arguments of a specification; commas inside parentheses belong to an argument.
fn split(spec: &str) -> (&str, Vec<&str>) {
    let Some((name, rest)) = spec.split_once(':') else { return (spec, Vec::new()) };
    let (mut args, mut depth, mut from) = (Vec::new(), 0i32, 0);
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                args.push(&rest[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    args.push(&rest[from..]);
    (name, args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_names_the_differences() {
        let specs = [
            "mr:playout=minimax(value=eval),nodes=5",
            "mr:playout=minimax(depth=2,value=eval),nodes=5",
            "uct:nodes=5",
        ];
        assert_eq!(brief(&specs), ["mr", "mr:playout.depth=2", "uct"]);
        assert_eq!(brief(&["uct:c=1", "uct:c=2"]), ["uct:c=1", "uct:c=2"]);
        assert_eq!(brief(&["uct", "uct"]), ["uct", "uct"]);
    }

    #[test]
    fn a_shared_budget_is_left_out() {
        let specs =
            ["uct:c=1,nodes=500", "mr:playout=minimax(depth=1,nodes=2),nodes=500", "random"];
        assert_eq!(short(&specs), ["uct:c=1", "mr:playout=minimax(depth=1,nodes=2)", "random"]);
        assert_eq!(short(&["uct:nodes=5", "uct:nodes=6"]), ["uct:nodes=5", "uct:nodes=6"]);
        assert_eq!(
            short(&["ab:depth=3,nodes=5", "ab:depth=4,nodes=5"]),
            ["ab:depth=3", "ab:depth=4"]
        );
    }
}
