//! The graphics card against the processor. Needs a card:
//! `cargo test --release -p spielbaum-net --features cuda --test cuda -- --ignored --nocapture`
#![allow(clippy::unwrap_used)]

use spielbaum_net::{
    Architecture, Batch, CpuNet, Forward, GpuNet, GpuTrainer, Optimiser, Precision, Shape, Tensors,
    Train, Trainer, Weights,
};

/// Outputs (absolute) and gradients (share of their length) may differ by so much. TF32 keeps ten bits of each
/// factor, and a gradient that nearly cancels is made of large terms.
const PRECISIONS: [(Precision, f32, f64); 2] =
    [(Precision::Full, 2e-4, 0.02), (Precision::Tf32, 0.02, 0.3)];

fn networks() -> Vec<(Architecture, Shape)> {
    let networks = [
        ("paper", "4x6x6"),
        ("paper", "4x15x15"),
        ("paper", "9x5x8"),
        ("res:blocks=2,channels=64", "4x8x8"),
        ("res:blocks=1,channels=48", "3x4x7"),
        ("res:blocks=6,channels=64", "4x15x15"),
        ("res:blocks=1,channels=128", "17x10x10"),
    ];
    networks
        .map(|(architecture, shape)| (architecture.parse().unwrap(), shape.parse().unwrap()))
        .into()
}

fn noise(n: usize) -> f32 {
    let x = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32 / (1 << 24) as f32
}

struct Data {
    planes: Vec<f32>,
    policies: Vec<f32>,
    values: Vec<f32>,
}

fn data(shape: Shape, positions: usize) -> Data {
    let planes = (0..positions * shape.inputs()).map(|n| f32::from(noise(n) < 0.4)).collect();
    let mut policies: Vec<f32> =
        (0..positions * shape.cells()).map(|n| noise(n + 7919).powi(3)).collect();
    for policy in policies.chunks_exact_mut(shape.cells()) {
        let sum: f32 = policy.iter().sum();
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

fn forward(net: &mut dyn Forward, shape: Shape, planes: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let batch = planes.len() / shape.inputs();
    let (mut logits, mut values) = (vec![0.0; batch * shape.cells()], vec![0.0; batch]);
    net.forward(batch, planes, &mut logits, &mut values);
    (logits, values)
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
#[ignore = "needs a graphics card"]
fn outputs_are_the_processors() {
    for (architecture, shape) in networks() {
        let data = data(shape, 37);
        // Running statistics of a few steps.
        let mut trainer =
            Trainer::new(Weights::new(architecture, shape, 5).unwrap(), Optimiser::default());
        for _ in 0..3 {
            trainer.step(&data.batch()).unwrap();
        }
        let weights = trainer.weights().unwrap();
        let cpu = forward(&mut CpuNet::new(&weights).unwrap(), shape, &data.planes);
        for (precision, tolerance, _) in PRECISIONS {
            let mut net = GpuNet::with_precision(0, &weights, precision).unwrap();
            let gpu = forward(&mut net, shape, &data.planes);
            let (logits, values) =
                (largest_difference(&cpu.0, &gpu.0), largest_difference(&cpu.1, &gpu.1));
            println!(
                "{architecture} {shape} {precision:?}: logits {logits:.7}, values {values:.7}"
            );
            assert!(logits < tolerance && values < tolerance, "{architecture} {shape}");
            // A position's result does not depend on its batch.
            for at in [36, 0, 17] {
                let own =
                    forward(&mut net, shape, &data.planes[at * shape.inputs()..][..shape.inputs()]);
                assert_eq!(own.0, gpu.0[at * shape.cells()..][..shape.cells()]);
                assert_eq!(own.1[0], gpu.1[at]);
            }
        }
    }
}

#[test]
#[ignore = "needs a graphics card"]
fn gradients_are_the_processors() {
    for (architecture, shape) in networks() {
        let data = data(shape, 37);
        let weights = Weights::new(architecture, shape, 5).unwrap();
        let mut cpu = Trainer::new(weights.clone(), Optimiser::default());
        let (cpu_losses, ours) = cpu.gradients(&data.batch()).unwrap();
        for (precision, _, tolerance) in PRECISIONS {
            let mut gpu =
                GpuTrainer::with_precision(0, weights.clone(), Optimiser::default(), precision)
                    .unwrap();
            let (gpu_losses, theirs) = gpu.gradients(&data.batch()).unwrap();
            assert!(
                (cpu_losses.total() - gpu_losses.total()).abs() < 0.01,
                "{cpu_losses:?} {gpu_losses:?}"
            );
            let mut worst = (0.0, "");
            for ((a, b), tensor) in ours.iter().zip(&theirs).zip(weights.tensors()) {
                let square = |numbers: &mut dyn Iterator<Item = f32>| {
                    numbers.map(|x| f64::from(x).powi(2)).sum::<f64>()
                };
                let norm = square(&mut a.iter().copied()).sqrt();
                let error = square(&mut a.iter().zip(b).map(|(a, b)| a - b)).sqrt();
                let ratio = error / norm.max(1e-3);
                if ratio > worst.0 {
                    worst = (ratio, &tensor.name);
                }
                assert!(
                    ratio < tolerance,
                    "{architecture} {shape} {precision:?} {}: {error} of {norm}",
                    tensor.name
                );
            }
            println!(
                "{architecture} {shape} {precision:?}: at most {:.5} of a gradient's length ({})",
                worst.0, worst.1
            );
        }
    }
}

#[test]
#[ignore = "needs a graphics card"]
fn training_learns_and_resumes() {
    for (architecture, shape) in networks() {
        let data = data(shape, 64);
        let weights = Weights::new(architecture, shape, 5).unwrap();
        let mut cpu = Trainer::new(weights.clone(), Optimiser::default());
        let mut gpu = GpuTrainer::new(0, weights, Optimiser::default()).unwrap();
        let mut losses = Vec::new();
        for _ in 0..10 {
            losses.push((
                cpu.step(&data.batch()).unwrap().total(),
                gpu.step(&data.batch()).unwrap().total(),
            ));
        }
        let state = Tensors::from_bytes(&gpu.state().unwrap().to_bytes()).unwrap();
        let other = Weights::new(architecture, shape, 9).unwrap();
        let mut resumed = GpuTrainer::new(0, other, Optimiser::default()).unwrap();
        resumed.restore(&state).unwrap();
        for _ in 0..3 {
            assert_eq!(resumed.step(&data.batch()).unwrap(), gpu.step(&data.batch()).unwrap());
        }
        assert!(resumed.state().unwrap() == gpu.state().unwrap(), "{architecture} {shape}");
        let (first, last) = (losses[0], losses[9]);
        println!(
            "{architecture} {shape}: losses {:.4} {:.4} to {:.4} {:.4}",
            first.0, first.1, last.0, last.1
        );
        assert!((last.0 - last.1).abs() < 0.05 * first.0 && last.1 < first.1);
        // What was learnt on the card plays on the processor.
        CpuNet::new(&gpu.weights().unwrap()).unwrap();
    }
}
