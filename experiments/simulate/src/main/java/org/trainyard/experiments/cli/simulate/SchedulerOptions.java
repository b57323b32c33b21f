package org.trainyard.experiments.cli.simulate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.cli.options.CommonOption;
import org.trainyard.experiments.config.Schedulers;
import picocli.CommandLine.Mixin;

/** Which schedulers run on a trace. */
public final class SchedulerOptions {
    private static final String SCHEDULER = "--scheduler";

    @Mixin
    private CommonOption scheduler = CommonOption.scheduler(
                    "Names of `trainyard list schedulers`, separated by commas, `all` that can run these "
                            + "jobs, or `python:FILE` for a scheduler in Python.")
            .list();

    public boolean isGiven() {
        return scheduler.isGiven();
    }

    /** The names as they were given. */
    public List<String> names() {
        return scheduler.values();
    }

    /** Whether all schedulers are asked for. */
    public boolean isAll() {
        return names().equals(List.of(Schedulers.ALL));
    }

    /** The schedulers named, or all; says what those that read a cluster's own files leave out. */
    public List<SchedulerRegistry.Entry> entries(PrintWriter err) {
        if (names().stream().anyMatch(String::isBlank)) {
            throw InputException.at(SCHEDULER, String.join(",", names()), "names separated by single commas");
        }
        List<SchedulerRegistry.Entry> entries = isAll() ? Schedulers.all() : Schedulers.named(SCHEDULER, names());
        Schedulers.withoutEffect(entries).forEach(line -> err.println("trainyard: " + line));
        return entries;
    }

    /** The schedulers named; of all, those that can run the jobs. */
    public List<SchedulerRegistry.Entry> serving(List<SchedulerRegistry.Entry> entries, Trace jobTrace) {
        return entries.stream()
                .filter(entry -> !isAll() || jobTrace.jobs().stream().allMatch(job -> entry.serves(job.demand())))
                .toList();
    }

    /** A copy of a configuration with the schedulers and the seed. */
    public ObjectNode describe(ObjectNode config, long seed) {
        return config.deepCopy().put("seed", seed).put("schedulers", String.join(",", names()));
    }
}
