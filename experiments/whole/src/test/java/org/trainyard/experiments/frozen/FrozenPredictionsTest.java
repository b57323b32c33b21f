package org.trainyard.experiments.frozen;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.data.Trait;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.LearnedInterference;
import org.trainyard.interference.fit.MeasuredModels;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.fit.PairPrediction;
import org.trainyard.interference.fitting.InterferenceFit;
import org.trainyard.interference.measured.MeasurementTable;
import org.trainyard.interference.measured.PublishedArchitectures;

/** What fitted interference models predict of twenty pairs stays as it is. */
class FrozenPredictionsTest {
    private static final List<String> MEASURED = List.of("resnet50", "bert", "dlrm");
    private static final int PAIRS = 20;
    /** Native libraries add in an order of their own. */
    private static final double TOLERANCE = 1e-5;

    private static JobType type(String model, int gpus) {
        Map<Trait, Double> traits = new EnumMap<>(Trait.class);
        traits.put(Trait.GPUS, Math.log(gpus) / Math.log(2));
        return new JobType("%s,%d,2".formatted(model, gpus), model, traits)
                .with(PublishedArchitectures.resources(model));
    }

    /** Pairs that slow each other by different factors. */
    private static MeasurementTable table() {
        List<JobType> types = new ArrayList<>();
        MEASURED.forEach(model -> List.of(2, 8).forEach(gpus -> types.add(type(model, gpus))));
        List<Measurement> rows = new ArrayList<>();
        for (JobType victim : types) {
            for (JobType neighbour : types) {
                double slowdown = 1
                        + 0.6 * victim.trait(Trait.NIC_LOAD) * neighbour.trait(Trait.NIC_LOAD)
                        + 0.08 * neighbour.trait(Trait.GPUS)
                        + 0.01 * (rows.size() * 37 % 11);
                for (Scope scope : List.of(Scope.NIC, Scope.GPU)) {
                    rows.add(new Measurement(victim, neighbour, scope, "bench", slowdown, "made up", 1, false));
                }
            }
        }
        return new MeasurementTable(rows, List.of());
    }

    /** The slowdown of each of twenty models beside another, on a GPU, a socket and a network card. */
    private static List<String> slowdowns(InterferenceModel model) {
        List<ModelProfile> profiles = ModelCatalog.standard().profiles();
        List<String> lines = new ArrayList<>();
        Colocation place = new Colocation();
        for (int pair = 0; pair < PAIRS; pair++) {
            ModelProfile victim = profiles.get(pair * 7 % profiles.size());
            ModelProfile neighbour = profiles.get((pair * 5 + 3) % profiles.size());
            for (int scope = 0; scope < 3; scope++) {
                place.reset(8, 4, scope == 2);
                place.add(neighbour, 4, scope == 2, scope == 1, scope == 0);
                lines.add(FrozenText.line(
                        "pair %d, %s beside %s, place %d".formatted(pair, victim.name(), neighbour.name(), scope),
                        model.slowdown(victim, place)));
            }
        }
        return lines;
    }

    @ParameterizedTest
    @EnumSource(ModelKind.class)
    void a_fitted_model_predicts_as_ever(ModelKind kind) {
        FittedInterference fitted = InterferenceFit.fit(
                        table(), new InterferenceFit.Order(kind, List.of(), 1, 1), step -> {})
                .fitted();

        List<String> lines = slowdowns(new LearnedInterference(fitted));
        Domain domain = new Domain(Scope.NIC, "bench");
        for (int pair = 0; pair < PAIRS; pair++) {
            JobType victim = type(MEASURED.get(pair % 3), pair % 2 == 0 ? 2 : 8);
            JobType neighbour = type(MEASURED.get((pair + pair / 3 + 1) % 3), pair / 2 % 2 == 0 ? 2 : 8);
            PairPrediction answer = fitted.answer(victim, List.of(neighbour, victim), domain);
            lines.add(FrozenText.line("answer %d".formatted(pair), answer.slowdown()));
            lines.add(FrozenText.line("answer %d from".formatted(pair), answer.lower()));
            lines.add(FrozenText.line("answer %d to".formatted(pair), answer.upper()));
        }
        FrozenText.assertFrozen("predictions-" + kind.label(), lines, TOLERANCE);
    }

    @Test
    void the_shipped_model_predicts_as_ever() {
        FrozenText.assertFrozen("predictions-shipped", slowdowns(new MeasuredModels().shipped()), TOLERANCE);
    }
}
