package org.trainyard.experiments.cli.options;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.evaluation.RemoteRuns;
import picocli.CommandLine.Option;

/** The option that names the machines on which tasks run. */
public final class FleetOption {
    private static final String ON = "--on";

    @Option(
            names = ON,
            paramLabel = "MASTER",
            description = "Run on a Spark cluster: spark://HOST:PORT, or "
                    + "local-cluster[EXECUTORS,CORES,MEGABYTES] on this machine (default: threads of this "
                    + "process).")
    private @Nullable String master;

    /** Refuses an option that machines cannot follow. */
    public void requireWithout(String option, boolean isGiven) {
        if (master != null && isGiven) {
            throw InputException.at(ON, master, "no %s beside it".formatted(option));
        }
    }

    /** The machines asked for, or else another fleet; the caller closes it. */
    public Fleet openOr(Supplier<Fleet> threads) {
        Fleet machines = open();
        return machines == null ? threads.get() : machines;
    }

    /** The machines asked for, or null; the caller closes them. */
    public @Nullable Fleet open() {
        return master == null ? null : RemoteRuns.Source.installed(ON, master).connect(ON, master);
    }
}
