package org.trainyard.experiments.cli;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.PairPrediction;
import org.trainyard.interference.model.Pair;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks a fitted predictor of interference. */
@Command(
        name = "interference",
        description = "Ask a fitted predictor how much a job is slowed by its neighbours.",
        sortOptions = false,
        footer = {
            "",
            "Example: trainyard predict interference --model my-model --victim FSDP,4,2 --with MoE,4,2 --scope nic",
            "         trainyard predict interference --model my-model --pairs pairs.csv --out slowdowns.csv"
        })
final class PredictInterferenceCommand implements Callable<Integer> {
    @Option(
            names = "--model",
            paramLabel = "DIR",
            description = "A folder that 'fit interference --data' wrote (default: the one that ships).")
    private @Nullable String model;

    @Option(names = "--victim", paramLabel = "NAME", description = "The job that is slowed.")
    private @Nullable String victim;

    @Option(
            names = "--with",
            paramLabel = "NAME[,NAME]",
            description = "Its neighbours; a name with commas in it, such as FSDP,4,2, is kept whole.")
    private List<String> with = new ArrayList<>();

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description =
                    "What they share: gpu, socket, nic (default: the only one the model has, or that of the names).")
    private @Nullable String scope;

    @Option(names = "--hardware", paramLabel = "NAME", description = "On what, such as v100 (default: the usual one).")
    private @Nullable String hardware;

    @Option(names = "--pairs", paramLabel = "FILE.csv", description = "Many pairs: columns victim and neighbour.")
    private @Nullable String pairs;

    @Option(
            names = "--out",
            paramLabel = "FILE.csv",
            description = "Where the pairs go with slowdown, lower and upper added (default: the screen).")
    private @Nullable String out;

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        FittedInterference fitted = model == null ? FittedFiles.shipped() : FittedFiles.read(InputFiles.path(model));
        if (pairs != null) {
            predictAll(fitted, InputFiles.readable(InputFiles.path(pairs)));
        } else if (victim != null) {
            predictOne(fitted, victim);
        } else {
            throw new InputException("predict: expected --victim with --with, or --pairs");
        }
        return CommandLine.ExitCode.OK;
    }

    private void predictOne(FittedInterference fitted, String name) {
        JobType type = fitted.type("--victim", name);
        List<JobType> neighbours = new ArrayList<>();
        for (String text : with) {
            for (String neighbour : Names.split(text, fitted)) {
                neighbours.add(fitted.type("--with", neighbour));
            }
        }
        Domain domain = domain(fitted, name);
        PairPrediction answer = fitted.answer(type, neighbours, domain);
        if (json) {
            common.out().println(JsonText.of(answer));
        } else {
            common.out()
                    .println(String.format(
                            Locale.ROOT,
                            "slowdown %.3f, nine in ten between %.3f and %.3f (%s, scope %s)",
                            answer.slowdown(),
                            answer.lower(),
                            answer.upper(),
                            domain.hardware(),
                            domain.scope().label()));
        }
    }

    private Domain domain(FittedInterference fitted, String name) {
        Scope wanted;
        if (scope != null) {
            wanted = Scope.named("--scope", scope);
        } else if (fitted.scopes().size() == 1) {
            wanted = fitted.scopes().get(0);
        } else if (name.matches(".+,\\d+,\\d+") && fitted.scopes().contains(Scope.NIC)) {
            wanted = Scope.NIC;
        } else if (fitted.scopes().contains(Scope.GPU)) {
            wanted = Scope.GPU;
        } else {
            throw new InputException("--scope: is missing: expected one of the scopes the model was fitted on");
        }
        return fitted.domain("--scope", wanted, hardware);
    }

    private void predictAll(FittedInterference fitted, Path file) {
        List<NamedCsvRecord> rows = rows(file);
        if (rows.isEmpty()) {
            throw new InputException("%s: has no pairs: expected a header and at least one row".formatted(file));
        }
        List<Pair> asked = new ArrayList<>();
        for (NamedCsvRecord row : rows) {
            String place = "%s:%d".formatted(file, row.getStartingLineNumber());
            String name = field(place, row, "victim");
            asked.add(new Pair(
                    fitted.type(place + ", victim", name),
                    fitted.type(place + ", neighbour", field(place, row, "neighbour")),
                    domain(fitted, name)));
        }
        String text = csv(rows, fitted.answers(asked));
        if (out == null) {
            common.out().print(text);
        } else {
            AtomicFiles.write(InputFiles.path(out), text);
            common.out().println("%s: %,d pairs".formatted(out, asked.size()));
        }
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
        StringWriter text = new StringWriter();
        try (CsvWriter writer = CsvWriter.builder().build(text)) {
            List<String> header = new ArrayList<>(rows.get(0).getHeader());
            header.addAll(List.of("slowdown", "lower", "upper"));
            writer.writeRecord(header);
            for (int i = 0; i < answers.size(); i++) {
                List<String> cells = new ArrayList<>(rows.get(i).getFields());
                PairPrediction answer = answers.get(i);
                for (double value : new double[] {answer.slowdown(), answer.lower(), answer.upper()}) {
                    cells.add(String.format(Locale.ROOT, "%.5f", value));
                }
                writer.writeRecord(cells);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Lists of names of which some have commas in them. */
    private static final class Names {
        private Names() {}

        /** The longest known name at each place, else what is up to the next comma, with two counts if they follow. */
        static List<String> split(String text, FittedInterference fitted) {
            List<String> parts = List.of(text.split(",", -1));
            List<String> names = new ArrayList<>();
            int at = 0;
            while (at < parts.size()) {
                int taken = 1;
                boolean counted = at + 2 < parts.size()
                        && parts.get(at + 1).strip().matches("\\d+")
                        && parts.get(at + 2).strip().matches("\\d+");
                if (counted && !fitted.types().containsKey(parts.get(at).strip())) {
                    taken = 3;
                }
                names.add(String.join(",", parts.subList(at, at + taken)).strip());
                at += taken;
            }
            return names;
        }
    }
}
