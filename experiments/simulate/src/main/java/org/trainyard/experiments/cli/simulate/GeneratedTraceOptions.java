package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.generator.GeneratorSettings;
import picocli.CommandLine.Option;

/** How many jobs a generated trace has, and how busy they keep the cluster. */
public final class GeneratedTraceOptions {
    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Number of jobs of a generated trace (default: ${DEFAULT-VALUE}).")
    private int jobs = 1000;

    @Option(
            names = "--load",
            paramLabel = "RATIO",
            description =
                    "Offered load of a generated trace: the work of its jobs, alone, over what the GPUs could do in the time of "
                            + "the arrivals (default: 0.9).")
    private @Nullable Double load;

    public int jobs() {
        InputException.within(1, Integer.MAX_VALUE, "--jobs", jobs);
        return jobs;
    }

    /** The distributions of the jobs. */
    public GeneratorSettings settings() {
        if (load == null) {
            return GeneratorSettings.DEFAULT;
        }
        InputException.within(0.01, 100, "--load", load);
        return GeneratorSettings.DEFAULT.with(load, GeneratorSettings.DEFAULT.maxGpus());
    }

    /** Refuses a load for a trace that is not generated. */
    public void requireGenerated() {
        if (load != null) {
            throw InputException.at("--load", load, "nothing with a trace file, whose jobs have their times");
        }
    }

    /** Puts the options into the configuration of a run. */
    public void describe(ObjectNode config) {
        config.put("jobs", jobs);
        if (load != null) {
            config.put("load", load);
        }
    }
}
