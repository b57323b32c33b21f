package org.trainyard.experiments.papers.studies;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.papers.claims.ClaimRow;

/** A study of the record book: its rows have evidence that anybody can compute again. */
public interface RecordStudy extends Study {
    /** The files that it needs, below the folder of public data. */
    List<String> needs();

    /**
     * The rows of schedulers by name, who are not in the record, on the jobs and under the rules of its last column.
     *
     * @param schedulers of the registry, with those of jars and Python files
     */
    default List<ClaimRow> entries(StudyRun run, List<String> schedulers) {
        throw InputException.at("--task", system(), "a record that schedulers by name can enter: fgd or rltune");
    }

    /**
     * The jobs of one workload under one of its schedulers, in the physics of the record.
     *
     * @param data the folder of public data
     * @param workload a file, or the number of a published one
     */
    default Replay replay(Path data, String scheduler, String workload) {
        throw InputException.at("--replay", system(), "a record whose workloads can be replayed one by one: pollux");
    }

    @Override
    default String command() {
        return "records";
    }

    /** The missing input, such as the first file that is absent; null for nothing. */
    default @Nullable String missing(Path data) {
        return needs().stream()
                .map(data::resolve)
                .filter(file -> !Files.exists(file))
                .findFirst()
                .map(Path::toString)
                .orElse(null);
    }

    /** The jobs of a workload in its order; times in seconds. */
    record Replay(String scheduler, String workload, double meanJctS, List<Job> jobs) {
        /** A job. */
        public record Job(String job, long submitS, long jctS) {}
    }
}
