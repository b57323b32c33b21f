package org.trainyard.experiments.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.FitReason;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.JsonText;

/**
 * Jobs of a log that a command uses, and those that it leaves out, by reason: the one account of all commands.
 *
 * @param jobs those that are used, in their order, with types of GPUs named as on the cluster
 * @param leftOut those that the reader left out, or that do not fit on the cluster
 * @param never those that the scheduler never starts, not even on the empty cluster; a real one never starts them
 *     either
 */
public record LogAccount(List<TraceJob> jobs, List<LeftOut> leftOut, List<LeftOut> never) {
    /** Part of the GPU-hours that an answer needs. */
    private static final double ENOUGH = 0.95;

    public LogAccount {
        jobs = List.copyOf(jobs);
        leftOut = List.copyOf(leftOut);
        never = List.copyOf(never);
    }

    /**
     * Account of a log on a cluster.
     *
     * @param before jobs that its reader left out
     */
    public static LogAccount of(Topology topology, List<TraceJob> jobs, List<LeftOut> before) {
        FitReason fit = new FitReason(topology);
        return new LogAccount(
                fit.fitting(jobs),
                Stream.concat(before.stream(), fit.leftOut(jobs).stream()).toList(),
                List.of());
    }

    /** Returns this account without jobs of which the log does not say when they ran. */
    public LogAccount dated() {
        List<TraceJob> dated = jobs.stream().filter(job -> job.past() != null).toList();
        List<LeftOut> out = new ArrayList<>(leftOut);
        jobs.stream()
                .filter(job -> job.past() == null)
                .map(job -> new LeftOut("without a start and an end in the log", 1, job.gpuHours()))
                .reduce(LeftOut::and)
                .ifPresent(out::add);
        return new LogAccount(dated, out, never);
    }

    /** Returns this account without jobs that a scheduler, which has not run yet, says that it never starts. */
    public LogAccount startedBy(Scheduler scheduler) {
        ModelProfile model = ModelCatalog.standard().neutral();
        return without(job -> scheduler.refusal(WorkloadBuilder.spec(0, job, 0, model, 1)));
    }

    /** Returns this account without jobs for which there are reasons, by id. */
    public LogAccount without(Map<String, String> reasons) {
        return without(job -> reasons.get(job.id()));
    }

    private LogAccount without(Function<TraceJob, @Nullable String> refusal) {
        List<TraceJob> others = new ArrayList<>();
        Map<String, LeftOut> reasons = new LinkedHashMap<>();
        never.forEach(one -> reasons.put(one.reason(), one));
        for (TraceJob job : jobs) {
            String refused = refusal.apply(job);
            if (refused == null) {
                others.add(job);
            } else {
                String reason = "can never start: " + refused;
                reasons.merge(reason, new LeftOut(reason, 1, job.gpuHours()), LeftOut::and);
            }
        }
        return new LogAccount(others, leftOut, List.copyOf(reasons.values()));
    }

    /** All jobs that are not used, by reason. */
    public List<LeftOut> all() {
        return Stream.concat(leftOut.stream(), never.stream()).toList();
    }

    /**
     * Part of the GPU-hours that was left out; a job that cannot be read counts as the mean of those that are used.
     *
     * @param gpuHours of the jobs that are used
     */
    public static double share(List<LeftOut> leftOut, double gpuHours, long jobs) {
        double out = leftOut.stream()
                .mapToDouble(one -> one.reason().equals(LeftOut.UNREADABLE)
                        ? gpuHours / Math.max(1, jobs) * one.jobs()
                        : one.gpuHours())
                .sum();
        return out == 0 ? 0 : out / (out + gpuHours);
    }

    /**
     * Refuses a log of which too little is used; jobs that ran and never start here are not used, either. Jobs that ran
     * when it ended, as in any log, and lines that cannot be read, whose GPU-hours nobody knows, do not count.
     *
     * @param place of the log, for the message
     * @param partial whether the user wants an answer even so
     * @param cluster whose files may say which cluster the log is of; null where it has none
     */
    public LogAccount requireMost(String place, boolean partial, @Nullable LoggedCluster cluster) {
        // Jobs that ran in the log and never start here contradict it.
        boolean ran = jobs.stream().anyMatch(job -> job.past() != null);
        List<LeftOut> known = (ran ? all() : leftOut)
                .stream()
                        .filter(one -> !one.reason().startsWith(LeftOut.RUNNING)
                                && !one.reason().equals(LeftOut.UNREADABLE))
                        .toList();
        double kept =
                1 - share(known, jobs.stream().mapToDouble(TraceJob::gpuHours).sum(), jobs.size());
        if (!partial && !jobs.isEmpty() && kept < ENOUGH) {
            throw InputException.at(
                    place,
                    String.format(Locale.ROOT, "%.1f %% of its GPU-hours", 100 * kept),
                    String.format(
                            Locale.ROOT,
                            "jobs with at least %.0f %% of them, or --partial; %s%s",
                            100 * ENOUGH,
                            String.join(
                                    " ", all().stream().map(LeftOut::sentence).toList()),
                            cluster == null ? "" : cluster.otherwise()));
        }
        return this;
    }

    /** Lines on the part of the log that is used, and on jobs left out by reason; none where all is used. */
    public List<String> lines() {
        List<LeftOut> all = all();
        if (all.isEmpty()) {
            return List.of();
        }
        long out = all.stream().mapToLong(LeftOut::jobs).sum();
        List<String> lines = new ArrayList<>();
        lines.add(Counted.say(
                "Log: %,d of %,d jobs are used, %.1f %% of the GPU-hours.",
                jobs.size(),
                jobs.size() + out,
                100
                        * (1
                                - share(
                                        all,
                                        jobs.stream()
                                                .mapToDouble(TraceJob::gpuHours)
                                                .sum(),
                                        jobs.size()))));
        all.forEach(one -> lines.add(one.sentence()));
        return lines;
    }

    /** Prints an answer: for people below the lines, for machines in JSON with this account. */
    public void print(PrintWriter out, boolean isJson, Supplier<String> json, Supplier<Answer> answer) {
        out.print(
                isJson
                        ? into(json.get())
                        : new Answer().say(lines()).add(answer.get()).console());
    }

    /** An answer in JSON with this account of it. */
    public String into(String json) {
        ObjectNode answer = (ObjectNode) JsonText.read(json);
        answer.set("left_out", JsonText.tree(all()));
        return JsonText.pretty(answer);
    }
}
