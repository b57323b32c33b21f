package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.trainyard.env.workload.trace.slurm.DelimitedTable;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * A quality of service.
 *
 * @param index its place in the table
 * @param preempts names of the QOS whose jobs it may preempt
 * @param preemptMode what happens to its jobs when they are preempted; empty for the cluster's
 * @param flags in small letters
 * @param usageFactor by which use counts
 * @param group limits of all its jobs
 * @param user limits of each user's
 * @param account limits of each account's
 * @param job limits of one job
 * @param maxSeconds longest limit of a job; -1 for any
 * @param exemptSeconds in which a job that has started is not preempted
 */
public record Qos(
        String name,
        int index,
        long priority,
        Set<String> preempts,
        String preemptMode,
        Set<String> flags,
        double usageFactor,
        TresLimits group,
        TresLimits user,
        TresLimits account,
        TresLimits job,
        long maxSeconds,
        long exemptSeconds) {
    /** A QOS that says nothing, for clusters without a table of them. */
    public static final Qos NORMAL = new Qos(
            "normal",
            0,
            0,
            Set.of(),
            "",
            Set.of(),
            1,
            TresLimits.NONE,
            TresLimits.NONE,
            TresLimits.NONE,
            TresLimits.NONE,
            -1,
            0);

    /** Reads {@code sacctmgr -P show qos}. */
    static Map<String, Qos> parse(String source, List<String> lines) {
        DelimitedTable table = DelimitedTable.ofBars(source, lines, "Name");
        Map<String, Qos> all = new LinkedHashMap<>();
        for (int row = 0; row < table.rows(); row++) {
            String preempt = table.text(row, "Preempt");
            String mode = table.text(row, "PreemptMode");
            String factor = table.text(row, "UsageFactor");
            all.put(
                    table.text(row, "Name"),
                    new Qos(
                            table.text(row, "Name"),
                            row,
                            table.number(row, "Priority", 0),
                            preempt.isEmpty() ? Set.of() : Set.of(preempt.split(",", -1)),
                            mode.equals("cluster") ? "" : mode,
                            flags(table.text(row, "Flags")),
                            factor.isEmpty()
                                    ? 1
                                    : SlurmText.decimal(table.place(row, "UsageFactor"), factor, "a number"),
                            TresLimits.of(table, row, "GrpTRES", "GrpJobs"),
                            TresLimits.of(table, row, "MaxTRESPU", "MaxJobsPU"),
                            TresLimits.of(table, row, "MaxTRESPA", "MaxJobsPA"),
                            TresLimits.of(table, row, "MaxTRES", ""),
                            table.seconds(row, "MaxWall"),
                            Math.max(0, table.seconds(row, "PreemptExemptTime"))));
        }
        return all;
    }

    private static Set<String> flags(String text) {
        return Arrays.stream(text.toLowerCase(Locale.ROOT).split(",", -1))
                .map(String::strip)
                .filter(flag -> !flag.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Whether its jobs get no plan. */
    public boolean noReserve() {
        return flags.contains("noreserve");
    }

    /** Whether its limits come before those of the QOS of a partition. */
    public boolean isOverPartition() {
        return flags.contains("overpartqos");
    }

    /** Whether its jobs may preempt those of another. */
    public boolean mayPreempt(Qos other) {
        return index != other.index && preempts.contains(other.name);
    }
}
