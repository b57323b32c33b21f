package org.trainyard.experiments.papers.studies;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.trainyard.env.synchronisation.LossCurve;
import org.trainyard.env.synchronisation.StatisticalEfficiency;
import org.trainyard.env.synchronisation.SynchronisationModel;
import org.trainyard.env.synchronisation.TimeToTarget;
import org.trainyard.env.synchronisation.UnevenWorkers;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.papers.claims.Yardstick;

/** ADSP (AAAI 2020): the time to target beside other models of synchronisation on three uneven workers. */
record AdspStudy(String system) implements Study {
    private static final double TARGET = 0.2;
    private static final double BSP_STEPS = 5420;
    /** Inferred from the rows of BSP and Fixed ADACOMM. */
    private static final UnevenWorkers TESTBED = UnevenWorkers.of(15.4, 2.2, 2.2, 2.2 / 3);

    /** A row of the published totals, and what ADSP's time is below it, per cent. */
    private record Published(String name, String label, double less) {}

    private static final List<Published> PUBLISHED = List.of(
            new Published("ADACOMM", "adacomm", 31.6),
            new Published("Fixed ADACOMM", "fixed-adacomm:40", 50.0),
            new Published("SSP", "ssp:40", 85.0),
            new Published("BSP", "bsp", 91.9));

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        for (Published published : PUBLISHED) {
            rows.add(
                    String.format(Locale.ROOT, "%.1f %% less time to target than %s", published.less, published.name),
                    100 * (seconds("adsp") / seconds(published.label) - 1),
                    "% of time to target",
                    null,
                    Yardstick.reduction(-published.less),
                    ClaimVerdict.FITTED,
                    "speeds of the workers inferred from BSP and Fixed ADACOMM, worth of a step fitted to the published steps");
        }
    }

    private static double seconds(String label) {
        SynchronisationModel model = Objects.requireNonNull(SynchronisationModel.parse(label));
        return TimeToTarget.of(
                model, TESTBED, StatisticalEfficiency.DEFAULT, new LossCurve(8 / BSP_STEPS, 2, 0.1), TARGET);
    }
}
