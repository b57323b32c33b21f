package org.trainyard.experiments.papers.studies;

import java.util.List;
import java.util.Objects;
import org.trainyard.agents.learned.adversary.AdversarialTraining;
import org.trainyard.agents.learned.adversary.KnownGuarantees;
import org.trainyard.agents.learned.adversary.WorstCase;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Yardstick;
import org.trainyard.experiments.papers.games.GameConfig;

/** Adversarial training of online allocation (2021): the guarantee of what is learned beside known algorithms. */
record AdversarialAllocationStudy() implements Study {
    @Override
    public String system() {
        return "adversarial";
    }

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        add(rows, run, "eight units", "games/eight-units.yaml");
        add(rows, run, "one unit", "games/one-unit.yaml");
        return rows.all();
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
        rows.addExact(
                "a better worst case than known algorithms, %s: the best fixed prices (%.1f %%)"
                        .formatted(units, 100 * known.fixed()),
                100 * learned.least(),
                new Yardstick(Yardstick.NO_FIGURE, 100 * known.fixed(), false),
                "% of the offline optimum",
                "no sequence is worse, by an exact best response; the prices of the formula for any values guarantee %.1f %%, and no policy more than %.1f %%"
                        .formatted(100 * known.formula(), 100 * known.bound()));
    }
}
