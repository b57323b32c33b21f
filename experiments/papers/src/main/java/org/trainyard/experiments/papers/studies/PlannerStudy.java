package org.trainyard.experiments.papers.studies;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.MicroBatchOrder;
import org.trainyard.env.pipeline.ModelArchitectures;
import org.trainyard.env.pipeline.mixed.HandLayout;
import org.trainyard.env.pipeline.planning.DeviceGraph;
import org.trainyard.env.pipeline.planning.PipelinePlan;
import org.trainyard.env.pipeline.planning.PipelineStage;
import org.trainyard.env.pipeline.planning.StageLayout;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.metrics.Statistics;
import org.trainyard.experiments.papers.claims.Yardstick;
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
                    rows,
                    "faster than PipeDream's planner on the mean of all cases",
                    "spp",
                    "pipedream",
                    Yardstick.NO_FIGURE,
                    "");
            for (Case testbed : Cases.on(List.of("4x2-50g"), 8).all()) {
                testbed.leastFaster(rows, "spp", List.of("dp", "gpipe", "pipedream", "hetpipe"));
            }
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
            cases.inTheSameStages(rows);
            rows.addReduction(
                    "12 % less memory than GPipe, each in its own stages",
                    cases.percent(one ->
                            one.plan("dapple").memoryBytes() / one.plan("gpipe").memoryBytes()),
                    -12,
                    MEMORY,
                    "replicas of whole stages hold more parameters than GPipe's single GPUs");
        }
    },
    /** OneFlow's layouts (2021). */
    SBP {
        @Override
        void add(StudyRun.Rows rows, Cases cases) {
            double[] percent = cases.percentFaster("sbp", "dp");
            rows.addFigure(
                    "none about schedules: a system whose layouts are chosen by a cost model",
                    Statistics.mean(percent),
                    "% faster than data parallelism",
                    StudyRun.interval(percent),
                    "the paper measures a framework against frameworks; here is its cost model alone");
            for (HandLayout hand : HandLayout.values()) {
                rows.addFigure(
                        "layouts found, beside those by hand: %s"
                                .formatted(hand.name().toLowerCase(Locale.ROOT).replace('_', ' ')),
                        100 * (hand.foundBytes() / hand.handBytes() - 1),
                        "% of the bytes moved",
                        null,
                        String.format(
                                Locale.ROOT,
                                "%.1f MB by hand in an iteration of two layers on eight GPUs; the search does not save memory",
                                hand.handBytes() / 1e6));
            }
        }
    };

    private static final int MANY = 32;
    private static final String MEMORY = "% of the fullest GPU";

    @Override
    public String system() {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract void add(StudyRun.Rows rows, Cases cases);

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        List<String> clusters = run.isQuick() ? List.of("2x8", "16x1") : List.of("2x8", "4x4", "4x8", "16x1", "2x2x4");
        add(rows, Cases.on(clusters, run.isQuick() ? new int[] {8} : new int[] {8, 32}));
    }

    /** Plans of all planners for one model on one cluster. */
    record Case(LayerProfile profile, DeviceGraph devices, int batches, Map<String, PlanRow> plans) {
        PlanRow plan(String planner) {
            return Objects.requireNonNull(plans.get(planner));
        }

        /** How much faster ours is, per cent. */
        double faster(String ours, String theirs) {
            return 100 * (plan(theirs).iterationSeconds() / plan(ours).iterationSeconds() - 1);
        }

        void leastFaster(StudyRun.Rows rows, String ours, List<String> theirs) {
            String best = Collections.min(theirs, Comparator.comparingDouble(name -> faster(ours, name)));
            rows.addGain(
                    "faster than earlier designs, %s: the best is %s".formatted(profile.name(), best),
                    new double[] {faster(ours, best)},
                    Yardstick.NO_FIGURE,
                    "% faster",
                    "four servers of two GPUs behind 50 Gb/s, as we recall the paper's testbed, with our GPUs and models");
        }

        /** DAPPLE's stages with passes in an order; null for a plan of one stage, which has no order. */
        @Nullable PipelinePlan staged(MicroBatchOrder order, int microBatches) {
            PipelinePlan plan = Objects.requireNonNull(plan("dapple").pipeline());
            List<PipelineStage> stages = plan.layout().stages();
            return stages.size() == 1
                    ? null
                    : PipelinePlan.of(profile, devices, new StageLayout(stages, order), microBatches);
        }

        /** All forward passes first, with as many micro-batches as the memory of another plan holds. */
        PipelinePlan gpipeInMemoryOf(PipelinePlan other) {
            int count = other.microBatches();
            PipelinePlan plan = Objects.requireNonNull(staged(MicroBatchOrder.GPIPE, count));
            while (count > 1 && plan.memoryBytes() > other.memoryBytes()) {
                plan = Objects.requireNonNull(staged(MicroBatchOrder.GPIPE, --count));
            }
            return plan;
        }
    }

    /** Models on clusters. */
    record Cases(List<Case> all) {
        static Cases on(List<String> clusters, int... batches) {
            List<Case> all = new ArrayList<>();
            for (String cluster : clusters) {
                Topology topology = Clusters.resolve("cluster", cluster);
                Placement gpus = Placement.of(
                        topology, IntStream.range(0, topology.gpus()).toArray());
                for (String model : ModelArchitectures.names()) {
                    LayerProfile profile = Objects.requireNonNull(ModelArchitectures.find(model));
                    for (int count : batches) {
                        Map<String, PlanRow> plans = new HashMap<>();
                        PlanComparison.on(profile, topology, gpus, count, PlanComparison.planners())
                                .rows()
                                .forEach(plan -> plans.put(plan.planner(), plan));
                        all.add(new Case(profile, DeviceGraph.of(topology, gpus), count, plans));
                    }
                }
            }
            return new Cases(all);
        }

        /** The excess of ratios over one, per cent. */
        double[] percent(ToDoubleFunction<Case> ratio) {
            return all.stream()
                    .mapToDouble(one -> 100 * (ratio.applyAsDouble(one) - 1))
                    .toArray();
        }

        double[] percentFaster(String ours, String theirs) {
            return all.stream().mapToDouble(one -> one.faster(ours, theirs)).toArray();
        }

        void mostFaster(StudyRun.Rows rows, String claim, String ours, String theirs, double claimed, String reason) {
            double most = Arrays.stream(percentFaster(ours, theirs)).max().orElseThrow();
            rows.addGain(claim, new double[] {most}, claimed, "% faster, at most", reason);
        }

        void meanFaster(StudyRun.Rows rows, String claim, String ours, String theirs, double claimed, String reason) {
            rows.addGain(claim, percentFaster(ours, theirs), claimed, "% faster", reason);
        }

        /** DAPPLE's claims over GPipe for one and the same stages. */
        void inTheSameStages(StudyRun.Rows rows) {
            List<Double> memory = new ArrayList<>();
            List<Double> faster = new ArrayList<>();
            for (Case one : all) {
                PipelinePlan theirs = one.staged(MicroBatchOrder.GPIPE, one.batches());
                PipelinePlan many = one.staged(MicroBatchOrder.DEEP, MANY);
                if (theirs != null && many != null) {
                    memory.add(100 * (one.plan("dapple").memoryBytes() / theirs.memoryBytes() - 1));
                    faster.add(100 * (secondsEach(one.gpipeInMemoryOf(many)) / secondsEach(many) - 1));
                }
            }
            rows.addReduction(
                    "12 % less memory than GPipe",
                    array(memory), -12, MEMORY, "DAPPLE's stages in both orders of passes");
            rows.addGain(
                    "1.6 times as fast as GPipe, in the same stages and memory",
                    array(faster),
                    60,
                    "% more micro-batches a second",
                    "DAPPLE with %d micro-batches, GPipe with as many as fit where those do".formatted(MANY));
        }

        private static double secondsEach(PipelinePlan plan) {
            return plan.iterationSeconds() / plan.microBatches();
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(value -> value).toArray();
        }
    }
}
