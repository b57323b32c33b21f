package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.trainyard.agents.heuristic.gadget.GreedyRatio;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.Yardstick;

/** The schedulers of utilities beside their baselines. */
enum UtilityStudy implements Study {
    /** GADGET (INFOCOM 2022), for its concave utilities of training. */
    GADGET("gadget", "papers/gadget.yaml", "exponential", "drf", "tiresias", "optimus", "fifo"),
    /** SMD (INFOCOM 2021), for utilities of the delay. */
    SMD("smd", "utility.yaml", "sigmoid", "esw", "optimus", "fifo"),
    /** PD-ORS (2021), for utilities of the delay. */
    PD_ORS("pd-ors", "utility.yaml", "sigmoid", "oasis", "drf", "fifo");

    private static final int INSTANCES = 500;
    private static final List<String> HOSTS = List.of("cluster=placed-servers", "workload.utilities.hosts=true");
    private static final String UNIT = "% of their mean total utility";
    private static final String ON_ONE_MACHINE = "papers/pd-ors.yaml";

    private final String system;
    private final String config;
    private final String family;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> baselines;

    UtilityStudy(String system, String config, String family, String... baselines) {
        this.system = system;
        this.config = config;
        this.family = family;
        this.baselines = List.of(baselines);
    }

    @Override
    public String system() {
        return system;
    }

    private String reason(String baseline) {
        return switch (this) {
            case GADGET ->
                "the paper gives no figure that we know; saturating utilities, elastic rings that offer twice what 64 GPUs do";
            case SMD ->
                "the paper gives no figure that we know; jobs of PD-ORS's ranges, workers and servers on hosts of 4 cores and 32 GiB per GPU, gradients exchanged layer by layer"
                        + (baseline.equals("esw")
                                ? ""
                                : "; a job of this baseline has the servers that it came with, at no cost");
            case PD_ORS ->
                baseline.equals("oasis")
                        ? "half of OASiS's machines hold servers alone, whose GPUs are idle, as we recall of the papers; in the paper's ranges a job takes 1,800 workers' slots on the mean and a machine has 320, so that few can keep to one"
                        : "the paper gives no figure that we know; jobs in its ranges";
        };
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        StudyRun.Figures utilities = utilities(run, config, overrides(run), schedulers());
        addAbove(rows, "", utilities, this::reason);
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
            addTwiceTheMachines(rows, "", utilities, utilities(run, config, twice(run, "200x16"), List.of("oasis")));
            String where = ", jobs that one machine can hold";
            StudyRun.Figures small = utilities(run, ON_ONE_MACHINE, overrides(run), schedulers());
            addAbove(rows, where, small, baseline -> "60 jobs that offer twice what eight machines of 16 GPUs do");
            List<String> twice = twice(run, "16x16");
            // The same jobs: the load is of all GPUs.
            twice.add("workload.generator.offered_load=1.0");
            addTwiceTheMachines(rows, where, small, utilities(run, ON_ONE_MACHINE, twice, List.of("oasis")));
        }
    }

    private List<String> schedulers() {
        List<String> schedulers = new ArrayList<>(List.of(system));
        schedulers.addAll(baselines);
        return schedulers;
    }

    private static StudyRun.Figures utilities(
            StudyRun run, String config, List<String> overrides, List<String> schedulers) {
        return run.episodes(config, overrides, StudyRun.Metric.UTILITY, schedulers);
    }

    private void addAbove(StudyRun.Rows rows, String where, StudyRun.Figures utilities, UnaryOperator<String> reason) {
        for (String baseline : baselines) {
            rows.addGain(
                    "highest total utility: above %s%s".formatted(baseline, where),
                    percentOfMean(utilities.of(system), utilities.of(baseline)),
                    Yardstick.NO_FIGURE,
                    UNIT,
                    reason.apply(baseline));
        }
    }

    private void addTwiceTheMachines(StudyRun.Rows rows, String where, StudyRun.Figures ours, StudyRun.Figures theirs) {
        rows.addGain(
                "highest total utility: above oasis with as many machines again for servers%s".formatted(where),
                percentOfMean(ours.of(system), theirs.of("oasis")),
                Yardstick.NO_FIGURE,
                UNIT,
                "both have the same GPUs for workers, so that locality is what they differ in");
    }

    private List<String> twice(StudyRun run, String cluster) {
        List<String> overrides = new ArrayList<>(overrides(run));
        overrides.add("cluster=" + cluster);
        return overrides;
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
