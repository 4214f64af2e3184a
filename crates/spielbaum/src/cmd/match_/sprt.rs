//! `--sprt`: a sequential test by the grammar of all other texts.

use crate::failure::Failure;
use spielbaum_core::param::resolve;
use spielbaum_lab::stats::{SPRT, Sprt};

/// Reads `elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalised`.
pub(super) fn read(text: &str) -> Result<Sprt, Failure> {
    let args = resolve(&format!("sprt:{text}"), "test", &[&SPRT])?;
    Sprt::of_args(&args).map_err(|e| Failure::Input(format!("--sprt: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::{Schema, check_all};
    use spielbaum_lab::stats::Model;

    #[test]
    fn the_table_is_sound() {
        static ALL: &[&Schema] = &[&SPRT];
        assert_eq!(check_all(ALL), Vec::<String>::new());
    }

    #[test]
    fn tests_are_read() {
        let sprt = read("elo1=5,alpha=0.01,model=logistic").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (0.0, 5.0, 0.01, 0.05));
        assert_eq!(sprt.model, Model::Logistic);
    }

    #[test]
    fn mistakes_are_explained() {
        let say = |text| read(text).unwrap_err().to_string();
        assert!(say("elo2=5").contains("elo0"), "{}", say("elo2=5"));
        assert!(say("elo0=10,elo1=0").contains("must be below"));
        assert!(say("alpha=0.7").contains("alpha"));
    }
}
