package org.trainyard.experiments.papers.studies;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.trainyard.agents.learned.adversary.AdversarialTraining;
import org.trainyard.agents.learned.adversary.KnownGuarantees;
import org.trainyard.agents.learned.adversary.PriceLottery;
import org.trainyard.agents.learned.adversary.WorstCase;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.papers.claims.Yardstick;
import org.trainyard.experiments.papers.games.GameConfig;

/** Adversarial training of online allocation (2021): the guarantee of what is learned beside known algorithms. */
record AdversarialAllocationStudy(String system) implements Study {
    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        add(rows, run, "eight units", "games/eight-units.yaml");
        add(rows, run, "one unit", "games/one-unit.yaml");
    }

    private static void add(StudyRun.Rows rows, StudyRun run, String units, String file) {
        GameConfig config = GameConfig.read(run.configs().resolve(file), List.of());
        KnownGuarantees known = Objects.requireNonNull(KnownGuarantees.of(config.game()));
        WorstCase learned;
        try (AdversarialTraining training = new AdversarialTraining(config.game(), config.adversary(), config.seed())) {
            while (!training.isDone()) {
                training.update();
            }
            learned = Objects.requireNonNull(training.worstCase());
        }
        PriceLottery lottery = PriceLottery.best(config.game());
        rows.addExact(
                "a better worst case than known algorithms, %s: a price drawn once and kept (%.2f %%)"
                        .formatted(units, 100 * lottery.guarantee()),
                100 * learned.least(),
                new Yardstick(Yardstick.NO_FIGURE, 100 * lottery.guarantee(), false),
                "% of the offline optimum",
                "%.2f %%: no sequence is worse, by an exact best response; the lottery draws %s, with probabilities %s, the best there are; the best fixed prices guarantee %.1f %%, those of the formula for any values %.1f %%, and no policy more than %.1f %%"
                        .formatted(
                                100 * learned.least(),
                                joined("%.0f", config.game().values()),
                                joined("%.2f", lottery.probabilities()),
                                100 * known.fixed(),
                                100 * known.formula(),
                                100 * known.bound()));
    }

    private static String joined(String format, List<Double> values) {
        return values.stream().map(value -> CellFormat.number(format, value)).collect(Collectors.joining(", "));
    }
}
