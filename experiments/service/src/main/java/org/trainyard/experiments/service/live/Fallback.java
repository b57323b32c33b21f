package org.trainyard.experiments.service.live;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.service.live.Question.Plan;
import org.trainyard.experiments.service.target.ServedScheduler;

/** The heuristic that answers when the scheduler does not: it knows nothing but the state, and its work is bounded. */
final class Fallback {
    private static final Logger LOG = LoggerFactory.getLogger(Fallback.class);
    /** The most decisions of an answer; further ones wait for the next question. */
    static final int MOST_DECISIONS = 100;

    private final String id;
    private final ServedScheduler heuristic;
    private final Topology topology;
    private final LiveCluster cluster;

    Fallback(String id, ServiceSettings settings, Topology topology, LiveCluster cluster) {
        this.id = id;
        heuristic = settings.fallback();
        this.topology = topology;
        this.cluster = cluster;
    }

    String name() {
        return heuristic.name();
    }

    /** A new instance of the heuristic, in the present state. */
    private Scheduler scheduler() {
        return heuristic.maker().scheduler(topology, null);
    }

    /** Decisions of the heuristic now, or the first of them; if it fails, all jobs wait. */
    Plan plan() {
        LiveScheduler scheduler = new LiveScheduler(cluster, this::scheduler);
        try {
            List<Decision> decisions = scheduler.propose(made -> made.size() >= MOST_DECISIONS);
            return plan(decisions, scheduler.isComplete());
        } catch (IllegalArgumentException | IllegalStateException | InputException e) {
            LOG.error("{}: the fallback {} failed: {}", id, name(), e.toString());
            return plan(List.of(Decision.WAIT), true);
        }
    }

    private static Plan plan(List<Decision> decisions, boolean isComplete) {
        return new Plan(decisions, List.of(), isComplete, true, false, false);
    }
}
