"""The hierarchical encoder once more, in plain PyTorch: what the Java one must agree with, and what it is timed against.

    python3 encoder.py check BATCH.npz OUT.npz   writes the embeddings of the batch, and for every weight the gradient of
                                                 the sum of their mean squares
    python3 encoder.py time BATCH.npz            for every line "N" on standard input runs N forward and backward passes
                                                 with one thread and answers with the seconds of processor time they took

BATCH.npz holds the weights by their names, the sections of the rows by theirs (see ObservationSpec) and `shape`, which is
sockets per server, GPUs per socket and rounds at level 2. Servers in equal states do not share their work here.
"""

import sys
import time

import numpy
import torch
from torch.nn.functional import layer_norm, linear, relu

KINDS = 4


class Encoder:
    def __init__(self, weights, sockets, per_socket, rounds):
        self.w = weights
        self.sockets, self.per_socket, self.rounds = sockets, per_socket, rounds
        self.gpus = sockets * per_socket
        self.hears, self.kinds = self.wiring()

    def dense(self, name, x):
        return linear(x, self.w[name + ".weight"], self.w.get(name + ".bias"))

    def wiring(self):
        """Who hears which edge, V x E, and the kind of every edge, E x KINDS."""
        g, k = self.gpus, self.sockets
        gpu, switch, socket, nic = range(g), range(g, g + k), range(g + k, g + 2 * k), g + 2 * k
        edges = [(0, [v for v in gpu if v != u]) for u in gpu]
        edges += [(1, [switch[u // self.per_socket]]) for u in gpu]
        edges += [(1, [socket[i]]) for i in range(k)]
        edges += [(2, [v for v in socket if v != u]) for u in socket]
        edges += [(3, [nic]) for _ in range(k)]
        edges += [(1, [v]) for v in gpu]
        edges += [(1, [switch[i]]) for i in range(k)]
        edges += [(3, [switch[i]]) for i in range(k)]
        hears = torch.zeros(nic + 1, len(edges))
        kinds = torch.zeros(len(edges), KINDS)
        for e, (kind, receivers) in enumerate(edges):
            kinds[e, kind] = 1
            hears[receivers, e] = 1
        return hears, kinds

    def server_level(self, gpus, servers):
        """M x G x GPU and M x 1 x SERVER to M x H."""
        m, k, p = gpus.shape[0], self.sockets, self.per_socket
        sums = gpus.reshape(m, k, p, -1).sum(2) / 8
        gpu, socket = gpus[..., :1], sums[..., :1].sign()
        upi, nics = servers[..., 6:8] * socket, servers[..., 8:10] * socket
        exist = torch.cat(
            [servers[..., 4:5] * gpu, gpu, socket, upi[..., :1].sign(), socket, gpu, socket, socket], 1)
        features = torch.cat(
            [gpus[..., 8:10], gpus[..., 10:], sums[..., 10:], upi, nics, gpus[..., 10:], sums[..., 10:], nics], 1)
        edges = torch.cat([exist * self.kinds, features], 2)
        there = torch.cat([gpu, socket, socket, servers[..., :1]], 1)
        hears = self.hears * exist.transpose(1, 2) * there
        hears = hears / hears.sum(2, keepdim=True).clamp(min=1)
        nodes = torch.cat(
            [
                relu(self.dense("gpu.in", gpus[..., :8])),
                relu(self.dense("pcie.in", sums[..., :8])),
                relu(self.dense("socket.in", sums[..., :8])),
                relu(self.dense("nic.in", servers)),
            ], 1)
        for i in range(2):
            name = "inside%d" % i
            a = self.dense(name + ".message", nodes)
            of_gpu, of_switch, of_socket, of_nic = a.split([self.gpus, k, k, 1], 1)
            sent = torch.cat(
                [
                    of_gpu, of_gpu, of_switch, of_socket, of_switch,
                    of_switch.repeat_interleave(p, 1), of_socket, of_nic.expand(-1, k, -1),
                ], 1)
            messages = relu(sent + self.dense(name + ".edge", edges))
            nodes = relu(self.dense(name + ".self", nodes) + self.dense(name + ".heard", hears @ messages))
        mean = (nodes * there).sum(1, keepdim=True) / there.sum(1, keepdim=True).clamp(min=1)
        most = nodes.amax(1, keepdim=True)
        return relu(self.dense("server.in", torch.cat([mean, most, servers], 2))).squeeze(1)

    def fabric_level(self, nodes, links, parents, ends):
        """Servers, domains, leaf switches, pods and core, N x (C + 1) x H, after all rounds."""
        children = links.shape[1]
        hubs = children - ends + 1
        up = (parents.unsqueeze(2) == torch.arange(1, hubs + 1)).float()
        above, below = up.sum(2, keepdim=True), up.sum(1).unsqueeze(2)
        n = links.shape[0]
        exists = torch.cat([above, torch.ones(n, 1, 1)], 1)
        neighbours = torch.cat([above, torch.zeros(n, 1, 1)], 1) + torch.cat([torch.zeros(n, ends, 1), below], 1)
        share = exists / neighbours.clamp(min=1)
        for i in range(self.rounds):
            name = "round%d" % i
            a = self.dense(name + ".message", nodes)
            e = self.dense(name + ".edge", links)
            rising = relu(a[:, :children] + e)
            falling = relu(up @ a[:, ends:] + e)
            to_hubs = up.transpose(1, 2) @ rising
            sums = torch.cat([falling[:, :ends], falling[:, ends:] + to_hubs[:, :-1], to_hubs[:, -1:]], 1)
            heard = relu(self.dense(name + ".self", nodes) + self.dense(name + ".heard", sums * share))
            scale, shift = self.w[name + ".norm.scale"], self.w[name + ".norm.shift"]
            nodes = layer_norm(nodes + heard, scale.shape, scale, shift, 1e-5) * exists
        return nodes

    def job(self, x):
        return relu(self.dense("job.second", relu(self.dense("job.first", x))))

    def encode(self, rows):
        n, s = rows["servers"].shape[:2]
        gpus = rows["gpus"].reshape(n * s, self.gpus, -1)
        servers = self.server_level(gpus, rows["servers"].reshape(n * s, 1, -1)).reshape(n, s, -1)
        ends = s + rows["domains"].shape[1]
        nodes = torch.cat(
            [
                servers,
                relu(self.dense("domain.in", rows["domains"])),
                relu(self.dense("hub.in", rows["links"][:, ends:])),
                relu(self.dense("core.in", rows["global"])),
            ], 1)
        nodes = self.fabric_level(nodes, rows["links"], rows["parents"], ends)
        servers, domains, core = nodes[:, :s], nodes[:, s:ends], nodes[:, -1:]
        own = rows["domains"][..., 1:2].transpose(1, 2) @ domains
        jobs = self.job(rows["jobs"])
        queue = jobs.sum(1, keepdim=True) / rows["jobs"][..., :1].sum(1, keepdim=True).clamp(min=1)
        all_servers = servers.sum(1, keepdim=True) / rows["servers"][..., :1].sum(1, keepdim=True).clamp(min=1)
        seen = torch.cat([own, core, all_servers, queue, jobs.amax(1, keepdim=True), rows["global"]], 2)
        return {
            "servers": servers,
            "domains": domains,
            "jobs": jobs,
            "focus": self.job(rows["focus"]),
            "context": relu(self.dense("context", seen)),
        }


def load(file):
    arrays = {name: torch.from_numpy(array) for name, array in numpy.load(file).items()}
    shape = [int(i) for i in arrays.pop("shape")]
    rows = {name: array for name, array in arrays.items() if "." not in name}
    weights = {name: array.requires_grad_() for name, array in arrays.items() if "." in name}
    return Encoder(weights, *shape), rows


def passes(encoder, rows, count):
    """Processor seconds of so many forward and backward passes."""
    start = time.process_time()
    for _ in range(count):
        for weight in encoder.w.values():
            weight.grad = None
        sum(x.sum() for x in encoder.encode(rows).values()).backward()
    return time.process_time() - start


def main(arguments):
    torch.set_num_threads(1)
    encoder, rows = load(arguments[1])
    if arguments[0] == "check":
        seen = encoder.encode(rows)
        sum(x.square().mean() for x in seen.values()).backward()
        out = {name: x.detach().numpy() for name, x in seen.items()}
        out.update({name: weight.grad.numpy() for name, weight in encoder.w.items()})
        numpy.savez(arguments[2], **out)
    elif arguments[0] == "time":
        for line in sys.stdin:
            print(passes(encoder, rows, int(line)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
