package org.trainyard.env.graphtraining;

import java.util.Locale;
import org.trainyard.env.performance.Occupancy;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.performance.ring.ServerDivision;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.JobSpec;

/** How jobs that train graph neural networks divide the server they are on. */
public enum GraphIsolation implements ServerDivision {
    /**
     * The server's cores, PCIe bandwidth and network card are divided among all stages of all jobs, see
     * {@link SharedServer#together}.
     */
    ISOLATED,
    /** Each job has an even part, in which its stages contend, see {@link SharedServer#evenly}. */
    EVEN;

    @Override
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean counts() {
        return true;
    }

    @Override
    public boolean divides(JobSpec job, JobSpec other) {
        return job.plan() instanceof GraphTraining && other.plan() instanceof GraphTraining;
    }

    @Override
    public double slowdownOn(int i, JobSpec job, Placement placement, Occupancy occupancy, RingPerformance rings) {
        return job.plan() instanceof GraphTraining plan
                ? new GraphTrainingRates(rings).slowdownOn(i, job, plan, placement, occupancy)
                : 1;
    }
}
