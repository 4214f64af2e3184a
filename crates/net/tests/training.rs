//! Gradients against finite differences, and that steps depend on their input alone.
#![allow(clippy::unwrap_used)]

use spielbaum_net::{
    Architecture, Batch, CpuNet, Forward, Isa, Optimiser, Shape, Tensors, Train, Trainer, Weights,
};

/// Planes, policies and values of some positions, spread without a pattern.
struct Data {
    planes: Vec<f32>,
    policies: Vec<f32>,
    values: Vec<f32>,
}

fn noise(n: usize) -> f32 {
    let x = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32 / (1 << 24) as f32
}

fn data(shape: Shape, positions: usize) -> Data {
    let planes = (0..positions * shape.inputs()).map(|n| f32::from(noise(n) < 0.4)).collect();
    let mut policies: Vec<f32> =
        (0..positions * shape.cells()).map(|n| noise(n + 7919).powi(3)).collect();
    for (at, policy) in policies.chunks_exact_mut(shape.cells()).enumerate() {
        // One position teaches its value alone.
        let sum: f32 = if at == 1 { f32::INFINITY } else { policy.iter().sum() };
        policy.iter_mut().for_each(|p| *p /= sum);
    }
    let values = (0..positions).map(|n| [1.0, -1.0, 0.0][n % 3]).collect();
    Data { planes, policies, values }
}

impl Data {
    fn batch(&self) -> Batch<'_> {
        Batch { planes: &self.planes, policies: &self.policies, values: &self.values }
    }
}

fn networks() -> [(Architecture, Shape); 3] {
    [
        ("paper", "4x5x4"),
        ("res:blocks=2,channels=16", "3x4x6"),
        ("res:blocks=1,channels=32", "17x3x3"),
    ]
    .map(|(architecture, shape)| (architecture.parse().unwrap(), shape.parse().unwrap()))
}

fn optimiser() -> Optimiser {
    Optimiser { learning_rate: 0.01, ..Optimiser::default() }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    for (architecture, shape) in networks() {
        let data = data(shape, 7);
        let weights = Weights::new(architecture, shape, 3).unwrap();
        let mut trainer = Trainer::new(weights.clone(), optimiser());
        let (_, gradients) = trainer.gradients(&data.batch()).unwrap();
        let loss = |weights: Tensors| {
            let mut trainer = Trainer::new(Weights::from_tensors(weights).unwrap(), optimiser());
            trainer.gradients(&data.batch()).unwrap().0.total()
        };
        // Along the gradient the slope is its length. A direction of many weights passes the kinks of
        // ReLU unharmed; a few biases, which move whole boards, do not (PyTorch's gradients cover them).
        let compare = |what: &str, along: &[Vec<f32>]| {
            let squares = along.iter().flatten().map(|g| f64::from(*g).powi(2));
            let length = squares.sum::<f64>().sqrt();
            let moved = |by: f64| {
                let mut tensors = weights.to_tensors();
                for (tensor, along) in tensors.list.iter_mut().zip(along) {
                    for (w, g) in tensor.data.iter_mut().zip(along) {
                        *w += (by * f64::from(*g) / length) as f32;
                    }
                }
                loss(tensors)
            };
            let slope = (moved(2e-3) - moved(-2e-3)) / 4e-3;
            assert!(
                (slope - length).abs() < 0.05 * length + 5e-4,
                "{architecture} {what}: {slope} against {length}"
            );
        };
        compare("all", &gradients);
        let mut compared = 0;
        for (at, tensor) in weights.tensors().iter().enumerate() {
            if tensor.name.contains("running") {
                assert!(gradients[at].iter().all(|g| *g == 0.0), "{}", tensor.name);
            } else if tensor.data.len() >= 100 {
                let mut along: Vec<_> =
                    gradients.iter().map(|gradient| vec![0.0; gradient.len()]).collect();
                along[at].clone_from(&gradients[at]);
                compare(&tensor.name, &along);
                compared += 1;
            }
        }
        assert!(compared >= 5, "{architecture}: only {compared}");
    }
}

