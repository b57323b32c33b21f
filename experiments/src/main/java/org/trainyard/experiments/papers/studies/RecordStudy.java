package org.trainyard.experiments.papers.studies;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A study of the record book: its rows have evidence that anybody can compute again. */
public interface RecordStudy extends Study {
    /** The heading of its part of the page. */
    String title();

    /** What every scheduler knew, where the jobs come from, and what the hash is of; a paragraph of the page. */
    String rules();

    /** The files that it needs, below the folder of public data. */
    List<String> needs();

    @Override
    default String command() {
        return "records";
    }

    /** The first file that it needs and that is not there, or null. */
    default @Nullable Path missing(Path data) {
        return needs().stream()
                .map(data::resolve)
                .filter(file -> !Files.exists(file))
                .findFirst()
                .orElse(null);
    }
}
