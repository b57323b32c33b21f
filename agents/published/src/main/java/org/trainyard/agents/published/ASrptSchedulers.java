package org.trainyard.agents.published;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OURS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OUR_READING;

import java.util.List;
import org.trainyard.agents.heuristic.asrpt.ASrpt;
import org.trainyard.agents.heuristic.asrpt.PredictedQueue;
import org.trainyard.agents.heuristic.asrpt.SpwfWithDelay;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** A-SRPT and its baselines (Luo et al., INFOCOM 2025). */
@OwnFamily(module = "agents/published", position = 50)
public final class ASrptSchedulers implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        Origin paper = new Origin("Luo et al. (INFOCOM 2025)", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE);
        Origin ours = new Origin("", OURS, NEEDS_PREDICTIONS, NETWORK_AWARE);
        Origin baseline = new Origin("Luo et al.'s baselines", OUR_READING, NEEDS_PREDICTIONS, NETWORK_AWARE);
        return List.of(
                paper.row("a-srpt", "released by a virtual machine under SRPT; heavy jobs wait for few servers")
                        .but("read from the abstract; constants and backfill are ours")
                        .by(on -> new ASrpt(on, ASrpt.Settings.PAPER)),
                paper.row("a-srpt/blocking", "the same; the head blocks, light gangs are packed into fragments")
                        .but("the other reading of the abstract, which loses to the paper's baselines near saturation")
                        .by(on -> new ASrpt(on, ASrpt.Settings.BLOCKING)),
                ours.row("a-srpt-tuned", "a-srpt with a slower machine and a longer delay")
                        .but("tuned by us, not by the paper")
                        .by(on -> new ASrpt(on, ASrpt.Settings.TUNED)),
                ours.row("spwf-delay", "smallest predicted work first; heavy jobs wait for few servers")
                        .by(on -> new SpwfWithDelay(on)),
                baseline.row("spjf", "shortest predicted run time first; the head blocks")
                        .by(queue(PredictedQueue.Key.DURATION, false)),
                baseline.row("spwf", "smallest predicted work first; the head blocks")
                        .by(queue(PredictedQueue.Key.WORKLOAD, false)),
                baseline.row("wcs-workload", "smallest predicted work first; backfill without reservations")
                        .by(queue(PredictedQueue.Key.WORKLOAD, true)));
    }

    private static SchedulerRegistry.Factory queue(PredictedQueue.Key key, boolean skips) {
        return (on, belief, seed) -> new PredictedQueue(key, skips, new BestFit());
    }
}
