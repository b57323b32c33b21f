package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;

/** The schedulers of utilities beside their baselines, on jobs in the ranges of PD-ORS's evaluation. */
enum UtilityStudy implements Study {
    /** GADGET (INFOCOM 2022), for its concave utilities of training. */
    GADGET("gadget", "exponential", "drf", "fifo"),
    /** SMD (INFOCOM 2021), for utilities of the delay. */
    SMD("smd", "sigmoid", "esw", "optimus", "fifo"),
    /** PD-ORS (2021), for utilities of the delay. */
    PD_ORS("pd-ors", "sigmoid", "oasis", "drf", "fifo");

    private final String system;
    private final String family;
    private final String baselines;

    UtilityStudy(String system, String family, String... baselines) {
        this.system = system;
        this.family = family;
        this.baselines = String.join(",", baselines);
    }

    @Override
    public String system() {
        return system;
    }

    private String reason(String baseline) {
        return switch (this) {
            case GADGET -> "the paper gives no figure that we know; saturating utilities, jobs of PD-ORS's ranges";
            case SMD ->
                "the paper gives no figure that we know; jobs of PD-ORS's ranges, workers and servers on hosts of 4 cores per GPU"
                        + (baseline.equals("esw")
                                ? ""
                                : "; a job of this baseline has the servers that it came with, at no cost");
            case PD_ORS ->
                baseline.equals("oasis")
                        ? "both made the same decisions: jobs of up to 200 workers rarely fit one server, so that locality decides nothing"
                        : "the paper gives no figure that we know; jobs in its ranges";
        };
    }

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        List<String> against = List.of(baselines.split(",", -1));
        List<String> schedulers = new ArrayList<>(List.of(system));
        schedulers.addAll(against);
        StudyRun.Figures utilities = run.episodes("utility.yaml", overrides(run), StudyRun.Metric.UTILITY, schedulers);
        for (String baseline : against) {
            rows.addGain(
                    "highest total utility: above " + baseline,
                    percentOfMean(utilities.of(system), utilities.of(baseline)),
                    0,
                    "% of their mean total utility",
                    reason(baseline));
        }
        return rows.all();
    }

    private List<String> overrides(StudyRun run) {
        List<String> overrides =
                new ArrayList<>(List.of("workload.utilities.family=" + family, "episodes.test=" + run.few(3, 5)));
        if (this == SMD) {
            overrides.addAll(List.of("cluster=placed-servers", "workload.utilities.hosts=true"));
        }
        return overrides;
    }

    /** Episode by episode; a baseline may have no utility at all in one. */
    private static double[] percentOfMean(double[] ours, double[] theirs) {
        double mean = Statistics.mean(theirs);
        return IntStream.range(0, ours.length)
                .mapToDouble(i -> 100 * (ours[i] - theirs[i]) / mean)
                .toArray();
    }
}
