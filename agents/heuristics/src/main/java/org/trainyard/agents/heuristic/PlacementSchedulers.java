package org.trainyard.agents.heuristic;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.SHARES_GPUS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.AS_PUBLISHED;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OUR_READING;

import java.util.List;
import org.trainyard.agents.heuristic.classic.Fifo;
import org.trainyard.agents.heuristic.classic.LoadBalancing;
import org.trainyard.agents.heuristic.classic.Lucid;
import org.trainyard.agents.heuristic.classic.Tetris;
import org.trainyard.agents.heuristic.composed.ComposedScheduler;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.packing.HivedCells;
import org.trainyard.agents.heuristic.packing.Mapa;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Schedulers that are known for where they place jobs: LIF, Tetris, HiveD, MAPA and Lucid. */
@OwnFamily(module = "agents/heuristics", position = 90)
public final class PlacementSchedulers implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        ComposedSettings lif = ComposedSettings.of(ComposedSettings.Order.FIFO, ComposedSettings.Placement.LIF);
        return List.of(
                new Origin("LIF of Zhao, Wu (2021)", OUR_READING, NETWORK_AWARE)
                        .row("lif", "backfill without reservations; where jobs disturb each other least, as predicted")
                        .by((on, belief, seed) -> new ComposedScheduler(lif, on, belief)),
                new Origin("baseline of Zhao, Wu (2021)", OUR_READING)
                        .row("load-balancing", "backfill without reservations; each worker on the least loaded server")
                        .by(on -> new Fifo(true, new LoadBalancing())),
                new Origin("Tetris (SIGCOMM 2014)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE)
                        .row("tetris", "best alignment of demand and free resources, little work left first")
                        .by(on -> new Tetris(on)),
                new Origin("HiveD (OSDI 2020)", OUR_READING, NETWORK_AWARE)
                        .row("hived", "backfill without reservations; buddy cells of GPUs, servers and racks (HiveD)")
                        .but("simplified: tenants have quotas instead of cells of their own; no opportunistic jobs")
                        .by(on -> new Fifo(true, new HivedCells())),
                new Origin("MAPA (SC 2021)", AS_PUBLISHED, NETWORK_AWARE)
                        .row("mapa", "first in, first out; sets of GPUs by their links: widest, or least loss")
                        .but("gangs on several servers and the classes of sensitivity are ours")
                        .by(on -> new Fifo(false, new Mapa(on))),
                new Origin("MAPA (SC 2021)", OUR_READING, NETWORK_AWARE)
                        .row("mapa-backfill", "the same; backfill without reservations")
                        .by(on -> new Fifo(true, new Mapa(on))),
                new Origin("Lucid (ASPLOS 2023)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE, SHARES_GPUS)
                        .row(
                                "lucid",
                                "least predicted GPU time; two jobs on a GPU where little interference is predicted")
                        .but("simplified: no profiling and no classes of load; jobs are packed by predicted "
                                + "slowdown; packs stay together")
                        .by((on, belief, seed) -> new Lucid(belief)));
    }
}
