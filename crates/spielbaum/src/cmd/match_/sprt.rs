//! `--sprt`: a sequential test by the grammar of all other texts.

use crate::failure::Failure;
use spielbaum_core::param::{Param, Schema, resolve};
use spielbaum_lab::stats::{Model, Sprt};

static SPRT: Schema = Schema {
    name: "sprt",
    aliases: &[],
    help: "generalised sequential probability ratio test",
    params: &[&[
        Param::real("elo0", "0", -4000.0, 4000.0, "difference of the first hypothesis"),
        Param::real("elo1", "10", -4000.0, 4000.0, "difference of the second, larger"),
        Param::real("alpha", "0.05", 1e-9, 0.499, "risk of accepting the second wrongly"),
        Param::real("beta", "0.05", 1e-9, 0.499, "risk of accepting the first wrongly"),
        Param::choice(
            "model",
            "normalised",
            &[
                ("normalised", "normalised Elo, the same whatever the share of draws"),
                ("logistic", "Elo by the expected score"),
                ("bayes", "BayesElo with the draws as observed"),
            ],
            "what the differences mean",
        ),
    ]],
    presets: &[],
};

/// Reads `elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalised`.
pub(super) fn read(text: &str) -> Result<Sprt, Failure> {
    let args = resolve(&format!("sprt:{text}"), "test", &[&SPRT])?;
    let model = match args.choice("model") {
        "logistic" => Model::Logistic,
        "bayes" => Model::Bayes,
        _ => Model::Normalised,
    };
    let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|key| args.real(key));
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|e| Failure::Input(format!("--sprt: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::check_all;

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
