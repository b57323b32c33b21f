package org.trainyard.agents.heuristic.elastic;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.goodput.GoodputModel;
import org.trainyard.env.workload.goodput.GoodputProfile;

/**
 * The goodput of a job that adapts its batch, at the present time of its training, by which an allocation counts it.
 */
public interface JobGoodput {
    /** Goodput on so many servers and GPUs. */
    @FunctionalInterface
    interface BySize {
        double of(int nodes, int gpus);
    }

    /** Pollux' goodput: throughput times statistical efficiency, with the layers that the job has frozen now. */
    JobGoodput PRESENT = (view, job) -> of(view, job, view.job(job).model().of(GoodputProfile.class));

    /** The goodput that the job can have. */
    BySize now(SimView view, int job);

    /** The goodput to which it is compared. */
    default BySize reference(SimView view, int job) {
        return now(view, job);
    }

    /** The goodput of a profile at the present time of the job's training. */
    static BySize of(SimView view, int job, @Nullable GoodputProfile profile) {
        if (profile == null) {
            throw new IllegalArgumentException("job (%d) does not adapt its batch".formatted(job));
        }
        GoodputModel model =
                profile.after(view.progressSeconds(job) * view.job(job).idealIterationsPerSecond());
        return (nodes, gpus) -> model.best(nodes, gpus).goodput();
    }
}
