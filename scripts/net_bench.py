#!/usr/bin/env python3
"""The lines of `cargo run --release -p spielbaum-net --example net_bench`, for PyTorch.

python3 scripts/net_bench.py [infer] [train] [device=cpu|cuda] [seconds=1] [threads=2] [batches=1/8/64]
[step=512] [nets=paper@8/res@15] [half]
"""
import sys
import time

import torch
import torch.nn.functional as F

from net_golden import Paper, Residual


def network(name, size):
    if name == "paper":
        return Paper(4, size, size)
    options = dict(pair.split("=") for pair in name.partition(":")[2].split(",") if pair)
    return Residual(4, int(options.get("blocks", 6)), int(options.get("channels", 64)))


def infer(nets, device, seconds, batches, half):
    for name, size in nets:
        net = network(name, size).eval().to(device)
        if half:
            net = net.half()
        line = f"infer {name} {size}x{size}:"
        for batch in batches:
            planes = torch.randint(0, 2, (batch, 4, size, size)).float()
            best = 0.0
            with torch.inference_mode():
                for _ in range(5):
                    net(planes.to(device).to(next(net.parameters()).dtype))
                for _ in range(5):
                    start, calls = time.perf_counter(), 0
                    while calls == 0 or time.perf_counter() - start < seconds / 5:
                        logits, values = net(planes.to(device).to(next(net.parameters()).dtype))
                        logits.float().cpu(), values.float().cpu()
                        calls += 1
                    best = max(best, calls * batch / (time.perf_counter() - start))
            line += f" {batch}: {best:.0f}/s"
        print(line, flush=True)


def train(nets, device, seconds, threads, batch):
    for name, size in nets:
        net = network(name, size).train().to(device)
        optimiser = torch.optim.Adam(net.parameters(), lr=0.002, weight_decay=1e-4)
        planes = torch.randint(0, 2, (batch, 4, size, size)).float()
        policies = torch.full((batch, size * size), 1.0 / size**2)
        values = torch.arange(batch).remainder(3).float() - 1

        def step():
            optimiser.zero_grad(set_to_none=True)
            p, v = net(planes.to(device))
            loss = F.mse_loss(v, values.to(device)) - (policies.to(device) * F.log_softmax(p, 1)).sum(1).mean()
            loss.backward()
            optimiser.step()
            return loss.item()

        step()
        times, begin = [], time.perf_counter()
        while len(times) < 3 or time.perf_counter() - begin < seconds:
            start = time.perf_counter()
            step()
            times.append(time.perf_counter() - start)
        times.sort()
        median = 1e3 * times[len(times) // 2]
        print(f"train {name} {size}x{size} batch {batch} threads {threads}: {median:.2f} ms (median of {len(times)})", flush=True)


def main():
    words = [word for word in sys.argv[1:] if "=" not in word]
    options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
    device = options.get("device", "cpu")
    threads = int(options.get("threads", 2))
    seconds = float(options.get("seconds", 1))
    nets = [(net.partition("@")[0], int(net.partition("@")[2])) for net in options.get("nets", "paper@8").split("/")]
    batches = options.get("batches", "1/8/64" if device == "cpu" else "1/64/512/2048")
    half = "half" in words
    print(f"PyTorch {torch.__version__}, {device}{', f16' if half else ''}", flush=True)
    if "infer" in words:
        torch.set_num_threads(1)
        infer(nets, device, seconds, [int(batch) for batch in batches.split("/")], half)
    if "train" in words:
        torch.set_num_threads(threads)
        train(nets, device, seconds, threads, int(options.get("step", 512)))


if __name__ == "__main__":
    main()