#[test]
fn instruction_sets_and_threads_agree() {
    for (architecture, shape) in networks() {
        let data = data(shape, 37);
        let weights = Weights::new(architecture, shape, 5).unwrap();
        let run = |threads, isa| {
            let mut trainer =
                Trainer::new(weights.clone(), optimiser()).with_isa(isa).with_threads(threads);
            let losses: Vec<_> = (0..3).map(|_| trainer.step(&data.batch()).unwrap()).collect();
            (losses, trainer.state().unwrap())
        };
        let best = run(1, Isa::best());
        for threads in [2, 3, 16] {
            assert!(run(threads, Isa::best()) == best, "{architecture}: {threads} threads");
        }
        for isa in Isa::all() {
            let other = run(2, isa);
            for (a, b) in other.0.iter().zip(&best.0) {
                assert!((a.total() - b.total()).abs() < 1e-3, "{architecture} {isa}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn training_resumes_bit_for_bit() {
    for (architecture, shape) in networks() {
        let data = data(shape, 20);
        let start = Weights::new(architecture, shape, 5).unwrap();
        let mut whole = Trainer::new(start.clone(), optimiser());
        for _ in 0..2 {
            whole.step(&data.batch()).unwrap();
        }
        whole.set_learning_rate(0.1 / 3.0);
        let saved = Tensors::from_bytes(&whole.state().unwrap().to_bytes()).unwrap();
        let mut resumed =
            Trainer::new(Weights::new(architecture, shape, 6).unwrap(), Optimiser::default());
        resumed.restore(&saved).unwrap();
        assert_eq!(resumed.learning_rate(), whole.learning_rate());
        for _ in 0..2 {
            assert_eq!(resumed.step(&data.batch()).unwrap(), whole.step(&data.batch()).unwrap());
        }
        assert!(resumed.state().unwrap() == whole.state().unwrap());
        let other = Weights::new("res:blocks=3,channels=16".parse().unwrap(), shape, 1).unwrap();
        assert!(Trainer::new(other, optimiser()).restore(&saved).is_err());
        assert!(resumed.restore(&start.to_tensors()).unwrap_err().to_string().contains("state"));
    }
}

#[test]
fn positions_are_evaluated_each_for_itself() {
    for (architecture, shape) in networks() {
        let data = data(shape, 9);
        // Some steps, so that the running statistics are not those of a start.
        let mut trainer = Trainer::new(Weights::new(architecture, shape, 5).unwrap(), optimiser());
        for _ in 0..3 {
            trainer.step(&data.batch()).unwrap();
        }
        let weights = trainer.weights().unwrap();
        let mut results: Vec<(Vec<f32>, Vec<f32>)> = Vec::new();
        for isa in Isa::all() {
            let mut net = CpuNet::with_isa(&weights, isa).unwrap();
            let (mut logits, mut values) = (vec![0.0; 9 * shape.cells()], vec![0.0; 9]);
            net.forward(9, &data.planes, &mut logits, &mut values);
            for at in (0..9).rev() {
                let planes = &data.planes[at * shape.inputs()..][..shape.inputs()];
                let (mut own, mut value) = (vec![0.0; shape.cells()], [0.0]);
                net.forward(1, planes, &mut own, &mut value);
                assert_eq!(own, logits[at * shape.cells()..][..shape.cells()]);
                assert_eq!(value[0], values[at]);
            }
            results.push((logits, values));
        }
        for (logits, values) in &results[1..] {
            let close = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(close(logits, &results[0].0) && close(values, &results[0].1), "{architecture}");
        }
    }
}

#[test]
fn batches_that_do_not_fit_are_refused() {
    let (architecture, shape) = networks()[0];
    let mut trainer = Trainer::new(Weights::new(architecture, shape, 5).unwrap(), optimiser());
    let data = data(shape, 3);
    for batch in [
        Batch { planes: &data.planes[1..], ..data.batch() },
        Batch { policies: &data.policies[1..], ..data.batch() },
        Batch { planes: &[], policies: &[], values: &[] },
    ] {
        assert!(trainer.step(&batch).is_err());
    }
}
