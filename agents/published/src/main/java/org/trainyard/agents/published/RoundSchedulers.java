package org.trainyard.agents.published;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.ELASTIC;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.PREEMPTIVE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OUR_READING;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.elastic.Optimus;
import org.trainyard.agents.heuristic.elastic.Pollux;
import org.trainyard.agents.heuristic.freezing.IceFrog;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.rounds.AlloXQueue;
import org.trainyard.agents.heuristic.rounds.Gavel;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Schedulers in rounds and of elastic jobs: Gavel, AlloX, Optimus, Pollux and IceFrog. */
@OwnFamily(module = "agents/published", position = 100)
public final class RoundSchedulers implements SchedulerPlugin {
    /** A scheduler that is too special for lists. */
    private static final String ABLATION = "icefrog:k=0";

    @Override
    public List<Entry> schedulers() {
        return List.of(
                new Origin("Gavel (OSDI 2020)", OUR_READING, PREEMPTIVE, NETWORK_AWARE)
                        .row(
                                "gavel",
                                "rounds of 360 s; least effective throughput over GPU types as large as can be (Gavel)")
                        .but("simplified: throughputs are predicted, not measured; equal weights; jobs do not share"
                                + " GPUs")
                        .by(Gavel::on),
                new Origin("AlloX (EuroSys 2020)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE)
                        .row("allox", "least sum of completion times over GPU types, by a matching (AlloX)")
                        .but("simplified: GPU types in place of CPUs and GPUs; no profiling; a gang counts as one"
                                + " job on one GPU for its GPU time; the 64 oldest jobs; no fairness")
                        .by(on -> new AlloXQueue(on, new BestFit())),
                new Origin("Optimus (EuroSys 2018)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC)
                        .row("optimus", "elastic: each GPU to the job whose remaining time shrinks most")
                        .but("simplified: remaining work from predictions and analytic throughput, neither fitted"
                                + " online; rings instead of parameter servers")
                        .by(Optimus::on),
                new Origin("Pollux (OSDI 2021)", OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC)
                        .row(
                                "pollux",
                                "elastic: largest harmonic mean of goodput; of throughput where batches are constant")
                        .but("simplified: where batches are constant, a greedy allocation that stops no job;"
                                + " goodput is known, not fitted online")
                        .by((on, belief, seed) -> new Pollux(on, seed)),
                icefrog()
                        .row(
                                "icefrog",
                                "elastic: as pollux, with frozen layers as a second knob and effective progress for"
                                        + " goodput")
                        .but("reconstructed: the paper's formulas are not known to us")
                        .by((on, belief, seed) -> IceFrog.on(on, seed)));
    }

    @Override
    public @Nullable Entry unlisted(String name) {
        return name.equals(ABLATION)
                ? icefrog()
                        .row(ABLATION, "icefrog that freezes nothing: scheduling alone")
                        .but("equals pollux")
                        .by((on, belief, seed) -> IceFrog.withoutFreezing(on, seed))
                : null;
    }

    private static Origin icefrog() {
        return new Origin("IceFrog (TPDS 2025)", OUR_READING, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, ELASTIC);
    }
}
