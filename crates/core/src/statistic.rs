//! What a game tells about its players beyond result and points.

/// A number with a name, for each seat, such as the meeples put into cities. Records keep it, and
/// reports give its mean for each player.
#[derive(Clone, PartialEq, Debug)]
pub struct Statistic {
    /// What people call it.
    pub name: String,
    /// Its value for each seat; nothing where it has no meaning, such as a quotient by 0.
    pub seats: Vec<Option<f64>>,
}
