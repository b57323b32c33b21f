package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.slurm.configuration.SlurmFiles;
import org.trainyard.env.gym.registry.SchedulerRegistry;

/**
 * Requirements for running a scheduler of a ranking.
 *
 * @param configuration lines with which Slurm or Kubernetes runs it; empty where Trainyard has to decide
 */
public record SchedulerTraits(Needs needs, List<String> configuration) {
    /**
     * Powers that the scheduler needs.
     *
     * @param preemption whether it takes GPUs from running jobs
     * @param resizing whether it changes the GPUs of running jobs
     * @param predictions whether it reads predicted run times
     */
    public record Needs(boolean preemption, boolean resizing, boolean predictions) {}

    private static final String BACKFILL = "slurm.conf: SchedulerType=sched/backfill";
    private static final String BASIC = "slurm.conf: PriorityType=priority/basic";

    /** Configuration lines of Slurm or Kueue for the schedulers that they can run, by name. */
    private static final Map<String, List<String>> CONFIGURED = Map.of(
            "fifo",
            List.of(
                    "slurm.conf: SchedulerType=sched/builtin",
                    BASIC,
                    "Kueue, ClusterQueue: queueingStrategy: StrictFIFO"),
            "fifo-backfill",
            List.of("Kueue, ClusterQueue: queueingStrategy: BestEffortFIFO"),
            "easy",
            List.of(BACKFILL, BASIC, "slurm.conf: SchedulerParameters=bf_continue,bf_job_part_count_reserve=1"),
            "conservative",
            List.of(BACKFILL, BASIC, "slurm.conf: SchedulerParameters=bf_continue"),
            "slurm",
            List.of(BACKFILL, BASIC),
            "kueue",
            List.of("Kueue, ClusterQueue: queueingStrategy: BestEffortFIFO"),
            "volcano",
            List.of("Volcano: its queue default, and the configuration of its chart"));

    public SchedulerTraits {
        configuration = List.copyOf(configuration);
    }

    /**
     * The traits of a scheduler by its name in a ranking; the learned policy preempts and predicts.
     *
     * @param preempts whether it did in a replay
     * @param manager whose settings count
     */
    static SchedulerTraits of(String name, boolean preempts, ResourceManager manager) {
        if (name.startsWith(LogReplays.SETTING)) {
            String settings = name.substring(LogReplays.SETTING.length(), name.length() - 1);
            return new SchedulerTraits(
                    new Needs(preempts, false, true),
                    Arrays.stream(settings.split(", ", -1))
                            .map(one -> one.startsWith("bf_")
                                    ? "slurm.conf: add %s to SchedulerParameters".formatted(one)
                                    : "slurm.conf: " + one)
                            .toList());
        }
        SchedulerTraits known = of(name);
        return new SchedulerTraits(
                known.needs, known.configuration.stream().filter(manager::reads).toList());
    }

    private static SchedulerTraits of(String name) {
        SchedulerRegistry.@Nullable Entry entry = SchedulerRegistry.entries().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
        if (name.startsWith("slurm:")) {
            String file = name.substring("slurm:".length());
            return new SchedulerTraits(
                    new Needs(SlurmFiles.read(file).preempts(), false, true), List.of("slurm.conf: as in " + file));
        }
        if (name.matches("(kueue|volcano):.*")) {
            String manager = name.startsWith("kueue") ? "Kueue" : "Volcano";
            return new SchedulerTraits(
                    new Needs(true, false, false),
                    List.of(manager + ": as in " + name.substring(name.indexOf(':') + 1)));
        }
        return entry == null
                ? new SchedulerTraits(new Needs(true, false, true), List.of())
                : new SchedulerTraits(
                        new Needs(
                                entry.has(SchedulerRegistry.Flag.PREEMPTIVE),
                                entry.has(SchedulerRegistry.Flag.ELASTIC),
                                entry.has(SchedulerRegistry.Flag.NEEDS_PREDICTIONS)),
                        CONFIGURED.getOrDefault(name, List.of()));
    }

    /** Whether Slurm or a manager of Kubernetes runs a scheduler of this name as configured. */
    static boolean isConfigured(String name) {
        return CONFIGURED.containsKey(name);
    }

    /** Whether its settings order jobs without weights of priority and fair share. */
    boolean dropsPriorities() {
        return configuration.contains(BASIC);
    }

    /** Whether it neither preempts nor resizes. */
    boolean leavesJobsAlone() {
        return !needs.preemption && !needs.resizing;
    }

    /** Half a line. */
    String words(ResourceManager manager) {
        List<String> words = new ArrayList<>();
        words.add(
                needs.resizing
                        ? "resizes running jobs, which must allow it"
                        : needs.preemption ? "preempts running jobs" : "never preempts");
        words.add(needs.predictions ? "reads predicted run times or limits" : "needs no predictions");
        words.add(
                configuration.isEmpty()
                        ? manager == ResourceManager.UNKNOWN ? "Trainyard decides (serve)" : "Trainyard decides (drive)"
                        : ResourceManager.KUBERNETES.reads(configuration.get(0))
                                ? "Kubernetes runs it"
                                : "Slurm runs it");
        return String.join(", ", words);
    }
}
