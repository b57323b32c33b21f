package org.trainyard.experiments.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import picocli.CommandLine.Option;

/** The file to which a command also writes its table. */
public final class TableOption {
    private static final String TEX = ".tex";

    @Option(
            names = "--table",
            paramLabel = "FILE",
            description =
                    "Also write the first table of the answer, or the learning curve of a training, to this file: as"
                            + " CSV, or for LaTeX when it ends in .tex.")
    private @Nullable String file;

    public boolean isGiven() {
        return file != null;
    }

    /**
     * Refuses a file that cannot be written, to be called before long work.
     *
     * @throws InputException when its ending is neither .csv nor .tex, or its folder is absent
     */
    public void check() {
        if (file == null) {
            return;
        }
        Path folder = InputFiles.path(file).toAbsolutePath().getParent();
        if (!file.endsWith(".csv") && !file.endsWith(TEX)) {
            throw InputException.at("--table", file, "a file whose name ends in .csv or .tex");
        } else if (folder == null || !Files.isDirectory(folder)) {
            throw InputException.at("--table", file, "a file in a folder that is there");
        }
    }

    /** Writes the first table of an answer, if a file was named. */
    public void write(Answer answer) {
        if (file != null) {
            AnswerTable<?> table = answer.firstTable();
            if (table == null) {
                throw InputException.at("--table", file, "an answer with a table; this one has none");
            }
            write(file, table, answer.sentences());
        }
    }

    /** Writes a table, if a file was named. */
    public void write(AnswerTable<?> table) {
        if (file != null) {
            write(file, table, List.of());
        }
    }

    /** Sentences are comments of LaTeX; CSV has no comments. */
    private static void write(String file, AnswerTable<?> table, List<String> sentences) {
        AtomicFiles.write(InputFiles.path(file), file.endsWith(TEX) ? table.latex(sentences) : table.csv());
    }
}
