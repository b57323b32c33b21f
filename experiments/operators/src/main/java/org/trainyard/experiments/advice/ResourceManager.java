package org.trainyard.experiments.advice;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.log.LogFormat;

/** The resource manager whose log is replayed, by which an answer names settings. */
public enum ResourceManager {
    SLURM("Slurm", "slurm.conf:.*"),
    KUBERNETES("Kubernetes", "(Kueue|Volcano).*"),
    /** A log of any manager. */
    UNKNOWN("a resource manager", ".*");

    private static final Set<String> OF_SLURM = Set.of("sacct", "slurm-table", "squeue", "scontrol");

    private final String words;
    private final String settings;

    ResourceManager(String words, String settings) {
        this.words = words;
        this.settings = settings;
    }

    /**
     * The manager of a log.
     *
     * @param own the scheduler that the cluster's own files configure, or null
     */
    public static ResourceManager of(LogFormat format, @Nullable String own) {
        if (own != null) {
            return own.startsWith("slurm") ? SLURM : KUBERNETES;
        }
        return OF_SLURM.contains(format.label()) ? SLURM : format.label().equals("kubernetes") ? KUBERNETES : UNKNOWN;
    }

    /** Name of the manager in sentences. */
    String words() {
        return words;
    }

    /** Whether a line of a scheduler's configuration is one of its own. */
    boolean reads(String setting) {
        return setting.matches(settings);
    }
}
