//! Small dense symmetric matrices, for the information of a likelihood.

/// A square matrix in rows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// aᵀ M b.
    pub(crate) fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        let row = |i: usize| -> f64 { (0..self.size).map(|j| self.get(i, j) * b[j]).sum() };
        (0..self.size).filter(|&i| a[i] != 0.0).map(|i| a[i] * row(i)).sum()
    }

    /// M A M, for symmetric M and A.
    pub(crate) fn sandwich(&self, middle: &Matrix) -> Matrix {
        self.times(middle).times(self)
    }

    fn times(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::zero(self.size);
        for i in 0..self.size {
            for k in 0..self.size {
                for j in 0..self.size {
                    out.add(i, j, self.get(i, k) * other.get(k, j));
                }
            }
        }
        out
    }

    /// The factor L of M = L Lᵀ (Cholesky), or the first row that depends on those before it:
    /// then the matrix is not positive definite.
    pub(crate) fn factor(&self) -> Result<Factor, usize> {
        let mut l = Matrix::zero(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| l.get(i, k) * l.get(j, k)).sum();
                let rest = self.get(i, j) - known;
                if i == j {
                    // What rounding leaves of a dependent row, and what is not a number.
                    let enough = rest > 1e-11 * self.get(i, i);
                    if !enough {
                        return Err(i);
                    }
                    l.add(i, i, rest.sqrt());
                } else {
                    l.add(i, j, rest / l.get(j, j));
                }
            }
        }
        Ok(Factor(l))
    }
}

/// The lower triangle of Cholesky's decomposition.
pub(crate) struct Factor(Matrix);

impl Factor {
    /// Solves M x = b.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (l, n) = (&self.0, b.len());
        let mut x = b.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| l.get(i, k) * x[k]).sum();
            x[i] = (x[i] - known) / l.get(i, i);
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| l.get(k, i) * x[k]).sum();
            x[i] = (x[i] - known) / l.get(i, i);
        }
        x
    }

    /// The inverse of M.
    pub(crate) fn inverse(&self) -> Matrix {
        let n = self.0.size;
        let mut out = Matrix::zero(n);
        for j in 0..n {
            let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
            for (i, x) in self.solve(&unit).into_iter().enumerate() {
                out.add(i, j, x);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: [[f64; 3]; 3]) -> Matrix {
        Matrix { size: 3, cells: rows.concat() }
    }

    #[test]
    fn the_inverse_solves() {
        let m = matrix([[4.0, 2.0, 0.5], [2.0, 5.0, 1.0], [0.5, 1.0, 3.0]]);
        let inverse = m.factor().ok().unwrap().inverse();
        let unit = m.times(&inverse);
        for i in 0..3 {
            for j in 0..3 {
                assert!((unit.get(i, j) - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        assert!((m.product(&[1.0, 0.0, 2.0], &[0.0, 1.0, 1.0]) - 10.5).abs() < 1e-12);
    }

    #[test]
    fn a_dependent_row_is_named() {
        let m = matrix([[2.0, 1.0, 3.0], [1.0, 2.0, 3.0], [3.0, 3.0, 6.0]]);
        assert_eq!(m.factor().err(), Some(2));
    }
}
