package org.trainyard.experiments.inspection;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.experiments.config.ConfigReader;
import org.trainyard.experiments.run.TruthMismatch;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.fit.FittedFiles;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.LearnedInterference;
import org.trainyard.interference.fit.MeasuredModels;
import org.trainyard.interference.measured.MeasuredWorld;

/** The contents of a fitted interference model, and its difference from the interference of simulators. */
public final class InterferenceReport {
    private static final int WIDTH = 42;

    private InterferenceReport() {}

    /** @param truth config of an experiment whose interference the model is compared with, or null */
    public static Report of(Path folder, @Nullable Path truth) {
        Map<String, Object> facts = new LinkedHashMap<>();
        FittedInterference fitted = FittedFiles.read(folder);
        facts.put("model", fitted.kind().label());
        facts.put("seed", fitted.seed());
        facts.put("scopes", fitted.scopes().stream().map(Scope::label).collect(Collectors.joining(", ")));
        facts.put("job types", fitted.types().size());
        fitted.sources()
                .forEach(source -> facts.put(
                        "data " + source.file(),
                        Counted.say(
                                "%d rows, %s, sha256 %s",
                                source.rows(), source.licence(), source.sha256().substring(0, 12))));
        InterferenceModel belief = new LearnedInterference(fitted);
        if (truth != null) {
            InterferenceModel configured =
                    ConfigReader.read(truth, List.of()).physics().interference().model();
            facts.put("against the truth of " + truth.getFileName(), mismatch(belief, configured));
        }
        InterferenceModel measured = MeasuredWorld.readFitted(folder.resolve("measurements.csv"));
        facts.put("against the measured world", mismatch(belief, measured));
        facts.put("against the analytic world", mismatch(belief, AnalyticInterference.DEFAULT));
        facts.put("shipped belief against the measured world", mismatch(new MeasuredModels().shipped(), measured));
        return new FactsReport(facts, WIDTH);
    }

    private static String mismatch(InterferenceModel belief, InterferenceModel truth) {
        return TruthMismatch.between(belief, truth, TruthMismatch.ALL).toString();
    }
}
