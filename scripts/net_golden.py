#!/usr/bin/env python3
"""Writes data/golden/net/*.json: outputs, losses, gradients and steps of Adam, computed by PyTorch.

The weights are not in the files: both sides draw them from the same generator (SplitMix64), tensor by
tensor, uniform in a range per tensor. Run: python3 scripts/net_golden.py (needs torch and numpy).
"""
import json
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

MASK = 0xFFFFFFFFFFFFFFFF


class Random:
    """Uniform numbers between -1 and 1, multiples of 2^-23."""

    def __init__(self, seed):
        self.state = seed

    def signed(self, count):
        steps = np.arange(1, count + 1, dtype=np.uint64)
        with np.errstate(over="ignore"):
            z = np.uint64(self.state) + steps * np.uint64(0x9E3779B97F4A7C15)
            self.state = (self.state + count * 0x9E3779B97F4A7C15) & MASK
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z = z ^ (z >> np.uint64(31))
        return (z >> np.uint64(40)).astype(np.float64) / (1 << 23) - 1.0


class Paper(nn.Module):
    def __init__(self, planes, height, width):
        super().__init__()
        cells = height * width
        self.conv1 = nn.Conv2d(planes, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.conv3 = nn.Conv2d(64, 128, 3, padding=1)
        self.policy = nn.ModuleDict({"conv": nn.Conv2d(128, 4, 1), "dense": nn.Linear(4 * cells, cells)})
        self.value = nn.ModuleDict(
            {"conv": nn.Conv2d(128, 2, 1), "dense1": nn.Linear(2 * cells, 64), "dense2": nn.Linear(64, 1)}
        )

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.relu(self.conv3(x))
        p = self.policy["dense"](F.relu(self.policy["conv"](x)).flatten(1))
        v = F.relu(self.value["dense1"](F.relu(self.value["conv"](x)).flatten(1)))
        return p, torch.tanh(self.value["dense2"](v)).squeeze(1)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(y)))


class Residual(nn.Module):
    def __init__(self, planes, blocks, channels, head=32):
        super().__init__()
        self.stem = nn.ModuleDict(
            {"conv": nn.Conv2d(planes, channels, 3, padding=1, bias=False), "bn": nn.BatchNorm2d(channels)}
        )
        self.blocks = blocks
        for block in range(blocks):
            self.add_module(f"block{block}", Block(channels))
        self.policy = nn.ModuleDict(
            {
                "conv": nn.Conv2d(channels, head, 1, bias=False),
                "bn": nn.BatchNorm2d(head),
                "logit": nn.Conv2d(head, 1, 1),
            }
        )
        self.value = nn.ModuleDict(
            {
                "conv": nn.Conv2d(channels, head, 1, bias=False),
                "bn": nn.BatchNorm2d(head),
                "dense1": nn.Linear(2 * head, 64),
                "dense2": nn.Linear(64, 1),
            }
        )

    def forward(self, x):
        x = F.relu(self.stem["bn"](self.stem["conv"](x)))
        for block in range(self.blocks):
            x = getattr(self, f"block{block}")(x)
        p = F.relu(self.policy["bn"](self.policy["conv"](x)))
        p = self.policy["logit"](p).flatten(1)
        v = F.relu(self.value["bn"](self.value["conv"](x))).flatten(2)
        v = torch.cat([v.mean(2), v.amax(2)], 1)
        v = F.relu(self.value["dense1"](v))
        return p, torch.tanh(self.value["dense2"](v)).squeeze(1)


def tensor_range(name, dims):
    """Centre and half width of the numbers of a tensor."""
    if name.endswith("running_var"):
        return 1.0, 0.5
    if "bn" in name:
        return (1.0, 0.5) if name.endswith("weight") else (0.0, 0.3)
    fan_in = int(np.prod(dims[1:])) if len(dims) > 1 else 16
    return 0.0, float(np.sqrt(np.float64(3.0) / fan_in))


def fill(net, random):
    state = net.state_dict()
    for name in sorted(state):
        if name.endswith("num_batches_tracked"):
            continue
        dims = list(state[name].shape)
        centre, half = tensor_range(name, dims)
        numbers = centre + half * random.signed(int(np.prod(dims)))
        state[name].copy_(torch.tensor(numbers.astype(np.float32)).reshape(dims))


def losses(logits, values, policies, outcomes):
    log_p = F.log_softmax(logits, 1)
    value = F.mse_loss(values, outcomes)
    policy = -(policies * log_p).sum(1).mean()
    entropy = -(log_p.exp() * log_p).sum(1).mean()
    return value, policy, entropy


def sample(tensor, count=40):
    flat = tensor.detach().double().flatten().numpy()
    step = max(1, len(flat) // count)
    weights = np.cos(np.arange(len(flat)) * 0.7)
    return {
        "step": step,
        "numbers": [float(f"{x:.9g}") for x in flat[::step]],
        "sum": float(flat.sum()),
        "waves": float((flat * weights).sum()),
        "norm": float(np.sqrt((flat**2).sum())),
    }


def golden(text, net, shape, positions, seed):
    planes, height, width = shape
    cells = height * width
    random = Random(seed)
    fill(net, random)
    x = (random.signed(positions * planes * cells) > 0.2).astype(np.float32)
    q = (random.signed(positions * cells) + 1.0) ** 2
    q = q.reshape(positions, cells)
    q = (q / q.sum(1, keepdims=True)).astype(np.float32)
    z = np.sign(np.round(1.5 * random.signed(positions))).astype(np.float32)
    planes_t = torch.tensor(x).reshape(positions, planes, height, width)
    policies, outcomes = torch.tensor(q), torch.tensor(z)
    # In double precision the reference's own error is out of the way; the numbers are those of f32.
    net.double()
    planes_t, policies, outcomes = planes_t.double(), policies.double(), outcomes.double()
    net.eval()
    with torch.no_grad():
        logits, values = net(planes_t)
    result = {
        "architecture": text,
        "shape": "x".join(map(str, shape)),
        "seed": seed,
        "positions": positions,
        "torch": torch.__version__.split("+")[0],
        "logits": [float(f"{v:.9g}") for v in logits.flatten().tolist()],
        "values": [float(f"{v:.9g}") for v in values.tolist()],
    }
    net.train()
    optimiser = torch.optim.Adam(net.parameters(), lr=0.003, weight_decay=1e-4)
    steps = []
    for step in range(3):
        optimiser.zero_grad()
        logits, values = net(planes_t)
        value, policy, entropy = losses(logits, values, policies, outcomes)
        (value + policy).backward()
        if step == 0:
            result["gradients"] = {name: sample(p.grad) for name, p in net.named_parameters()}
        optimiser.step()
        steps.append([value.item(), policy.item(), entropy.item()])
    result["losses"] = steps
    state = net.state_dict()
    result["weights"] = {
        name: sample(state[name], 12) for name in sorted(state) if not name.endswith("num_batches_tracked")
    }
    return result


def main():
    folder = os.path.join(os.path.dirname(__file__), "..", "data", "golden", "net")
    os.makedirs(folder, exist_ok=True)
    cases = [
        ("paper", "paper", Paper(4, 6, 5), (4, 6, 5), 9, 11),
        ("residual", "res:blocks=2,channels=32", Residual(3, 2, 32), (3, 5, 7), 9, 12),
    ]
    for name, text, net, shape, positions, seed in cases:
        with open(os.path.join(folder, f"{name}.json"), "w") as file:
            json.dump(golden(text, net, shape, positions, seed), file)
            file.write("\n")


if __name__ == "__main__":
    main()
