package org.trainyard.experiments.cli.simulate;

import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.simulation.LoggedPast;
import picocli.CommandLine.Option;

/** Which schedulers run on a trace. */
public final class SchedulerOptions {
    private static final String SCHEDULER = "--scheduler";

    @Option(
            names = SCHEDULER,
            split = ",",
            paramLabel = "NAME",
            description =
                    "Schedulers of `trainyard list schedulers`, separated by commas, or `all` that can run these jobs,"
                            + " or `past`: a log's jobs start when and where they did, or `python:FILE`: a function that"
                            + " @trainyard.scheduler marks.")
    private List<String> names = List.of();

    /** The names as they were given. */
    public List<String> names() {
        return names;
    }

    /** Whether all schedulers are asked for. */
    public boolean isAll() {
        return names.equals(List.of(Schedulers.ALL));
    }

    /** Whether the past of a log is asked for. */
    public boolean isPast() {
        return names.equals(List.of(LoggedPast.NAME));
    }

    /** The schedulers named, or all. */
    public List<SchedulerRegistry.Entry> entries() {
        return isAll() ? Schedulers.all() : named();
    }

    /** The schedulers named; of all, those that can run the jobs. */
    public List<SchedulerRegistry.Entry> serving(List<SchedulerRegistry.Entry> entries, Trace jobTrace) {
        return entries.stream()
                .filter(entry -> !isAll() || jobTrace.jobs().stream().allMatch(job -> entry.serves(job.demand())))
                .toList();
    }

    private List<SchedulerRegistry.Entry> named() {
        for (String name : names) {
            if (name.isBlank()) {
                throw InputException.at(SCHEDULER, String.join(",", names), "names separated by single commas");
            }
            if (name.strip().equals(LoggedPast.NAME)) {
                throw InputException.at(SCHEDULER, String.join(",", names), "past alone, on one trace and one cluster");
            }
        }
        return Schedulers.named(SCHEDULER, names);
    }
}
