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
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.Labelled;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.PairPrediction;
import org.trainyard.interference.model.Pair;

/**
 * Predicted slowdowns of victims beside neighbours.
 *
 * @param scope label of the resource that victim and neighbours share; null for the model's only one, or that of the
 *     victim's name
 * @param hardware null for the usual one of the scope
 */
public record InterferenceQuery(
        FittedInterference fitted,
        @Nullable String scope,
        @Nullable String hardware) {
    /** The domain in which a prediction holds, and the prediction. */
    public record Answer(Domain domain, PairPrediction prediction) {}

    /** A CSV file with predictions and the number of its pairs. */
    public record Table(String csv, int pairs) {}

    /**
     * One victim beside all of its neighbours.
     *
     * @param neighbours names separated by commas; a name may hold commas itself, such as {@code FSDP,4,2}
     */
    public Answer one(String victim, List<String> neighbours) {
        JobType type = fitted.type("--victim", victim);
        List<JobType> types = new ArrayList<>();
        for (String text : neighbours) {
            for (String neighbour : split(text)) {
                types.add(fitted.type("--with", neighbour));
            }
        }
        Domain domain = domain(victim);
        return new Answer(domain, fitted.answer(type, types, domain));
    }

    private Domain domain(String victim) {
        Scope wanted;
        if (scope != null) {
            wanted = Labelled.named("--scope", Scope.class, scope);
        } else if (fitted.scopes().size() == 1) {
            wanted = fitted.scopes().get(0);
        } else if (victim.matches(".+,\\d+,\\d+") && fitted.scopes().contains(Scope.NIC)) {
            wanted = Scope.NIC;
        } else if (fitted.scopes().contains(Scope.GPU)) {
            wanted = Scope.GPU;
        } else {
            throw new InputException("--scope: is missing: expected one of the scopes the model was fitted on");
        }
        return fitted.domain("--scope", wanted, hardware);
    }

    /** The names in a list: a known name is one part; an unknown one takes two counts that follow it. */
    private List<String> split(String text) {
        List<String> parts = List.of(text.split(",", -1));
        List<String> names = new ArrayList<>();
        int at = 0;
        while (at < parts.size()) {
            boolean counted = at + 2 < parts.size()
                    && parts.get(at + 1).strip().matches("\\d+")
                    && parts.get(at + 2).strip().matches("\\d+");
            int taken = counted && !fitted.types().containsKey(parts.get(at).strip()) ? 3 : 1;
            names.add(String.join(",", parts.subList(at, at + taken)).strip());
            at += taken;
        }
        return names;
    }

    /**
     * The rows of a CSV file with columns {@code victim} and {@code neighbour}, with slowdown, lower and upper added.
     */
    public Table table(Path file) {
        List<NamedCsvRecord> rows = rows(file);
        if (rows.isEmpty()) {
            throw new InputException("%s: has no pairs: expected a header and at least one row".formatted(file));
        }
        List<Pair> asked = new ArrayList<>();
        for (NamedCsvRecord row : rows) {
            String place = "%s:%d".formatted(file, row.getStartingLineNumber());
            String victim = field(place, row, "victim");
            asked.add(new Pair(
                    fitted.type(place + ", victim", victim),
                    fitted.type(place + ", neighbour", field(place, row, "neighbour")),
                    domain(victim)));
        }
        return new Table(csv(rows, fitted.answers(asked)), rows.size());
    }

    private static List<NamedCsvRecord> rows(Path file) {
        try (CsvReader<NamedCsvRecord> reader = CsvReader.builder().ofNamedCsvRecord(file)) {
            return reader.stream().toList();
        } catch (CsvParseException | UncheckedIOException e) {
            throw new InputException("%s: is not CSV: expected columns victim and neighbour".formatted(file));
        } catch (IOException e) {
            throw new InputException("%s: cannot be read: expected CSV".formatted(file));
        }
    }

    private static String field(String place, NamedCsvRecord row, String column) {
        return row.findField(column)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new InputException(
                        "%s: has no %s: expected columns victim and neighbour, quoted".formatted(place, column)));
    }

    private static String csv(List<NamedCsvRecord> rows, List<PairPrediction> answers) {
        List<String> header = new ArrayList<>(rows.get(0).getHeader());
        header.addAll(List.of("slowdown", "lower", "upper"));
        List<List<String>> answered = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            List<String> cells = new ArrayList<>(rows.get(i).getFields());
            PairPrediction answer = answers.get(i);
            for (double value : new double[] {answer.slowdown(), answer.lower(), answer.upper()}) {
                cells.add(CellFormat.number("%.5f", value));
            }
            answered.add(cells);
        }
        return AnswerTable.texts(header, answered).csv(LineDelimiter.CRLF);
    }
}
