package org.trainyard.experiments.fleet;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.Workload;
import org.trainyard.experiments.evaluation.DecisionCost;
import org.trainyard.experiments.evaluation.Latencies;
import org.trainyard.experiments.evaluation.TimedScheduler;

/** The result of a run and its processor time as bytes. Jobs are numbers: who reads has the same workload. */
final class RunBytes {
    private RunBytes() {}

    static void write(TimedScheduler.Run run, DataOutput out) throws IOException {
        RunResult result = run.result();
        out.writeInt(result.jobs().size());
        for (JobOutcome job : result.jobs()) {
            write(job, out);
        }
        out.writeInt(result.rejected().size());
        for (RunResult.RejectedJob job : result.rejected()) {
            out.writeInt(job.job().id());
            out.writeDouble(job.idealSeconds());
            out.writeUTF(job.reason());
        }
        out.writeInt(result.gpus());
        out.writeDouble(result.busyGpuSeconds());
        out.writeLong(result.decisions());
        out.writeLong(result.events());
        out.writeUTF(result.eventLogSha256());
        write(run.cost(), out);
    }

    /** @param scheduler its name in the tables */
    static TimedScheduler.Run read(DataInput in, Workload workload, String scheduler) throws IOException {
        List<JobOutcome> jobs = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            jobs.add(outcome(in, workload));
        }
        List<RunResult.RejectedJob> rejected = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            rejected.add(new RunResult.RejectedJob(workload.job(in.readInt()), in.readDouble(), in.readUTF()));
        }
        RunResult result = new RunResult(
                jobs, rejected, in.readInt(), in.readDouble(), in.readLong(), in.readLong(), in.readUTF());
        return new TimedScheduler.Run(result, cost(in, scheduler));
    }

    private static void write(JobOutcome job, DataOutput out) throws IOException {
        out.writeInt(job.job().id());
        out.writeLong(job.firstStartNanos());
        out.writeLong(job.endNanos());
        JobOutcome.TimeOnGpus time = job.onGpus();
        out.writeLong(time.nanos());
        out.writeLong(time.undisturbedNanos());
        out.writeLong(time.restartNanos());
        out.writeLong(time.interferenceNanos());
        out.writeInt(job.preemptions());
        out.writeInt(job.kills());
        out.writeDouble(job.meanSlowdown());
        out.writeInt(job.servers());
        out.writeInt(job.racks());
        out.writeDouble(job.utility());
        out.writeDouble(job.accuracyPenalty());
        out.writeLong(job.heldNanos());
        out.writeBoolean(job.timedOut());
    }

    private static JobOutcome outcome(DataInput in, Workload workload) throws IOException {
        return new JobOutcome(
                workload.job(in.readInt()),
                in.readLong(),
                in.readLong(),
                new JobOutcome.TimeOnGpus(in.readLong(), in.readLong(), in.readLong(), in.readLong()),
                in.readInt(),
                in.readInt(),
                in.readDouble(),
                in.readInt(),
                in.readInt(),
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readBoolean());
    }

    private static void write(DecisionCost cost, DataOutput out) throws IOException {
        out.writeDouble(cost.runSeconds());
        out.writeDouble(cost.decidingSeconds());
        out.writeLong(cost.calls());
        out.writeLong(cost.jobs());
        cost.decidingCalls().write(out);
        cost.perJob().write(out);
    }

    private static DecisionCost cost(DataInput in, String scheduler) throws IOException {
        return new DecisionCost(
                scheduler,
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                Latencies.read(in),
                Latencies.read(in));
    }
}
