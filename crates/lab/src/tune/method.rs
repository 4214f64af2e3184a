//! The optimisers by name.

use super::anneal::Anneal;
use super::cma_es::CmaEs;
use super::optimiser::Optimiser;
use super::spsa::Spsa;
use spielbaum_core::param::{Args, Kind, Param, Schema};

const WHOLE_RANGE: f64 = 1.0;

/// Simulated annealing.
static ANNEAL: Schema = Schema {
    name: "anneal",
    aliases: &[],
    help: "simulated annealing: a proposal with each step, losses accepted as Metropolis does",
    params: &[&[
        Param::real("radius", "0.2", 1e-6, WHOLE_RANGE, "how far proposals go, in ranges"),
        Param::unset(
            "temperature",
            Kind::Real { min: 1e-12, max: 1e12 },
            "the first, in units of the value; by the first proposals unless given",
        ),
    ]],
    presets: &[],
};

/// Covariance matrix adaptation.
static CMA_ES: Schema = Schema {
    name: "cma-es",
    aliases: &["cmaes"],
    help: "evolution strategy with covariance matrix adaptation (Hansen 2016)",
    params: &[&[
        Param::real("sigma", "0.2", 1e-6, WHOLE_RANGE, "the first step size, in ranges"),
        Param::unset(
            "population",
            Kind::Int { min: 4, max: 1000 },
            "players of a generation; 4 + 3 ln n for n parameters unless given",
        ),
    ]],
    presets: &[],
};

/// Simultaneous perturbation.
static SPSA: Schema = Schema {
    name: "spsa",
    aliases: &[],
    help: "simultaneous perturbation: a gradient from two players with each step (Spall 1998)",
    params: &[&[
        Param::real("step", "0.05", 1e-6, WHOLE_RANGE, "how far the first step goes, in ranges"),
        Param::real("width", "0.1", 1e-6, 0.5, "how far to either side players are, in ranges"),
    ]],
    presets: &[],
};

/// All optimisers.
pub static METHODS: &[&Schema] = &[&ANNEAL, &CMA_ES, &SPSA];

/// The optimiser of a specification, from a start, for so many steps.
pub(super) fn optimiser(method: &Args, start: &[f64], steps: u64, seed: u64) -> Box<dyn Optimiser> {
    match method.schema().name {
        "anneal" => {
            let (radius, heat) = (method.real("radius"), method.opt_real("temperature"));
            Box::new(Anneal::new(start, radius, heat, steps, seed))
        }
        "spsa" => {
            Box::new(Spsa::new(start, method.real("step"), method.real("width"), steps, seed))
        }
        _ => {
            let population = method.opt_int("population").map(|n| n as usize);
            Box::new(CmaEs::new(start, method.real("sigma"), population, seed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::param::{check_all, resolve};

    #[test]
    fn the_tables_are_sound_and_every_method_is_built() {
        assert_eq!(check_all(METHODS), Vec::<String>::new());
        for (text, points) in
            [("anneal", 7), ("cma-es", 7), ("cma-es:population=12", 12), ("spsa", 8)]
        {
            let method = resolve(text, "method", METHODS).unwrap();
            let mut optimiser = optimiser(&method, &[0.5; 3], 10, 1);
            assert_eq!(optimiser.ask().len(), points, "{text}");
            assert_eq!(optimiser.answer(), [0.5; 3], "{text}");
        }
    }

    /// Told the same values again it asks for the same points: what a log needs to go on.
    #[test]
    fn an_optimiser_can_be_replayed() {
        for text in ["anneal", "cma-es", "spsa"] {
            let method = resolve(text, "method", METHODS).unwrap();
            let asked = || {
                let mut optimiser = optimiser(&method, &[0.3, 0.6], 20, 7);
                let mut all = Vec::new();
                for _ in 0..20 {
                    let points = optimiser.ask();
                    let value = |x: &Vec<f64>| -x.iter().map(|x| x * x).sum::<f64>();
                    optimiser.tell(&points.iter().map(value).collect::<Vec<_>>());
                    all.extend(points);
                }
                all
            };
            assert_eq!(asked(), asked(), "{text}");
        }
    }
}
