//! Eigenvalues and eigenvectors of small symmetric matrices: Jacobi's rotations.

/// A symmetric matrix taken apart: `matrix = vectors · diag(values) · vectorsᵀ`.
pub(super) struct Eigen {
    /// In no particular order.
    pub(super) values: Vec<f64>,
    /// Row by row; the i-th column belongs to the i-th value.
    pub(super) vectors: Vec<f64>,
}

/// Sweeps are enough when the rest is so small beside the diagonal; convergence is quadratic.
const SMALL: f64 = 1e-30;
const SWEEPS: usize = 60;

/// Takes a symmetric matrix of n rows apart by cyclic rotations (Golub and Van Loan, algorithm
/// 8.4.3). Only the four operations and roots: the same bits everywhere.
pub(super) fn symmetric(matrix: &[f64], n: usize) -> Eigen {
    let mut a = matrix.to_vec();
    let mut v = identity(n);
    for _ in 0..SWEEPS {
        let off = |p: usize| (0..p).map(|q| a[p * n + q] * a[p * n + q]).sum::<f64>();
        let rest: f64 = (0..n).map(off).sum();
        let size: f64 = (0..n).map(|p| a[p * n + p] * a[p * n + p]).sum();
        if rest <= SMALL * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut v, n, p, q);
            }
        }
    }
    Eigen { values: (0..n).map(|i| a[i * n + i]).collect(), vectors: v }
}

/// The matrix that changes nothing.
pub(super) fn identity(n: usize) -> Vec<f64> {
    (0..n * n).map(|i| f64::from(u8::from(i % (n + 1) == 0))).collect()
}

/// Makes the element of p and q zero.
fn rotate(a: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) {
    let apq = a[p * n + q];
    if apq == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (v[k * n + p], v[k * n + q]);
        (v[k * n + p], v[k * n + q]) = (c * x - s * y, s * x + c * y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spielbaum_core::Rng;

    #[test]
    fn a_known_matrix() {
        // Eigenvalues of the second difference of order 3 are 2 - √2, 2 and 2 + √2.
        let eigen = symmetric(&[2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0], 3);
        let mut values = eigen.values;
        values.sort_by(f64::total_cmp);
        for (value, truth) in values.iter().zip([2.0 - 2f64.sqrt(), 2.0, 2.0 + 2f64.sqrt()]) {
            assert!((value - truth).abs() < 1e-14, "{value} for {truth}");
        }
    }

    #[test]
    fn the_parts_make_the_matrix_again() {
        let mut rng = Rng::new(1);
        for n in [1, 2, 5, 12] {
            let mut matrix = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..=i {
                    let x = rng.unit() - 0.5;
                    (matrix[i * n + j], matrix[j * n + i]) = (x, x);
                }
            }
            let Eigen { values, vectors } = symmetric(&matrix, n);
            for i in 0..n {
                for j in 0..n {
                    let product: f64 =
                        (0..n).map(|k| vectors[i * n + k] * values[k] * vectors[j * n + k]).sum();
                    assert!((product - matrix[i * n + j]).abs() < 1e-12);
                    let dot: f64 = (0..n).map(|k| vectors[k * n + i] * vectors[k * n + j]).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
                }
            }
        }
    }
}
