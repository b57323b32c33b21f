package org.trainyard.experiments.prediction;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.runtime.RuntimeGuess;
import org.trainyard.interference.runtimes.RuntimeLog;
import org.trainyard.interference.runtimes.RuntimeModel;

/** Adds predicted run times to the rows of a CSV file of jobs. */
public final class RuntimeGuessesCsv {
    private static final List<String> ADDED = List.of("seconds", "p50_s", "p90_s");

    private final Path file;
    private final NamedCsvRecord row;

    private RuntimeGuessesCsv(Path file, NamedCsvRecord row) {
        this.file = file;
        this.row = row;
    }

    /** Writes all columns of {@code from} and the predictions to another file, and returns the number of jobs. */
    public static int write(RuntimeModel model, Path from, Path to) {
        List<String> header = List.of();
        List<List<String>> rows = new ArrayList<>();
        try (CsvReader<NamedCsvRecord> in = CsvReader.builder().ofNamedCsvRecord(InputFiles.readable(from))) {
            for (NamedCsvRecord row : in) {
                header = rows.isEmpty() ? header(from, row) : header;
                rows.add(guessed(model, new RuntimeGuessesCsv(from, row), rows.size() + 1));
            }
        } catch (IOException | UncheckedIOException | CsvParseException e) {
            throw InputException.at(from.toString(), "unreadable", "a CSV file that can be read to its end");
        }
        if (rows.isEmpty()) {
            throw InputException.at(from.toString(), "empty", "a header and at least one job");
        }
        AtomicFiles.write(to, AnswerTable.texts(header, rows).csv(LineDelimiter.CRLF));
        return rows.size();
    }

    private static List<String> header(Path file, NamedCsvRecord row) {
        List<String> header = new ArrayList<>(row.getHeader());
        for (String added : ADDED) {
            if (header.contains(added)) {
                throw InputException.at(file + ":1, header", added, "no such column, because the command adds it");
            }
        }
        header.addAll(ADDED);
        return header;
    }

    private static List<String> guessed(RuntimeModel model, RuntimeGuessesCsv row, int number) {
        RuntimeGuess guess = model.guess(RuntimeLog.job(0, row.job(number)));
        List<String> fields = new ArrayList<>(row.row.getFields());
        for (double seconds : new double[] {guess.seconds(), guess.p50(), guess.p90()}) {
            fields.add(CellFormat.number("%.3f", seconds));
        }
        return fields;
    }

    private TraceJob job(int number) {
        String name = text("job");
        double gpus = number("gpus", 1, 1e6);
        if (gpus != Math.rint(gpus)) {
            throw bad("gpus", gpus, "a whole number");
        }
        double submit = text("submit_s") == null ? 0 : number("submit_s", 0, 1e9);
        return new TraceJob(
                name == null ? "row" + number : name,
                Math.round(submit * 1e9),
                (int) gpus,
                1,
                text("model"),
                text("user"),
                text("group"),
                text("virtual_cluster"));
    }

    private @Nullable String text(String column) {
        String text = row.findField(column).orElse("");
        return text.isBlank() ? null : text;
    }

    private double number(String column, double least, double most) {
        String text = Objects.requireNonNullElse(text(column), "");
        try {
            double number = Double.parseDouble(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw bad(column, text, CellFormat.number("a number in %.0f..%.0f", least, most));
    }

    private InputException bad(String column, Object value, String expected) {
        return InputException.at("%s:%d, %s".formatted(file, row.getStartingLineNumber(), column), value, expected);
    }
}
