package org.trainyard.experiments.cli.operator;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.advice.AdviceQuestion;
import org.trainyard.experiments.advice.search.SlurmSearch;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import picocli.CommandLine.Option;

/** A search for better settings of Slurm in place of other schedulers. */
public final class SearchOptions {
    @Option(
            names = "--search",
            description = "Instead of ranking schedulers, tune Slurm's priority weights and backfill parameters on the"
                    + " first weeks of the log, and judge them on the last third.")
    private boolean search;

    @Option(
            names = "--search-evaluations",
            paramLabel = "N",
            description = "Settings that --search tries, a replay each (default: ${DEFAULT-VALUE}).")
    private int evaluations = 80;

    /** Whether there is one. */
    public boolean isAny() {
        return search;
    }

    /** Answers; a folder of the question keeps replays. */
    public void answer(AdviceQuestion question, @Nullable String out, boolean json, PrintWriter printed) {
        InputException.within(2, 100_000, "--search-evaluations", evaluations);
        SlurmSearch found = SlurmSearch.of(question, evaluations);
        String words = String.join(System.lineSeparator(), found.sentences()) + System.lineSeparator();
        printed.print(json ? found.json() : words);
        printed.flush();
        if (out != null) {
            Path folder = InputFiles.path(out);
            AtomicFiles.write(folder.resolve("answer.json"), found.json());
            AtomicFiles.write(folder.resolve("answer.txt"), words);
        }
    }
}
