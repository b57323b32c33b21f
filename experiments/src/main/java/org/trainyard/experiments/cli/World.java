package org.trainyard.experiments.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.SchedulerCatalog;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.RuntimeConfig;

/**
 * What is true in a simulation and what its schedulers are told.
 *
 * @param rated whether every job takes exactly as long as its trace says, wherever it runs; otherwise links and neighbours count
 * @param runtime where schedulers get their guesses of run times from
 * @param restartNanos what a preempted job pays; presets that replay a published simulator pay what that charges instead
 */
record World(boolean rated, RuntimeConfig runtime, long restartNanos) {
    private static final long RESTART_NANOS = 30_000_000_000L;

    /** The world these schedulers belong in: that of the published simulators for the presets that replay one, ours for the rest. */
    static World of(List<SchedulerCatalog.Entry> entries, @Nullable RuntimeConfig runtime) {
        List<String> replays = names(entries, true);
        if (replays.isEmpty()) {
            return new World(false, runtime == null ? new RuntimeConfig.History() : runtime, RESTART_NANOS);
        }
        List<String> others = names(entries, false);
        if (!others.isEmpty()) {
            throw InputException.at(
                    "--scheduler",
                    others.get(0),
                    "only presets that replay a published simulator beside %s, for they run in another world and their times do not compare"
                            .formatted(replays.get(0)));
        }
        return new World(true, new RuntimeConfig.Oracle(), 0);
    }

    private static List<String> names(List<SchedulerCatalog.Entry> entries, boolean replaysTrace) {
        return entries.stream()
                .filter(entry -> entry.replaysTrace() == replaysTrace)
                .map(SchedulerCatalog.Entry::name)
                .toList();
    }

    /** One word, for files. */
    String label() {
        return rated ? "published" : "trainyard";
    }

    /** A sentence, for people. */
    String name() {
        return rated
                ? "as in the published simulator: run times as in the trace, known in advance; restarts cost what they cost there, most often nothing"
                : "links and neighbours slow jobs down, a restart costs 30 s, run times are %s"
                        .formatted(RuntimeOption.sentence(runtime));
    }
}
