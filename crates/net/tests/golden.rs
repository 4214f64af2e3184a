//! Outputs, losses, gradients and steps of Adam against PyTorch (`scripts/net_golden.py`).
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use spielbaum_net::{
    Batch, CpuNet, Forward, Isa, Optimiser, Shape, Tensor, Tensors, Train, Trainer, Weights,
};

const TOLERANCE: f64 = 1e-4;

/// SplitMix64, as in the script.
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 40) as f64 / f64::from(1 << 23) - 1.0
    }
}

struct Golden {
    json: Value,
    weights: Weights,
    planes: Vec<f32>,
    policies: Vec<f32>,
    values: Vec<f32>,
}

fn read(name: &str) -> Golden {
    let path = format!("{}/../../data/golden/net/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |key: &str| json[key].as_str().unwrap();
    let shape: Shape = text("shape").parse().unwrap();
    let mut random = Random(json["seed"].as_u64().unwrap());
    let mut tensors =
        Weights::new(text("architecture").parse().unwrap(), shape, 0).unwrap().to_tensors();
    tensors.list.sort_by(|a, b| a.name.cmp(&b.name));
    for tensor in &mut tensors.list {
        let (centre, half) = range(tensor);
        tensor
            .data
            .iter_mut()
            .for_each(|number| *number = (centre + half * random.signed()) as f32);
    }
    let positions = json["positions"].as_u64().unwrap() as usize;
    let planes =
        (0..positions * shape.inputs()).map(|_| f32::from(random.signed() > 0.2)).collect();
    let squares: Vec<f64> =
        (0..positions * shape.cells()).map(|_| (random.signed() + 1.0).powi(2)).collect();
    let policies = squares.chunks_exact(shape.cells()).flat_map(|row| {
        let sum: f64 = row.iter().sum();
        row.iter().map(move |q| (q / sum) as f32)
    });
    let policies = policies.collect();
    let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
    let values = (0..positions).map(|_| sign((1.5 * random.signed()).round()) as f32).collect();
    Golden { weights: Weights::from_tensors(tensors).unwrap(), json, planes, policies, values }
}

fn range(tensor: &Tensor) -> (f64, f64) {
    let (name, dims) = (&tensor.name, &tensor.dims);
    if name.ends_with("running_var") {
        (1.0, 0.5)
    } else if name.contains("bn") {
        if name.ends_with("weight") { (1.0, 0.5) } else { (0.0, 0.3) }
    } else {
        let fan_in = if dims.len() > 1 { dims[1..].iter().product() } else { 16 };
        (0.0, (3.0 / fan_in as f64).sqrt())
    }
}

impl Golden {
    fn batch(&self) -> Batch<'_> {
        Batch { planes: &self.planes, policies: &self.policies, values: &self.values }
    }
}

#[track_caller]
fn close(what: &str, ours: f64, theirs: f64) {
    assert!(
        (ours - theirs).abs() < TOLERANCE * theirs.abs().max(1.0),
        "{what}: {ours}, PyTorch {theirs}"
    );
}

/// Compares a tensor with what the script wrote of it.
fn compare(what: &str, ours: &[f32], theirs: &Value) {
    let step = theirs["step"].as_u64().unwrap() as usize;
    let numbers = theirs["numbers"].as_array().unwrap();
    assert_eq!(numbers.len(), ours.len().div_ceil(step), "{what}");
    for (ours, theirs) in ours.iter().step_by(step).zip(numbers) {
        close(what, f64::from(*ours), theirs.as_f64().unwrap());
    }
    let all = || ours.iter().map(|x| f64::from(*x));
    // Sums over thousands of numbers: as many small differences.
    let norm = theirs["norm"].as_f64().unwrap();
    let sums = [
        ("sum", all().sum::<f64>()),
        ("waves", all().enumerate().map(|(n, x)| x * (n as f64 * 0.7).cos()).sum()),
        ("norm", all().map(|x| x * x).sum::<f64>().sqrt()),
    ];
    for (key, sum) in sums {
        let theirs = theirs[key].as_f64().unwrap();
        let bound = TOLERANCE * norm.max(1.0) * (ours.len() as f64).sqrt().max(1.0);
        assert!((sum - theirs).abs() < bound, "{what}, {key}: {sum}, PyTorch {theirs}");
    }
}

#[test]
fn outputs_agree_with_pytorch() {
    for name in ["paper", "residual"] {
        let golden = read(name);
        for isa in Isa::all() {
            let mut net = CpuNet::with_isa(&golden.weights, isa).unwrap();
            let count = golden.values.len();
            let (mut logits, mut values) = (vec![0.0; golden.policies.len()], vec![0.0; count]);
            net.forward(count, &golden.planes, &mut logits, &mut values);
            for (key, ours) in [("logits", &logits), ("values", &values)] {
                let theirs = golden.json[key].as_array().unwrap();
                assert_eq!(theirs.len(), ours.len());
                for (ours, theirs) in ours.iter().zip(theirs) {
                    close(
                        &format!("{name} {isa} {key}"),
                        f64::from(*ours),
                        theirs.as_f64().unwrap(),
                    );
                }
            }
        }
    }
}

#[test]
fn gradients_agree_with_pytorch() {
    for name in ["paper", "residual"] {
        let golden = read(name);
        for isa in Isa::all() {
            let mut trainer =
                Trainer::new(golden.weights.clone(), Optimiser::default()).with_isa(isa);
            let (_, gradients) = trainer.gradients(&golden.batch()).unwrap();
            let mut compared = 0;
            for (tensor, gradient) in golden.weights.tensors().iter().zip(&gradients) {
                if let Some(theirs) = golden.json["gradients"].get(&tensor.name) {
                    compare(&format!("{name} {isa} gradient of {}", tensor.name), gradient, theirs);
                    compared += 1;
                }
            }
            assert_eq!(compared, golden.json["gradients"].as_object().unwrap().len());
        }
    }
}

#[test]
fn steps_agree_with_pytorch() {
    for name in ["paper", "residual"] {
        let golden = read(name);
        let optimiser =
            Optimiser { learning_rate: 0.003, weight_decay: 1e-4, ..Optimiser::default() };
        let mut trainer = Trainer::new(golden.weights.clone(), optimiser);
        for theirs in golden.json["losses"].as_array().unwrap() {
            let ours = trainer.step(&golden.batch()).unwrap();
            for (at, ours) in [ours.value, ours.policy, ours.entropy].into_iter().enumerate() {
                close(&format!("{name} losses {at}"), ours, theirs[at].as_f64().unwrap());
            }
        }
        let Tensors { list, .. } = trainer.weights().unwrap().to_tensors();
        for tensor in &list {
            let theirs = &golden.json["weights"][&tensor.name];
            compare(&format!("{name} {} after three steps", tensor.name), &tensor.data, theirs);
        }
    }
}
