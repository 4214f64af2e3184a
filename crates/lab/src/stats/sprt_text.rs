//! A sequential test as text, by the grammar of all other texts.

use super::sprt::{Model, Sprt};
use spielbaum_core::param::{Args, Param, Schema};

/// A test: `sprt:elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalised`.
pub static SPRT: Schema = Schema {
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

impl Sprt {
    /// The test of a text read by [`SPRT`].
    ///
    /// ```
    /// use spielbaum_core::param::resolve;
    /// use spielbaum_lab::stats::{SPRT, Sprt};
    /// let args = resolve("sprt:elo1=5,alpha=0.01", "test", &[&SPRT]).unwrap();
    /// assert_eq!(Sprt::of_args(&args).unwrap().elo1, 5.0);
    /// ```
    pub fn of_args(args: &Args) -> Result<Sprt, String> {
        let model = match args.choice("model") {
            "logistic" => Model::Logistic,
            "bayes" => Model::Bayes,
            _ => Model::Normalised,
        };
        let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|key| args.real(key));
        Sprt::new(elo0, elo1, alpha, beta, model)
    }
}
