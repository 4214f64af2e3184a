//! What specifications of older records mean today.
//!
//! A setting that did not exist when a record was written has its default. Where that is another
//! manner of play than the program had then, it stands here.

use spielbaum_core::spec::{Arg, Spec, Value};

/// What a setting was before it could be set: schema, setting, value.
const BEFORE: &[(&str, &str, &str)] = &[("alphabeta", "selective", "off")];

/// What was written out by programs that did not have that setting yet, and is left unset today:
/// schema, the newer setting, the older one, its value.
const UNSET: &[(&str, &str, &str, &str)] = &[("alphabeta", "selective", "aspiration", "0")];

/// The long text of a recorded player or game in the words of today.
pub(crate) fn renewed(full: &str) -> String {
    let Ok(mut spec) = Spec::parse(full) else { return full.to_string() };
    let has = |spec: &Spec, key: &str| spec.args.iter().any(|arg| arg.key == key);
    for (schema, newer, key, value) in UNSET {
        if spec.name == *schema && !has(&spec, newer) {
            spec.args.retain(|arg| arg.key != *key || arg.value != Value::Word(value.to_string()));
        }
    }
    for (schema, key, value) in BEFORE {
        if spec.name == *schema && !has(&spec, key) {
            let value = Value::Word(value.to_string());
            spec.args.push(Arg { key: key.to_string(), key_span: 0..0, value, value_span: 0..0 });
        }
    }
    spec.to_string()
}

#[cfg(test)]
mod tests {
    use super::renewed;

    #[test]
    fn settings_have_the_values_they_had() {
        let cases = [
            ("alphabeta:aspiration=0,table=true", "alphabeta:table=true,selective=off"),
            ("alphabeta:aspiration=30", "alphabeta:aspiration=30,selective=off"),
            ("alphabeta:aspiration=0,selective=auto", "alphabeta:aspiration=0,selective=auto"),
            ("mcts:playout=random(cutoff=100),nodes=3", "mcts:playout=random(cutoff=100),nodes=3"),
            ("not a text", "not a text"),
        ];
        for (then, today) in cases {
            assert_eq!(renewed(then), today);
        }
    }
}
