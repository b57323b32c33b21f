package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.ClaimRow;
import org.trainyard.experiments.papers.claims.ClaimVerdict;
import org.trainyard.experiments.planning.PlanComparison;
import org.trainyard.experiments.planning.PlanRow;

/** The planners of pipelines and layouts beside each other, on six models and up to five clusters. */
enum PlannerStudy implements Study {
    /** Synchronous pipeline planning (INFOCOM 2022). */
    SPP {
        @Override
        void add(StudyRun.Rows rows, Cases cases) {
            String reason = "our models and clusters, not the paper's testbed; most of all cases";
            cases.mostFaster(
                    rows,
                    "up to 157 % faster than earlier designs: PipeDream's planner",
                    "spp",
                    "pipedream",
                    157,
                    reason);
            cases.mostFaster(
                    rows, "up to 157 % faster than earlier designs: data parallelism", "spp", "dp", 157, reason);
            cases.mostFaster(rows, "up to 157 % faster than earlier designs: GPipe", "spp", "gpipe", 157, reason);
            cases.meanFaster(
                    rows, "faster than PipeDream's planner on the mean of all cases", "spp", "pipedream", 0, "");
        }
    },
    /** DAPPLE (PPoPP 2021). */
    DAPPLE {
        @Override
        void add(StudyRun.Rows rows, Cases cases) {
            cases.mostFaster(
                    rows,
                    "up to 3.23 times as fast as PipeDream's planner",
                    "dapple",
                    "pipedream",
                    223,
                    "our models and clusters; our pipedream counts half of the all-reduce that its released code counts");
            cases.meanFaster(
                    rows,
                    "1.6 times as fast as GPipe",
                    "dapple",
                    "gpipe",
                    60,
                    "GPipe here has no replicas and does not recompute activations, so plans differ, too");
            cases.memory(rows, "12 % less memory than GPipe", "dapple", "gpipe", -12);
        }
    },
    /** OneFlow's layouts (2021). */
    SBP {
        @Override
        void add(StudyRun.Rows rows, Cases cases) {
            double[] percent = cases.percentFaster("sbp", "dp");
            rows.add(
                    "none about schedules: a system whose layouts are chosen by a cost model",
                    Statistics.mean(percent),
                    "% faster than data parallelism",
                    StudyRun.interval(percent),
                    ClaimVerdict.NOT_COMPARABLE,
                    "the paper measures a framework against frameworks; here is its cost model alone");
        }
    };

    @Override
    public String system() {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract void add(StudyRun.Rows rows, Cases cases);

    @Override
    public List<ClaimRow> rows(StudyRun run) {
        StudyRun.Rows rows = run.rows(this);
        add(rows, Cases.of(run));
        return rows.all();
    }

    /** Plans of all planners, case by case. */
    record Cases(List<Map<String, PlanRow>> plans) {
        static Cases of(StudyRun run) {
            List<Map<String, PlanRow>> all = new ArrayList<>();
            List<String> planners = List.of("spp", "dapple", "pipedream", "gpipe", "dp", "sbp");
            for (String cluster :
                    run.isQuick() ? List.of("2x8", "16x1") : List.of("2x8", "4x4", "4x8", "16x1", "2x2x4")) {
                Topology topology = Clusters.resolve("cluster", cluster);
                Placement gpus = Placement.of(
                        topology, IntStream.range(0, topology.gpus()).toArray());
                for (String model : ModelArchitectures.names()) {
                    LayerProfile profile = Objects.requireNonNull(ModelArchitectures.find(model));
                    for (int batches : run.isQuick() ? new int[] {8} : new int[] {8, 32}) {
                        Map<String, PlanRow> row = new HashMap<>();
                        PlanComparison.on(profile, topology, gpus, batches, planners)
                                .rows()
                                .forEach(plan -> row.put(plan.planner(), plan));
                        all.add(row);
                    }
                }
            }
            return new Cases(all);
        }

        private PlanRow plan(Map<String, PlanRow> one, String planner) {
            return Objects.requireNonNull(one.get(planner));
        }

        double[] percentFaster(String ours, String theirs) {
            return plans.stream()
                    .mapToDouble(one -> 100
                            * (plan(one, theirs).iterationSeconds()
                                            / plan(one, ours).iterationSeconds()
                                    - 1))
                    .toArray();
        }

        void mostFaster(StudyRun.Rows rows, String claim, String ours, String theirs, double claimed, String reason) {
            double most = Arrays.stream(percentFaster(ours, theirs)).max().orElseThrow();
            rows.addGain(claim, new double[] {most}, claimed, "% faster, at most", reason);
        }

        void meanFaster(StudyRun.Rows rows, String claim, String ours, String theirs, double claimed, String reason) {
            rows.addGain(claim, percentFaster(ours, theirs), claimed, "% faster", reason);
        }

        void memory(StudyRun.Rows rows, String claim, String ours, String theirs, double claimed) {
            double[] percent = plans.stream()
                    .mapToDouble(one -> 100
                            * (plan(one, ours).memoryBytes() / plan(one, theirs).memoryBytes() - 1))
                    .toArray();
            rows.addReduction(
                    claim,
                    percent,
                    claimed,
                    "% of the fullest GPU",
                    "replicas of whole stages hold more parameters than GPipe's single GPUs; the paper compares schedules of one plan");
        }
    }
}
