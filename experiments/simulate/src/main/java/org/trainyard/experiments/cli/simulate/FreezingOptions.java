package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.generator.FreezingSettings;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.log.Trace;
import picocli.CommandLine.Option;

/** The option that lets jobs of a trace have frozen layers. */
public final class FreezingOptions {
    @Option(
            names = "--freezing",
            paramLabel = "SHARE",
            description =
                    "Let this share of the jobs on a ring, 0 to 1, have frozen layers, which hold at most 3 percent "
                            + "of the gradient energy.")
    private @Nullable Double freezing;

    /** The share as given, or null. */
    public @Nullable String text() {
        return freezing == null ? null : freezing.toString();
    }

    /** The trace with so many jobs that allow frozen layers, which {@code config} then says. */
    public Trace applied(Trace trace, long seed, ObjectNode config) {
        if (freezing == null) {
            return trace;
        }
        InputException.within(0, 1, "--freezing", freezing);
        config.put("freezing", freezing);
        return trace.with(JobMaker.made(FreezingSettings.of(freezing), trace::jobs, seed));
    }
}
