package org.trainyard.experiments.papers.studies;

import java.util.List;
import java.util.Locale;
import org.trainyard.experiments.papers.sjfbco.SjfBcoConfig;
import org.trainyard.experiments.papers.sjfbco.SjfBcoExperiment;
import org.trainyard.experiments.papers.sjfbco.SjfBcoRow;

/** SJF-BCO (MobiHoc 2022): the makespan of planned batches, under both orders of jobs for the baselines. */
record SjfBcoStudy(String system) implements Study {
    private static final String UNIT = "% of makespan";

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        for (String order : List.of("submission", "size_then_time")) {
            List<SjfBcoRow> plans = plans(run, order);
            SjfBcoRow ours = row(plans, "SJF-BCO");
            for (String policy : List.of("LS", "FF", "RAND")) {
                SjfBcoRow theirs = row(plans, policy);
                double claimed = 100 * (makespan(ours) / makespan(theirs) - 1);
                rows.addReduction(
                        String.format(
                                Locale.ROOT,
                                "makespan %.1f %% below %s (%.0f and %.0f slots)%s",
                                -claimed,
                                policy,
                                makespan(ours),
                                makespan(theirs),
                                order.equals("submission") ? "" : ", baselines sorted as SJF-BCO"),
                        ours.percentOver(theirs),
                        claimed,
                        UNIT,
                        order.equals("submission")
                                ? "the paper gives neither links nor gradients; baselines take jobs as submitted"
                                : "LS in SJF-BCO's order is SJF-BCO with the largest kappa");
            }
        }
    }

    private static List<SjfBcoRow> plans(StudyRun run, String order) {
        List<String> overrides = List.of("kappas=[]", "lambdas=[]", "fewer_servers=[]", "baseline_order=" + order);
        return new SjfBcoExperiment(SjfBcoConfig.read(run.configs().resolve("papers/sjf-bco.yaml"), overrides)).run();
    }

    private static double makespan(SjfBcoRow row) {
        SjfBcoRow.Published paper = row.paper();
        if (paper == null) {
            throw new IllegalStateException("no published makespan of " + row.policy());
        }
        return paper.makespan();
    }

    private static SjfBcoRow row(List<SjfBcoRow> rows, String policy) {
        return rows.stream()
                .filter(row -> row.setting().equals("plan") && row.policy().equals(policy))
                .findFirst()
                .orElseThrow();
    }
}
