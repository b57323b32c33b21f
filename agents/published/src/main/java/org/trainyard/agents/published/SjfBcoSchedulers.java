package org.trainyard.agents.published;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OURS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OUR_READING;

import java.util.List;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.agents.heuristic.sjfbco.SjfBco;
import org.trainyard.agents.heuristic.sjfbco.SjfBcoPlan;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** SJF-BCO and its baselines (MobiHoc 2022). */
@OwnFamily(module = "agents/published", position = 80)
public final class SjfBcoSchedulers implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        Origin paper = new Origin("SJF-BCO (MobiHoc 2022)", OUR_READING, NEEDS_PREDICTIONS);
        Origin baseline = new Origin("SJF-BCO's baselines", OUR_READING, NEEDS_PREDICTIONS);
        return List.of(
                new Origin(paper.source(), OURS, NEEDS_PREDICTIONS)
                        .row(
                                "sjf-bco",
                                "fewest GPUs first; small jobs where servers are in use, large ones on the least busy")
                        .but("the online form is ours: the paper plans one batch, as sjf-bco-plan does")
                        .by(SjfBco::on),
                paper.row("sjf-bco-plan", "SJF-BCO, hourly plans of GPUs per job")
                        .by(plan(BatchPlanner.Policy.SJF_BCO)),
                baseline.row("ls-plan", "the same, on the GPUs booked for least time (LS)")
                        .by(plan(BatchPlanner.Policy.LS)),
                baseline.row("ff-plan", "the same, on the first GPUs (FF)").by(plan(BatchPlanner.Policy.FF)),
                baseline.row("rand-plan", "the same, on random GPUs (RAND)").by(plan(BatchPlanner.Policy.RAND)));
    }

    private static SchedulerRegistry.Factory plan(BatchPlanner.Policy policy) {
        return (on, belief, seed) -> new SjfBcoPlan(policy, SjfBcoPlan.Settings.DEFAULT, seed);
    }
}
