package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of a partition on the jobs that it starts, whether or not limits are enforced.
 *
 * @param maxSeconds MaxTime; -1 for any
 * @param minNodes MinNodes
 * @param maxNodes MaxNodes; -1 for any
 * @param maxCpusPerNode the CPUs that all its jobs may hold of a node; -1 for any
 * @param exclusiveUser whether the jobs of a node are all of one user while one of its runs there
 * @param allowAccounts in lower case; empty for all
 * @param denyAccounts these are turned away where AllowAccounts is not given
 * @param allowQos in lower case; empty for all
 * @param denyQos these are turned away where AllowQos is not given
 */
public record PartitionBounds(
        long maxSeconds,
        int minNodes,
        int maxNodes,
        int maxCpusPerNode,
        boolean exclusiveUser,
        Set<String> allowAccounts,
        Set<String> denyAccounts,
        Set<String> allowQos,
        Set<String> denyQos) {
    private static final int MINUTE = 60;

    static final PartitionBounds NONE =
            new PartitionBounds(-1, 0, -1, -1, false, Set.of(), Set.of(), Set.of(), Set.of());

    static PartitionBounds of(SlurmLine line) {
        return new PartitionBounds(
                line.seconds("MaxTime"),
                Math.max(0, count(line, "MinNodes")),
                count(line, "MaxNodes"),
                count(line, "MaxCPUsPerNode"),
                line.flag("ExclusiveUser") || line.text("Exclusive", "").equalsIgnoreCase("USER"),
                names(line, "AllowAccounts"),
                names(line, "DenyAccounts"),
                names(line, "AllowQos"),
                names(line, "DenyQos"));
    }

    private static int count(SlurmLine line, String key) {
        return SlurmKeys.isNothing(line.text(key, "")) ? -1 : line.count(key, -1);
    }

    private static Set<String> names(SlurmLine line, String key) {
        String text = line.text(key, "").toLowerCase(Locale.ROOT);
        return SlurmKeys.isNothing(text)
                ? Set.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).collect(Collectors.toSet());
    }

    /**
     * Why the partition starts no such job, in Slurm's words; null where it does.
     *
     * @param limitSeconds of the job; -1 for none
     */
    public @Nullable String refusal(long limitSeconds, int nodes, int cpusPerNode, String account, Qos qos) {
        if (isLonger(limitSeconds, maxSeconds) && !qos.flags().contains("partitiontimelimit")) {
            return "PartitionTimeLimit";
        }
        boolean isNarrow = nodes < minNodes && !qos.flags().contains("partitionminnodes");
        boolean isWide = maxNodes >= 0 && nodes > maxNodes && !qos.flags().contains("partitionmaxnodes");
        if (isNarrow || isWide) {
            return "PartitionNodeLimit";
        }
        if (maxCpusPerNode >= 0 && cpusPerNode > maxCpusPerNode) {
            return "Resources: MaxCPUsPerNode of the partition";
        }
        if (isOut(account, allowAccounts, denyAccounts)) {
            return "AccountNotAllowed";
        }
        return isOut(qos.name(), allowQos, denyQos) ? "QOSNotAllowed" : null;
    }

    /** Whether a limit exceeds the longest, -1 for any, in whole minutes, as Slurm counts them. */
    public static boolean isLonger(long limitSeconds, long maxSeconds) {
        return maxSeconds >= 0 && limitSeconds / MINUTE > maxSeconds / MINUTE;
    }

    private static boolean isOut(String name, Set<String> allowed, Set<String> denied) {
        String plain = name.toLowerCase(Locale.ROOT);
        return allowed.isEmpty() ? denied.contains(plain) : !allowed.contains(plain);
    }
}
