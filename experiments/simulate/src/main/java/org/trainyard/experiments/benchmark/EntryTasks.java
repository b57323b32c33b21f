package org.trainyard.experiments.benchmark;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Tasks of {@code bench} beside the frozen ones, which another module offers: the jobs of published figures, which
 * schedulers enter. The class is named in {@code META-INF/services/org.trainyard.experiments.benchmark.EntryTasks}.
 */
public interface EntryTasks {
    /** The names of the tasks. */
    List<String> names();

    /**
     * Plays schedulers on the jobs of a task and prints their rows.
     *
     * @param schedulers of the registry, with those of jars and Python files
     * @param data the folder of public data
     * @return the SHA-256 of each row
     */
    List<String> play(String task, List<String> schedulers, Path data, PrintWriter out);

    /** The tasks of all modules. */
    static List<EntryTasks> all() {
        return ServiceLoader.load(EntryTasks.class, EntryTasks.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
