package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.gadget.GreedyRatio;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.Yardstick;

/** The schedulers of utilities beside their baselines, on jobs in the ranges of PD-ORS's evaluation. */
enum UtilityStudy implements Study {
    /** GADGET (INFOCOM 2022), for its concave utilities of training. */
    GADGET("gadget", "exponential", "drf", "tiresias", "optimus", "fifo"),
    /** SMD (INFOCOM 2021), for utilities of the delay. */
    SMD("smd", "sigmoid", "esw", "optimus", "fifo"),
    /** PD-ORS (2021), for utilities of the delay. */
    PD_ORS("pd-ors", "sigmoid", "oasis", "drf", "fifo");

    private static final int INSTANCES = 500;
    private static final List<String> HOSTS = List.of("cluster=placed-servers", "workload.utilities.hosts=true");

    /** The stand-in for OASiS, which keeps workers and servers on machines apart; here they may share one. */
    private static final String OASIS = "PD-ORS without locality, for OASiS";

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
                "the paper gives no figure that we know; jobs of PD-ORS's ranges, workers and servers on hosts of 4 cores and 32 GiB per GPU, gradients exchanged layer by layer"
                        + (baseline.equals("esw")
                                ? ""
                                : "; a job of this baseline has the servers that it came with, at no cost");
            case PD_ORS ->
                baseline.equals("oasis")
                        ? "both made the same decisions: by the ranges of the paper a job takes 1,800 workers' slots on the mean, and one server has 320 in all, so that few jobs can train on one server, which is all that the two differ in"
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
                    "highest total utility: above " + (baseline.equals("oasis") ? OASIS : baseline),
                    percentOfMean(utilities.of(system), utilities.of(baseline)),
                    Yardstick.NO_FIGURE,
                    "% of their mean total utility",
                    reason(baseline));
        }
        if (this == GADGET) {
            rows.addExact(
                    "a guaranteed ratio to the optimum; without a network we prove 50 %",
                    100 * GreedyRatio.worst(INSTANCES),
                    new Yardstick(Yardstick.NO_FIGURE, 50, false),
                    "% of the optimum",
                    "the worst of %d small instances, all allocations tried; the paper's own constant is not known"
                            .formatted(INSTANCES));
        }
        if (this == PD_ORS) {
            addOasis(
                    rows,
                    run,
                    "on hosts of 4 cores and 32 GiB per GPU",
                    HOSTS,
                    "a worker takes its cores and memory and its part of the servers', which stand where it is");
            if (!run.isQuick()) {
                addOasis(
                        rows,
                        run,
                        "80 slots",
                        List.of("workload.utilities.slots=80"),
                        "in four times as many slots more jobs can train on one server");
            }
        }
        return rows.all();
    }

    private void addOasis(StudyRun.Rows rows, StudyRun run, String where, List<String> world, String reason) {
        List<String> overrides = new ArrayList<>(overrides(run));
        overrides.addAll(world);
        StudyRun.Figures utilities =
                run.episodes("utility.yaml", overrides, StudyRun.Metric.UTILITY, List.of(system, "oasis"));
        rows.addGain(
                "highest total utility: above %s, %s".formatted(OASIS, where),
                percentOfMean(utilities.of(system), utilities.of("oasis")),
                Yardstick.NO_FIGURE,
                "% of their mean total utility",
                reason);
    }

    private List<String> overrides(StudyRun run) {
        List<String> overrides =
                new ArrayList<>(List.of("workload.utilities.family=" + family, "episodes.test=" + run.few(3, 5)));
        if (this == SMD) {
            overrides.addAll(HOSTS);
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
