package org.trainyard.experiments.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.trainyard.env.InputException;
import org.trainyard.experiments.config.InputFiles;
import org.trainyard.experiments.report.InterferenceCard;
import org.trainyard.experiments.run.AtomicFiles;
import org.trainyard.interference.data.Datasets;
import org.trainyard.interference.data.MeasurementTable;
import org.trainyard.interference.fitted.FittedFiles;
import org.trainyard.interference.fitted.InterferenceFit;
import org.trainyard.interference.fitted.ModelKind;
import org.trainyard.interference.fitted.NumpyFiles;

/** Fits a predictor to measured co-locations and writes its folder: model, card, data and predictions. */
final class MeasuredFit {
    private static final String ALL = "process,pressure,network,forest";

    private MeasuredFit() {}

    static void run(List<String> data, String model, String compare, long seed, Path folder, PrintWriter out) {
        ModelKind kind = ModelKind.named("--model", model);
        List<ModelKind> compared = compare.equals("none")
                ? List.of()
                : Arrays.stream((compare.equals("all") ? ALL : compare).split(",", -1))
                        .map(name -> ModelKind.named("--compare", name))
                        .toList();
        MeasurementTable table = Datasets.read(
                data.stream().map(InputFiles::path).map(InputFiles::readable).toList());
        boolean enough = table.domains().stream()
                .anyMatch(domain -> table.of(domain.scope()).size() >= InterferenceFit.LEAST_ROWS);
        if (!enough) {
            throw new InputException("--data: %d rows: expected at least %d of one scope"
                    .formatted(table.rows().size(), InterferenceFit.LEAST_ROWS));
        }
        InterferenceFit.Result result = InterferenceFit.fit(table, kind, compared, seed, step -> {
            out.println("fitting: " + step);
            out.flush();
        });
        AtomicFiles.makeFolder(folder);
        InterferenceCard card = new InterferenceCard(result);
        AtomicFiles.write(folder.resolve("card.html"), card.html());
        AtomicFiles.write(folder.resolve("errors.json"), Json.of(card.json()));
        AtomicFiles.write(folder.resolve("measurements.csv"), card.measurementsCsv());
        NumpyFiles.of(result).forEach((name, bytes) -> AtomicFiles.write(folder.resolve(name), bytes));
        for (Map.Entry<String, byte[]> file : FittedFiles.of(result.fitted()).entrySet()) {
            AtomicFiles.write(folder.resolve(file.getKey()), file.getValue());
        }
        card.print(out);
        out.println("%s: a %s of %,d measurements; card.html beside it has the rest"
                .formatted(
                        folder.resolve(FittedFiles.MODEL),
                        kind.label(),
                        table.rows().size()));
    }
}
