package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.generator.LimitSettings;
import org.trainyard.env.workload.generator.LimitedJobs;
import org.trainyard.env.workload.log.Trace;
import picocli.CommandLine.Option;

/** The option that gives the jobs of a trace time limits. */
public final class LimitOptions {
    @Option(
            names = "--limits",
            paramLabel = "SHARE",
            description = "Give jobs without a time limit one as users do, round and mostly too long, of which this "
                    + "share, 0 to 1, is shorter than the run and kills it; and put their users into eight accounts.")
    private @Nullable Double limits;

    /** The share as given, or null. */
    public @Nullable String text() {
        return limits == null ? null : limits.toString();
    }

    /** The trace with time limits, which {@code config} then says. */
    public Trace applied(Trace trace, long seed, ObjectNode config) {
        if (limits == null) {
            return trace;
        }
        InputException.within(0, 1, "--limits", limits);
        config.put("limits", limits);
        LimitSettings settings = new LimitSettings(limits, LimitSettings.DEFAULT.accounts());
        return trace.with(LimitedJobs.of(trace.jobs(), settings, seed));
    }
}
