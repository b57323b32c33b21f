package org.trainyard.experiments.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.workload.JobSpec;

/** Attribute by which jobs are grouped. */
public enum Grouping {
    GPUS,
    USER,
    GROUP,
    VIRTUAL_CLUSTER,
    ACCOUNT,
    QOS;

    /** Groups with the most jobs that stand alone; all others are one. */
    public static final int MOST = 20;

    /** The name of all groups but the greatest. */
    public static final String OTHERS = "others";

    private static final String NONE = "(none)";

    /** Name of the grouping in files, such as {@code virtual_cluster}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    private @Nullable String of(JobSpec job) {
        return switch (this) {
            case GPUS -> Integer.toString(job.gpus());
            case USER -> job.user();
            case GROUP -> job.group();
            case VIRTUAL_CLUSTER -> job.virtualCluster();
            case ACCOUNT -> job.terms().account();
            case QOS -> job.terms().qos();
        };
    }

    /** All jobs by their name in this grouping, in the order of the names; empty when no job has one. */
    Map<String, List<JobOutcome>> byName(List<JobOutcome> jobs) {
        Map<String, List<JobOutcome>> byName = new TreeMap<>();
        boolean isKnown = false;
        for (JobOutcome job : jobs) {
            String name = of(job.job());
            isKnown |= name != null;
            byName.computeIfAbsent(name == null ? NONE : name, key -> new ArrayList<>())
                    .add(job);
        }
        return isKnown ? byName : Map.of();
    }

    /**
     * The groups of some jobs: GPUs in increasing order, all others by their number of jobs, the most first.
     * {@value #OTHERS} comes last; its jobs are those of all groups beyond the {@value #MOST} with the most jobs.
     *
     * @return empty when no job has a name in this grouping
     */
    public List<JobGroup> of(List<JobOutcome> jobs) {
        List<Map.Entry<String, List<JobOutcome>>> all =
                new ArrayList<>(byName(jobs).entrySet());
        all.sort((a, b) -> Integer.compare(b.getValue().size(), a.getValue().size()));
        int alone = all.size() <= MOST + 1 ? all.size() : MOST;
        List<JobGroup> groups = new ArrayList<>();
        for (Map.Entry<String, List<JobOutcome>> group : all.subList(0, alone)) {
            groups.add(JobGroup.of(group.getKey(), group.getValue()));
        }
        if (this == GPUS) {
            groups.sort((a, b) -> Integer.compare(Integer.parseInt(a.name()), Integer.parseInt(b.name())));
        }
        if (alone < all.size()) {
            List<JobOutcome> rest = new ArrayList<>();
            all.subList(alone, all.size()).forEach(group -> rest.addAll(group.getValue()));
            groups.add(JobGroup.of(OTHERS, rest));
        }
        return groups;
    }

    /** The groups of the jobs of some episodes, by each grouping that they have, with entitlements of all but GPUs. */
    public static Map<String, List<JobGroup>> all(List<RunResult> episodes) {
        List<JobOutcome> jobs = JobFigures.jobs(episodes);
        Map<String, List<JobGroup>> all = new LinkedHashMap<>();
        for (Grouping grouping : values()) {
            List<JobGroup> groups = grouping.of(jobs);
            if (!groups.isEmpty()) {
                Map<String, Double> entitled = grouping == GPUS ? Map.of() : Entitlement.of(grouping, episodes);
                all.put(
                        grouping.label(),
                        groups.stream()
                                .map(group -> group.entitled(entitled.get(group.name())))
                                .toList());
            }
        }
        return all;
    }
}
