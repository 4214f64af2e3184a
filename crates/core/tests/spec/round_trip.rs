//! What is printed can be read, and means the same.

use crate::generate;
use crate::tables::{PLAYERS, assert_round_trip, player};
use proptest::prelude::*;
use spielbaum_core::Rng;
use spielbaum_core::spec::Spec;

proptest! {
    #![proptest_config(crate::config())]

    #[test]
    fn printed_texts_read_back(seed: u64) {
        let text = generate::spec(&mut Rng::new(seed), PLAYERS, 0);
        let args = player(&text).unwrap_or_else(|e| panic!("{e}"));
        assert_round_trip(&args);
        // The grammar alone keeps the meaning too.
        let spec = Spec::parse(&text).unwrap();
        prop_assert_eq!(&player(&spec.to_string()).unwrap(), &args);
    }

    #[test]
    fn texts_survive_quoting(content: String) {
        let args = player(&format!("uct:net={}", spielbaum_core::spec::text_value(&content))).unwrap();
        prop_assert_eq!(args.text("net"), content.as_str());
        assert_round_trip(&args);
    }

    #[test]
    fn reals_survive(x in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
        let args = player(&format!("uct:bias={x}")).unwrap();
        prop_assert_eq!(args.real("bias"), x);
        assert_round_trip(&args);
    }

    #[test]
    fn integers_survive(n: i64) {
        let args = player(&format!("uct:offset={n}")).unwrap();
        prop_assert_eq!(args.int("offset"), n);
        assert_round_trip(&args);
    }

    #[test]
    fn durations_survive(nanos in 1u64..8760 * 3_600_000_000_000, divisor in 1u64..1_000_000_000_000) {
        let nanos = (nanos / divisor).max(1);
        let args = player(&format!("uct:time={nanos}ns,clock={nanos}ns+{nanos}ns")).unwrap();
        prop_assert_eq!(args.duration("time"), std::time::Duration::from_nanos(nanos));
        prop_assert_eq!(args.clock("clock").increment, std::time::Duration::from_nanos(nanos));
        assert_round_trip(&args);
    }
}
