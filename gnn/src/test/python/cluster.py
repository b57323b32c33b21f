"""The two levels of the cluster encoder in plain PyTorch; writes the reference that TwoLevelReferenceTest reads.

    python cluster.py > ../resources/org/trainyard/gnn/cluster/two-levels.json

Weights, rows and links come from a rule that Java repeats exactly, so that only results are stored.
"""

import json
import sys

import torch
from torch.nn.functional import layer_norm

torch.set_default_dtype(torch.float64)
LINK, GPUS = 3, 8


def numbers(count, stream, scale):
    """Numbers within +-scale, the same in Java: fractions of a multiplied counter, as floats."""
    values = [((i * 2654435761 + stream * 40503 + 12345) * 2246822519 % 4294967296) / 4294967296 for i in range(count)]
    return torch.tensor([(v - 0.5) * 2 * scale for v in values]).float().double()


class Weights:
    def __init__(self, stream, count):
        self.all = numbers(count, stream, 0.5).requires_grad_()
        self.at = 0

    def take(self, *shape):
        size = 1
        for n in shape:
            size *= n
        self.at += size
        return self.all[self.at - size : self.at].view(*shape)

    def linear(self, out, into, bias=True):
        return self.take(out, into), self.take(out) if bias else 0


def apply(layer, x):
    return x @ layer[0].T + layer[1]


def norm(weights, x):
    return layer_norm(x, (x.shape[-1],), weights[0], weights[1], 1e-5)


class GpuSets:
    """Level 1; ``links`` of one server, [gpus, gpus, LINK], and a set of its GPUs."""

    def __init__(self, weights, hidden, rounds, size, flat):
        self.flat, self.hidden = flat, hidden
        columns = GPUS * GPUS * LINK + GPUS if flat else LINK + 1
        self.into = weights.linear(hidden, columns)
        self.rounds = []
        for _ in range(rounds):
            message = weights.linear(hidden, hidden, False)
            link = weights.linear(hidden, LINK)
            own = weights.linear(hidden, hidden, False)
            heard = weights.linear(hidden, hidden, False)
            self.rounds.append((message, link, own, heard, (weights.take(hidden), weights.take(hidden))))
        self.read = weights.linear(hidden, hidden)
        self.out = weights.linear(size, hidden if flat else 2 * hidden)

    def embed(self, links, members):
        if self.flat:
            padded = torch.zeros(GPUS, GPUS, LINK)
            inside = torch.zeros(GPUS)
            for a in members:
                inside[a] = 1
                for b in members:
                    padded[a, b] = links[a, b]
            x = apply(self.into, torch.cat([padded.flatten(), inside])).relu()
            return apply(self.out, apply(self.read, x).relu())
        k = len(members)
        edges = links[members][:, members]
        h = apply(self.into, torch.cat([edges.mean(1), torch.full((k, 1), k / 8)], 1)).relu()
        for message, link, own, heard, scale in self.rounds:
            sent = (apply(message, h)[None, :, :] + apply(link, edges)).relu()
            h = norm(scale, h + (apply(own, h) + apply(heard, sent.mean(1))).relu())
        r = apply(self.read, h).relu()
        return apply(self.out, torch.cat([r.mean(0), r.amax(0)]))


class Cluster:
    """Level 2: rows of servers, racks and the core."""

    def __init__(self, weights, columns, inside, hidden, rounds):
        self.into = [weights.linear(hidden, columns + (inside if level == 0 else 0)) for level in range(3)]
        self.steps = []
        for _ in range(rounds):
            step = []
            for _ in range(4):
                square = [weights.linear(hidden, hidden, False) for _ in range(3)]
                step.append((square, (weights.take(hidden), weights.take(hidden))))
            self.steps.append(step)

    @staticmethod
    def hear(step, hearers, means):
        (_, own, heard), scale = step
        return norm(scale, hearers + (apply(own, hearers) + apply(heard, means)).relu())

    def encode(self, rows, insides, rack_of):
        servers, racks = len(rack_of), max(rack_of) + 1
        s = apply(self.into[0], torch.cat([rows[:servers], insides], 1)).relu()
        r = apply(self.into[1], rows[servers : servers + racks]).relu()
        c = apply(self.into[2], rows[servers + racks :]).relu()
        where = torch.tensor(rack_of)
        mean = torch.stack([(where == rack).double() / (where == rack).sum() for rack in range(racks)])
        for up_rack, up_core, down_rack, down_server in self.steps:
            r = self.hear(up_rack, r, mean @ apply(up_rack[0][0], s).relu())
            c = self.hear(up_core, c, apply(up_core[0][0], r).relu().mean(0, keepdim=True))
            r = self.hear(down_rack, r, apply(down_rack[0][0], c).relu())
            s = self.hear(down_server, s, apply(down_server[0][0], r).relu()[where])
        return torch.cat([s, r, c])


def links(gpus, stream):
    raw = numbers(gpus * gpus, stream, 1)
    table = torch.zeros(gpus, gpus, LINK)
    for a in range(gpus):
        for b in range(gpus):
            if a != b:
                v = raw[min(a, b) * gpus + max(a, b)]
                nvlink = torch.floor(v * 4).clamp(min=0) * 25
                pcie = 10 + 5 * ((a // 4 == b // 4) + (a // 2 == b // 2))
                scaled = torch.log1p(torch.tensor([float(nvlink), float(pcie)])) / 6
                table[a, b] = torch.tensor([float(nvlink > 0), *scaled.float().double()])
    return table


def case(flat):
    hidden, rounds, size, columns = 6, 0 if flat else 2, 7, 5
    rack_of = [0, 0, 1, 1, 1]
    free = [[0, 1, 2], [5], [0, 3, 4, 7], [0, 1, 2, 3, 4, 5, 6, 7], []]
    interiors = [links(8, 1), links(8, 2)]
    of_gpus = Weights(3, 1297 if flat else 451)
    of_cluster = Weights(4, 1110)
    level1 = GpuSets(of_gpus, hidden, rounds, size, flat)
    level2 = Cluster(of_cluster, columns, size, hidden, 2)
    assert (of_gpus.at, of_cluster.at) == (len(of_gpus.all), len(of_cluster.all)), (of_gpus.at, of_cluster.at)
    insides = torch.stack(
        [level1.embed(interiors[s % 2], members) if members else torch.zeros(size) for s, members in enumerate(free)]
    )
    rows = numbers(8 * columns, 5, 1).view(8, columns)
    nodes = level2.encode(rows, insides, rack_of)
    loss = (nodes.flatten() * numbers(nodes.numel(), 6, 1)).sum() + (insides.flatten() * numbers(insides.numel(), 7, 1)).sum()
    loss.backward()

    def short(values):
        return [float("%.8g" % v) for v in values.detach().flatten().tolist()]

    return {
        "insides": short(insides),
        "nodes": short(nodes),
        "gpuGradient": short(of_gpus.all.grad),
        "clusterGradient": short(of_cluster.all.grad),
    }


json.dump({"HIERARCHICAL": case(False), "FLAT": case(True)}, sys.stdout)
print()
