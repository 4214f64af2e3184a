//! Positions per second and milliseconds per training step. `scripts/net_bench.py` prints the same
//! lines for PyTorch.
//!
//! `net_bench [infer] [train] [device=cpu|cuda] [seconds=1] [threads=2] [net=paper:8x8,...]`

use std::time::Instant;

use spielbaum_net::{Batch, Device, Isa, NetError, Optimiser, Shape, Weights};

struct Options {
    device: Device,
    seconds: f64,
    threads: usize,
    nets: Vec<(String, usize)>,
    batches: Vec<usize>,
    step: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options {
        device: Device::Cpu,
        seconds: 1.0,
        threads: 2,
        nets: Vec::new(),
        batches: Vec::new(),
        step: 512,
    };
    let (mut infer, mut train) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').unwrap_or((&argument, "")) {
            ("infer", _) => infer = true,
            ("train", _) => train = true,
            ("device", text) => options.device = text.parse()?,
            ("seconds", text) => options.seconds = text.parse()?,
            ("threads", text) => options.threads = text.parse()?,
            ("step", text) => options.step = text.parse()?,
            ("batches", text) => {
                options.batches = text.split('/').map(str::parse).collect::<Result<_, _>>()?;
            }
            ("nets", text) => {
                for net in text.split('/') {
                    let (name, size) = net.split_once('@').ok_or("nets=paper@6/res@15")?;
                    options.nets.push((name.to_owned(), size.parse()?));
                }
            }
            _ => return Err(format!(
                "`{argument}`: infer, train, device=, seconds=, threads=, batches=1/8, step=, nets="
            )
            .into()),
        }
    }
    println!("spielbaum, {}, {}", options.device, Isa::best());
    if infer {
        inference(&options)?;
    }
    if train {
        training(&options)?;
    }
    Ok(())
}

fn weights(name: &str, size: usize) -> Result<Weights, NetError> {
    let shape = Shape { planes: 4, height: size, width: size };
    Weights::new(name.parse()?, shape, 1)
}

/// Ones and zeros.
fn planes(count: usize) -> Vec<f32> {
    (0..count).map(|n| ((n * n + n / 7) % 3 == 0) as u8 as f32).collect()
}

fn inference(options: &Options) -> Result<(), NetError> {
    let cpu = options.device == Device::Cpu;
    let default = if cpu { vec![1, 8, 64] } else { vec![1, 64, 512, 2048] };
    let batches = if options.batches.is_empty() { default } else { options.batches.clone() };
    for (name, size) in &options.nets {
        let weights = weights(name, *size)?;
        let mut net = options.device.network(&weights)?;
        let cells = size * size;
        let mut line = format!("infer {name} {size}x{size}:");
        for &batch in &batches {
            let planes = planes(batch * 4 * cells);
            let (mut logits, mut values) = (vec![0.0; batch * cells], vec![0.0; batch]);
            let mut best = 0.0f64;
            // The best of several rounds: what the machine can do undisturbed.
            for _ in 0..5 {
                let (start, mut calls) = (Instant::now(), 0);
                while calls == 0 || start.elapsed().as_secs_f64() < options.seconds / 5.0 {
                    net.forward(batch, &planes, &mut logits, &mut values);
                    calls += 1;
                }
                best = best.max((calls * batch) as f64 / start.elapsed().as_secs_f64());
            }
            line += &format!(" {batch}: {best:.0}/s");
        }
        println!("{line}");
    }
    Ok(())
}

fn training(options: &Options) -> Result<(), NetError> {
    for (name, size) in &options.nets {
        let weights = weights(name, *size)?;
        let (batch, cells) = (options.step, size * size);
        let begin = Instant::now();
        let mut trainer = options.device.trainer(weights, Optimiser::default(), options.threads)?;
        let planes = planes(batch * 4 * cells);
        let policies = vec![1.0 / cells as f32; batch * cells];
        let values: Vec<f32> = (0..batch).map(|n| (n % 3) as f32 - 1.0).collect();
        let batch = Batch { planes: &planes, policies: &policies, values: &values };
        let mut losses = trainer.step(&batch)?;
        let first = begin.elapsed().as_secs_f64();
        let mut times = Vec::new();
        let begin = Instant::now();
        while times.len() < 3 || begin.elapsed().as_secs_f64() < options.seconds {
            let start = Instant::now();
            losses = trainer.step(&batch)?;
            times.push(start.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        println!(
            "train {name} {size}x{size} batch {} threads {}: {:.2} ms (median of {}), first {first:.2} s, loss {:.4}",
            options.step,
            options.threads,
            1e3 * times[times.len() / 2],
            times.len(),
            losses.total()
        );
    }
    Ok(())
}
