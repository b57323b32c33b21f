package org.trainyard.experiments.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.Labelled;
import org.trainyard.env.pipeline.LayerProfile;
import org.trainyard.env.pipeline.mixed.MixedPlanner;
import org.trainyard.env.pipeline.planning.DappleMachines;
import org.trainyard.env.pipeline.planning.DappleReleasedPlanner;
import org.trainyard.env.pipeline.planning.DeviceGraph;
import org.trainyard.env.pipeline.planning.Devices;
import org.trainyard.env.pipeline.planning.PipelinePlan;
import org.trainyard.env.pipeline.planning.PipelinePlanner;
import org.trainyard.env.pipeline.planning.PipelineStage;
import org.trainyard.env.pipeline.planning.PlannerKind;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;

/** The plans of several planners for one model on the same GPUs. */
public final class PlanComparison {
    /** The planner of tensor layouts. */
    public static final String MIXED = "sbp";

    private static final double GIBIBYTE = 1 << 30;

    private final LayerProfile profile;
    private final int microBatches;
    private final List<PlanRow> rows;

    private PlanComparison(LayerProfile profile, int microBatches, List<PlanRow> rows) {
        this.profile = profile;
        this.microBatches = microBatches;
        this.rows = List.copyOf(rows);
    }

    public static List<String> planners() {
        List<String> names = new ArrayList<>(
                Arrays.stream(PlannerKind.values()).map(PlannerKind::label).toList());
        names.add(MIXED);
        return names;
    }

    /** @throws InputException when no plan of any planner fits in memory */
    public static PlanComparison on(
            LayerProfile profile, Topology topology, Placement gpus, int microBatches, List<String> planners) {
        DeviceGraph devices = DeviceGraph.of(topology, gpus);
        List<PlanRow> rows = new ArrayList<>();
        for (String name : planners) {
            rows.add(
                    name.equals(MIXED)
                            ? PlanRow.of(
                                    name,
                                    profile,
                                    MixedPlanner.plan(profile, devices, microBatches),
                                    devices.count(),
                                    microBatches)
                            : row(kind(name), kind(name).planner(), profile, devices, microBatches));
        }
        return checked(new PlanComparison(profile, microBatches, rows), devices);
    }

    /** Compares planners on the machines and with the constants of DAPPLE's code, whose planner is the released one. */
    public static PlanComparison withDappleConstants(
            LayerProfile profile, int machines, int gpusPerMachine, int microBatches, List<String> planners) {
        Devices devices = new DappleMachines(machines, gpusPerMachine);
        List<PlanRow> rows = new ArrayList<>();
        for (String name : planners) {
            if (name.equals(MIXED)) {
                throw InputException.at("--planner", name, "a planner of stages, with --dapple-constants");
            }
            PlannerKind kind = kind(name);
            PipelinePlanner planner = kind == PlannerKind.DAPPLE ? new DappleReleasedPlanner() : kind.planner();
            rows.add(row(kind, planner, profile, devices, microBatches));
        }
        return new PlanComparison(profile, microBatches, rows);
    }

    private static PlanRow row(
            PlannerKind kind, PipelinePlanner planner, LayerProfile profile, Devices devices, int microBatches) {
        return PlanRow.of(kind.label(), profile, devices, planner.plan(profile, devices, microBatches));
    }

    private static PlannerKind kind(String name) {
        PlannerKind kind = Labelled.parse(PlannerKind.class, name);
        if (kind == null) {
            throw InputException.at("--planner", name, "all, or some of " + String.join(", ", planners()));
        }
        return kind;
    }

    private static PlanComparison checked(PlanComparison comparison, Devices devices) {
        if (comparison.rows.stream().noneMatch(PlanRow::fits)) {
            double least = comparison.rows.stream()
                    .mapToDouble(PlanRow::memoryBytes)
                    .min()
                    .orElse(0);
            throw InputException.at(
                    "memory of each GPU",
                    "%.1f GiB".formatted(devices.memoryBytes(0) / GIBIBYTE),
                    "at least %.1f GiB for any plan of %s".formatted(least / GIBIBYTE, comparison.profile.name()));
        }
        return comparison;
    }

    public LayerProfile profile() {
        return profile;
    }

    public int microBatches() {
        return microBatches;
    }

    public List<PlanRow> rows() {
        return rows;
    }

    /** The plans as a table. */
    public Answer answer() {
        return new Answer()
                .say("%s, %d of them".formatted(profile, microBatches))
                .gap()
                .table(AnswerTable.of(rows)
                        .text("planner", PlanRow::planner)
                        .text("stages", PlanRow::stages)
                        .number("GPUs", "%.0f", PlanRow::gpus)
                        .number("iteration s", "%.4g", PlanRow::iterationSeconds)
                        .number("speed-up", "%.2f", PlanRow::speedup)
                        .column("by DAPPLE's estimate", CellFormat.of("%.2f").orDash(), PlanRow::dappleSpeedup)
                        .column("bubble %", CellFormat.of("%.1f").orDash(), row -> 100 * row.bubbleShare())
                        .number("GiB", "%.1f", row -> row.memoryBytes() / GIBIBYTE)
                        .text("bottleneck", PlanRow::bottleneck)
                        .text("fits", row -> row.fits() ? "yes" : "no"));
    }

    /** Returns the comparison as maps and lists, for JSON. */
    public Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("profile", profile.name());
        all.put("layers", profile.size());
        all.put("micro_batch", profile.microBatch());
        all.put("micro_batches", microBatches);
        all.put("batch", microBatches * profile.microBatch());
        all.put("plans", rows.stream().map(this::json).toList());
        return all;
    }

    private Map<String, Object> json(PlanRow row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("planner", row.planner());
        json.put("iteration_s", row.iterationSeconds());
        json.put("speed_up", row.speedup());
        json.put("memory_bytes", row.memoryBytes());
        json.put("fits", row.fits());
        json.put("plan", row.stages());
        @Nullable PipelinePlan plan = row.pipeline();
        if (plan != null) {
            json.put("dapple_speed_up", row.dappleSpeedup());
            json.put("bubble_share", row.bubbleShare());
            json.put("bottleneck", row.bottleneck());
            json.put("order", plan.layout().order().name());
            json.put("pipelines", plan.layout().pipelines());
            json.put("stages", plan.layout().stages().stream().map(Stage::of).toList());
        } else {
            json.put(
                    "layers",
                    IntStream.range(0, row.layouts().size())
                            .mapToObj(layer -> Layer.of(
                                    profile.layers().get(layer).name(),
                                    row.layouts().get(layer)))
                            .toList());
        }
        return json;
    }

    private record Layer(String layer, String input, String weights, String output) {
        static Layer of(String name, MixedPlanner.LayerLayout layout) {
            return new Layer(
                    name,
                    layout.input().label(),
                    layout.weights().label(),
                    layout.output().label());
        }
    }

    private record Stage(int firstLayer, int lastLayer, List<Integer> gpus) {
        static Stage of(PipelineStage stage) {
            return new Stage(
                    stage.first(),
                    stage.end() - 1,
                    IntStream.of(stage.gpus()).boxed().toList());
        }
    }
}
