package org.trainyard.env.gym.reward;

import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/** Speeds of running jobs relative to their ideal speed, as a reward knows them. */
public interface JobSpeeds {
    /** Speed of a running job over its speed alone on its best placement, at most 1 by any sound model. */
    double of(SimView view, int job);

    /**
     * Speeds by a belief about interference, and by ring all-reduce over the known links, each ring at full bandwidth.
     */
    static JobSpeeds believed(Topology topology, InterferenceModel interference) {
        return believed(topology, interference, Contention.NONE);
    }

    /**
     * Speeds by a belief about interference, and by ring all-reduce over the known links, which rings share by a known
     * law.
     *
     * <p>Interference must be believed because no data sheet tells it. The law of link sharing is that of the fabric's
     * fair queueing, which its operator knows, and who passes which link follows from the placements. A belief that
     * counts network cards counts them in addition.
     */
    static JobSpeeds believed(Topology topology, InterferenceModel interference, Contention contention) {
        return new BelievedSpeeds(new RingPerformance(topology, interference, contention), interference);
    }

    /** Speeds by the simulator's physics: for ablations only, because a real cluster does not tell them. */
    static JobSpeeds real() {
        return (view, job) -> view.rate(job) / view.job(job).idealIterationsPerSecond();
    }
}
