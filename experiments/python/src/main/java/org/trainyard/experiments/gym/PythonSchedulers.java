package org.trainyard.experiments.gym;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.experiments.config.Schedulers;
import org.trainyard.experiments.run.ForeignSchedulers;

/**
 * The schedulers {@code python:FILE} and {@code python:FILE:NAME}, a process for each file and name, which is started
 * when it is first asked for.
 */
public final class PythonSchedulers implements ForeignSchedulers.Opened {
    /** Offers them to commands. */
    public static final class Provider implements ForeignSchedulers {
        @Override
        public Opened open(Consumer<String> log) {
            return new PythonSchedulers(log);
        }
    }

    private final Map<String, PythonProcess> processes = new LinkedHashMap<>();
    private final Consumer<String> log;

    /** @param log takes a line with the hash of each file that is loaded */
    public PythonSchedulers(Consumer<String> log) {
        this.log = log;
    }

    /** @throws InputException when there is no such file, it cannot be loaded, or it marks no such scheduler */
    @Override
    public synchronized SchedulerRegistry.@Nullable Entry named(String name) {
        if (!name.startsWith(Schedulers.PYTHON)) {
            return null;
        }
        PythonProcess process = processes.computeIfAbsent(name, this::start);
        return SchedulerRegistry.Entry.plugin(
                name,
                process.description(),
                (on, belief, seed) -> new PythonScheduler(name, process.connect(), on, seed),
                process.flags());
    }

    private PythonProcess start(String name) {
        PythonProcess process = PythonProcess.start(name.substring(Schedulers.PYTHON.length()));
        log.accept(process.described(name));
        return process;
    }

    /** Takes the names from the registry and ends the processes. */
    @Override
    public void close() {
        SchedulerRegistry.alsoFindBy(null);
        processes.values().forEach(PythonProcess::close);
        processes.clear();
    }
}
