package org.trainyard.agents.heuristic.elastic;

import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * Optimus: every ten minutes GPUs go one by one to the job whose predicted remaining time shrinks most by one more GPU.
 *
 * <p>Source: Y. Peng, Y. Bao, Y. Chen, C. Wu, C. Guo: Optimus: an efficient dynamic resource scheduler for deep
 * learning clusters, EuroSys 2018. Our deviations: (1) workers on a ring instead of workers and parameter servers; (2)
 * remaining work is the work predicted at submission less the completed work, not a fitted loss curve; (3) throughput
 * by number of GPUs is the analytic one, alone and on the best placement, not fitted online; (4) GPUs are the only
 * resource; (5) new jobs start at once on free GPUs, and placement is {@link BestFit}'s. A job that is not elastic
 * keeps its GPUs.
 */
public final class Optimus {
    /** Time between two allocations, as in the paper, seconds. */
    static final double DEFAULT_ROUND_SECONDS = 600;
    /** Assumed cost of a change of GPUs, seconds: the default of the simulator. */
    static final double DEFAULT_RESTART_SECONDS = 30;

    private Optimus() {}

    /** Optimus with the constants above. */
    public static Scheduler on(Topology topology) {
        ElasticRounds.Settings settings = new ElasticRounds.Settings(DEFAULT_ROUND_SECONDS, DEFAULT_RESTART_SECONDS);
        return new ElasticRounds(settings, Optimus::secondsSaved, topology);
    }

    private static double secondsSaved(SimView view, int job, ElasticSpeed speed, int gpus) {
        double iterations = view.predictedRemainingSeconds(job) * view.job(job).idealIterationsPerSecond();
        return iterations / speed.of(view.job(job), gpus) - iterations / speed.of(view.job(job), gpus + 1);
    }
}
