//! The mathematics behind decisions, from one pinned implementation: the platform's own `ln`
//! or `exp` may differ in the last bit, and with it a whole game. Square roots and the four
//! operations are exact by IEEE 754 and need no pinning.

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Exponential function.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Power.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Sine.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Arc sine.
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// The logistic function 1 / (1 + e^-x).
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}
