//! Progressive widening: a node gets another child only when it has been visited often enough
//! (Coulom 2007; Chaslot et al. 2008), for games with very many moves.

use spielbaum_core::math;

/// A node of n visits has at most ⌈k n^alpha⌉ children, and always one.
#[derive(Clone, PartialEq, Debug)]
pub struct Widening {
    /// Visits from which on a node with so many children gets another.
    opens_at: Vec<u32>,
    k: f64,
    alpha: f64,
}

const TABLE: usize = 1024;

impl Widening {
    /// Both constants must be positive.
    pub fn new(k: f64, alpha: f64) -> Self {
        let mut widening = Widening { opens_at: Vec::new(), k, alpha };
        widening.opens_at = (0..TABLE as u16).map(|n| widening.visits_for(n)).collect();
        widening
    }

    fn visits_for(&self, children: u16) -> u32 {
        // k n^alpha > children. A float becomes an integer by saturation.
        let visits = math::pow(f64::from(children) / self.k, 1.0 / self.alpha);
        visits as u32
    }

    /// Whether a node of so many visits and children gets another.
    #[inline]
    pub fn admits(&self, visits: u32, children: u16) -> bool {
        let needed = match self.opens_at.get(usize::from(children)) {
            Some(&needed) => needed,
            None => self.visits_for(children),
        };
        children == 0 || visits > needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_a_power_of_the_visits() {
        for (k, alpha) in [(1.0, 0.5), (2.0, 0.4), (0.5, 0.9)] {
            let widening = Widening::new(k, alpha);
            let mut children = 0;
            for visits in 0..200_000u32 {
                if widening.admits(visits, children) {
                    children += 1;
                }
                let most = (k * f64::from(visits.max(1)).powf(alpha)).ceil();
                let off = f64::from(children) - most.max(1.0);
                assert!(off.abs() <= 1.0, "{visits} visits, {children} children, {most}");
            }
        }
    }
}
