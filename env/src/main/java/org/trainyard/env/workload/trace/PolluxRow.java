package org.trainyard.env.workload.trace;

import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.PolluxApplications;
import org.trainyard.env.workload.trace.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.TraceRow;

/** A row of a workload of Pollux: an application that adapts its batch to the GPUs it gets. */
public final class PolluxRow {
    private static final int MOST_GPUS = 64;
    private static final int GPUS_OF_A_SERVER = 4;

    private PolluxRow() {}

    static TraceJob job(TraceRow row) {
        String application = row.text("application");
        GoodputProfile goodput = PolluxApplications.find(application);
        if (goodput == null) {
            throw new TraceFieldException(
                    "application", application, "one of " + String.join(", ", PolluxApplications.names()));
        }
        return job(row.text("name"), row.nanos("time", TraceRow.SECOND), application, goodput, (int)
                row.whole("num_replicas", 1, MOST_GPUS));
    }

    /** An application of {@link PolluxApplications} with its goodput that is submitted for so many GPUs, with the run time on these. */
    public static TraceJob job(String id, long submitNanos, String application, GoodputProfile goodput, int gpus) {
        int feeds = PolluxApplications.isElastic(application) ? goodput.limits().mostReplicas() : gpus;
        int most = Math.max(gpus, Math.min(MOST_GPUS, feeds));
        int servers = -Math.floorDiv(-gpus, GPUS_OF_A_SERVER);
        double seconds = goodput.iterations() / goodput.meanIterationsPerSecond(servers, gpus);
        return new TraceJob(
                id,
                submitNanos,
                Demand.ofGpus(gpus).elastic(1, most),
                Math.round(seconds * TraceRow.SECOND),
                "pollux-" + application,
                null,
                application,
                null);
    }
}
