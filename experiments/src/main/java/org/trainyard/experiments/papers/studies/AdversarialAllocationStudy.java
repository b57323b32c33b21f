package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trainyard.agents.heuristic.admission.PriceThresholds;
import org.trainyard.agents.heuristic.admission.StopProbabilities;
import org.trainyard.agents.heuristic.admission.WorstSequence;
import org.trainyard.agents.learned.adversary.AdversarialTraining;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.training.GameConfig;

/** Adversarial training of online allocation (2021): the guarantee of what is learned beside known algorithms. */
record AdversarialAllocationStudy() implements Study {
    private static final String UNIT = "of the offline optimum";

    @Override
    public String system() {
        return "adversarial";
    }

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        GameConfig config = GameConfig.read(run.configs().resolve("games/one-unit.yaml"), List.of());
        double[] values =
                config.game().values().stream().mapToDouble(value -> value).toArray();
        double learned;
        try (AdversarialTraining training = new AdversarialTraining(config.game(), config.adversary(), config.seed())) {
            while (!training.isDone()) {
                training.update();
            }
            learned = training.figures().guarantee();
        }
        double thresholds = best(1, config.game().rounds(), values);
        rows.add(
                "a better worst case than known algorithms: one unit, the best fixed prices (%.3f)"
                        .formatted(thresholds),
                learned,
                UNIT,
                null,
                learned > thresholds ? ClaimVerdict.MET : ClaimVerdict.NOT_MET,
                "worst of all sequences; a lottery over prices, as any better guarantee has to be");
        double optimum = new StopProbabilities(values).guarantee();
        rows.add(
                "at most the best guarantee that there is for one unit (%.3f)".formatted(optimum),
                learned,
                UNIT,
                null,
                ClaimVerdict.NOT_COMPARABLE,
                "the paper gives no figure");
        double[] levels = {1, 2, 4, 8};
        double eight = best(8, 16, levels);
        double formula = 1 / PriceThresholds.optimal(8, 1, 8).competitiveRatio();
        rows.add(
                "fixed prices of eight units, values 1, 2, 4, 8, 16 rounds: exact, where the formula for all values says %.3f"
                        .formatted(formula),
                eight,
                UNIT,
                null,
                ClaimVerdict.NOT_COMPARABLE,
                "no policy guarantees more than 8/15 = 0.533: eight of the least, then eight of the greatest or nothing");
        return rows.all();
    }

    /** The best guarantee of fixed prices that do not fall. */
    static double best(int units, int rounds, double[] values) {
        double best = 0;
        List<double[]> begun = new ArrayList<>(List.of(new double[0]));
        for (int unit = 0; unit < units; unit++) {
            List<double[]> longer = new ArrayList<>();
            for (double[] prices : begun) {
                for (double value : values) {
                    if (prices.length == 0 || value >= prices[prices.length - 1]) {
                        double[] next = Arrays.copyOf(prices, prices.length + 1);
                        next[prices.length] = value;
                        longer.add(next);
                    }
                }
            }
            begun = longer;
        }
        for (double[] prices : begun) {
            best = Math.max(best, WorstSequence.guarantee(PriceThresholds.of(prices), values, rounds));
        }
        return best;
    }
}
