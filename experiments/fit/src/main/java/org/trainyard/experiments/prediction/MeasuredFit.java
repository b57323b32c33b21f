package org.trainyard.experiments.prediction;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.Labelled;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.errors.CampaignRepeat;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.fitting.InterferenceFit;
import org.trainyard.interference.fitting.NumpyFiles;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.tables.Datasets;

/** Fits an interference model to measured co-locations and writes model, card, data and predictions to a folder. */
public final class MeasuredFit {
    private static final String ALL = "process,pressure";

    private static final int MOST_SEEDS = 100;

    private MeasuredFit() {}

    /**
     * Settings of a fit: its data, the model, and the models to compare.
     *
     * @param repeat files of campaigns that are only compared with the data, not fitted
     * @param architectures whose pairs are fitted; empty for all
     */
    public record Request(
            List<String> data,
            List<String> repeat,
            List<String> architectures,
            String model,
            String compare,
            long seed,
            int seeds) {
        InterferenceFit.Order order() {
            InputException.within(1, MOST_SEEDS, "--seeds", seeds);
            List<ModelKind> compared = compare.equals("none")
                    ? List.of()
                    : Arrays.stream((compare.equals("all") ? ALL : compare).split(",", -1))
                            .map(name -> Labelled.named("--compare", ModelKind.class, name))
                            .toList();
            return new InterferenceFit.Order(Labelled.named("--model", ModelKind.class, model), compared, seed, seeds);
        }

        /** The rows of the data that are fitted. */
        MeasurementTable table() {
            MeasurementTable all = read(data);
            if (architectures.isEmpty()) {
                return all;
            }
            Set<String> measured = new TreeSet<>();
            all.types().values().forEach(type -> measured.add(type.architecture()));
            Set<String> wanted = new TreeSet<>();
            for (String name : architectures) {
                String architecture = ArchitectureResources.canonical(name.strip());
                if (!measured.contains(architecture)) {
                    throw InputException.at("--architectures", name, String.join(", ", measured));
                }
                wanted.add(architecture);
            }
            return all.among(wanted);
        }

        private static MeasurementTable read(List<String> files) {
            return Datasets.read(files.stream()
                    .map(InputFiles::path)
                    .map(InputFiles::readable)
                    .toList());
        }

        /** The campaigns that measured the same pairs, in the data or in the files of repeats. */
        List<CampaignRepeat> repeats(MeasurementTable table) {
            List<CampaignRepeat> repeats = CampaignRepeat.of(table.rows());
            if (repeat.isEmpty()) {
                return repeats;
            }
            List<Measurement> rows = new ArrayList<>(table.rows());
            rows.addAll(read(repeat).rows());
            List<CampaignRepeat> all = CampaignRepeat.of(rows);
            if (all.size() == repeats.size()) {
                throw InputException.at(
                        "--repeat", String.join(",", repeat), "another source of pairs that --data has measured");
            }
            return all;
        }
    }

    public static void run(Request request, Path folder, PrintWriter out) {
        InterferenceFit.Order order = request.order();
        MeasurementTable table = request.table();
        List<CampaignRepeat> repeats = request.repeats(table);
        boolean enough = table.domains().stream()
                .anyMatch(domain -> table.of(domain.scope()).size() >= InterferenceFit.LEAST_ROWS);
        if (!enough) {
            throw new InputException(Counted.say(
                    "--data: %d rows: expected at least %d of one scope",
                    table.rows().size(), InterferenceFit.LEAST_ROWS));
        }
        InterferenceFit.Result result = InterferenceFit.fit(table, order, step -> {
            out.println("fitting: " + step);
            out.flush();
        });
        AtomicFiles.makeFolder(folder);
        InterferenceCard card = new InterferenceCard(result, repeats);
        AtomicFiles.write(folder.resolve("card.html"), card.html());
        AtomicFiles.write(folder.resolve("errors.json"), JsonText.of(card.json()));
        AtomicFiles.write(folder.resolve("measurements.csv"), card.measurementsCsv());
        NumpyFiles.of(result).forEach((name, bytes) -> AtomicFiles.write(folder.resolve(name), bytes));
        AtomicFiles.write(folder.resolve(FittedFiles.MODEL), FittedFiles.of(result.fitted()));
        card.print(out);
        out.println(Counted.say(
                "%s: a %s of %,d measurements; card.html beside it has the rest",
                folder.resolve(FittedFiles.MODEL),
                order.kind().label(),
                table.rows().size()));
    }
}
