package org.trainyard.env.workload.trace;

import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.goodput.GoodputProfile;
import org.trainyard.env.workload.goodput.PolluxApplications;
import org.trainyard.env.workload.goodput.PolluxJobs;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.log.TraceRow;

/** A row of a workload of Pollux: an application that adapts its batch to the GPUs it gets. */
final class PolluxRow {
    private PolluxRow() {}

    static TraceJob job(TraceRow row) {
        String application = row.text("application");
        GoodputProfile goodput = PolluxApplications.find(application);
        if (goodput == null) {
            throw new TraceFieldException(
                    "application", application, "one of " + String.join(", ", PolluxApplications.names()));
        }
        return PolluxJobs.job(row.text("name"), row.nanos("time", TraceRow.SECOND), application, goodput, (int)
                row.whole("num_replicas", 1, PolluxJobs.MOST_GPUS));
    }
}
