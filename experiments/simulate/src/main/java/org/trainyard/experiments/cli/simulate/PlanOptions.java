package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.generator.JobMaker;
import org.trainyard.env.workload.generator.PlannedSettings;
import org.trainyard.env.workload.log.Trace;
import picocli.CommandLine.Option;

/** The option that gives jobs of a trace pipelines or mixed parallelism. */
public final class PlanOptions {
    @Option(
            names = "--pipelines",
            paramLabel = "SHARE",
            description =
                    "Give this share of all jobs, 0 to 1, taken from those of two or more GPUs, a pipeline or mixed "
                            + "parallelism.")
    private @Nullable Double pipelines;

    /** The share as given, or null. */
    public @Nullable String text() {
        return pipelines == null ? null : pipelines.toString();
    }

    /** The trace with so many planned jobs, which {@code config} then says. */
    public Trace applied(Trace trace, long seed, ObjectNode config) {
        if (pipelines == null) {
            return trace;
        }
        InputException.within(0, 1, "--pipelines", pipelines);
        config.put("pipelines", pipelines);
        return trace.with(JobMaker.made(new PlannedSettings(pipelines), trace::jobs, seed));
    }
}
