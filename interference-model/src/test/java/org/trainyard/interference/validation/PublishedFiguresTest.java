package org.trainyard.interference.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trainyard.interference.data.DataPack;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.forest.ForestModel;
import org.trainyard.interference.pair.AdditiveBaseline;
import org.trainyard.interference.pair.MeanBaseline;
import org.trainyard.interference.pair.PairTrainer;

/** What the forest must reach on the published measurements. */
class PublishedFiguresTest {
    private static Map<String, List<Guess>> guesses(Scope scope, Split split, String... files) {
        Map<String, PairTrainer> trainers = new LinkedHashMap<>();
        trainers.put("mean", MeanBaseline::train);
        trainers.put("additive", AdditiveBaseline::train);
        trainers.put("forest", ForestModel::train);
        List<Measurement> rows = DataPack.table(files).of(scope);
        return CrossValidation.run(rows, split, trainers, List.of(), 1);
    }

    private static double rmse(Map<String, List<Guess>> guesses, String model, String hardware) {
        return Score.of(
                        guesses.getOrDefault(model, List.of()).stream()
                                .filter(guess -> guess.row().hardware().contains(hardware))
                                .toList(),
                        0)
                .rmse();
    }

    @Test
    void over_the_network_random_rows_are_within_0_095() {
        Map<String, List<Guess>> guesses = guesses(Scope.NIC, Split.RANDOM, DataPack.DEEPSHARE);

        assertThat(rmse(guesses, "forest", "")).isLessThanOrEqualTo(0.095);
        assertThat(Intervals.coverage(guesses.getOrDefault("forest", List.of())))
                .isBetween(0.86, 0.94);
    }

    @Test
    void over_the_network_unseen_architectures_beat_the_mean_by_a_quarter() {
        Map<String, List<Guess>> guesses = guesses(Scope.NIC, Split.ARCHITECTURES, DataPack.DEEPSHARE);

        assertThat(rmse(guesses, "forest", "")).isLessThanOrEqualTo(0.75 * rmse(guesses, "mean", ""));
    }

    @Test
    void on_a_v100_unseen_pairs_beat_the_additive_baseline_by_thirty_per_cent() {
        Map<String, List<Guess>> guesses = guesses(Scope.GPU, Split.PAIRS, DataPack.GAVEL);

        assertThat(rmse(guesses, "forest", "v100")).isLessThanOrEqualTo(0.7 * rmse(guesses, "additive", "v100"));
    }

    @Test
    void on_a_gpu_unseen_job_types_beat_the_mean_by_a_quarter() {
        Map<String, List<Guess>> guesses = guesses(Scope.GPU, Split.TYPES, DataPack.GAVEL);

        assertThat(rmse(guesses, "forest", "")).isLessThanOrEqualTo(0.75 * rmse(guesses, "mean", ""));
    }
}
