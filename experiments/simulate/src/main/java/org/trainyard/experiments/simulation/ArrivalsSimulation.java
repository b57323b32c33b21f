package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.TextTable.number;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.arrivals.Arrivals;
import org.trainyard.experiments.arrivals.ArrivalsRun;
import org.trainyard.experiments.config.yaml.Nearest;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.timeline.RunRecorder;

/** One trace whose jobs arrive and never end, under one placement policy after another: {@code simulate arrivals}. */
public final class ArrivalsSimulation implements Simulation {
    private static final int HALF = 50;
    private static final int FULL = 100;

    private final List<PlacementPolicies.Entry> policies;
    private final String trace;
    private final Topology topology;
    private final long seed;
    private final Arrivals arrivals;
    private final WallTimes walls = new WallTimes();
    private final List<ArrivalsRun> runs = new ArrayList<>();

    public ArrivalsSimulation(
            List<PlacementPolicies.Entry> policies, Trace trace, Topology topology, double inflation, long seed) {
        this.policies = List.copyOf(policies);
        this.trace = trace.name();
        this.topology = topology;
        this.seed = seed;
        arrivals = Arrivals.of(trace.jobs(), topology, inflation, seed);
    }

    /** The placement policies of these names. */
    public static List<PlacementPolicies.Entry> policies(List<String> names) {
        List<PlacementPolicies.Entry> policies = new ArrayList<>();
        for (String name : names) {
            PlacementPolicies.Entry policy = PlacementPolicies.named(name.strip());
            if (policy == null) {
                throw InputException.at(
                        "--scheduler", name, "a placement policy: " + Nearest.oneOf(name, PlacementPolicies.names()));
            }
            if (policies.contains(policy)) {
                throw InputException.at("--scheduler", name, "each scheduler once");
            }
            policies.add(policy);
        }
        return policies;
    }

    @Override
    public List<String> schedulers() {
        return policies.stream().map(PlacementPolicies.Entry::name).toList();
    }

    @Override
    public void run(@Nullable RunRecorder recorder) {
        for (PlacementPolicies.Entry policy : policies) {
            EventSink sink = recorder == null ? null : recorder.sink(policy.name(), 0, arrivals.workload());
            runs.add(walls.time(policy.name(), ArrivalsRun::events, () -> arrivals.run(policy, sink)));
        }
    }

    @Override
    public void print(PrintWriter out, boolean isWide) {
        int jobs = arrivals.workload().size();
        out.println("%s: %,d jobs arrive at %s, and none ends".formatted(trace, jobs, topology));
        out.println();
        TextTable table = new TextTable(
                "scheduler", "rejected", "GPUs held at 50 %", "at 100 %", "in the end", "fragmented", "of free GPUs");
        TextTable hashes = new TextTable("scheduler", "SHA-256 of the event log");
        for (ArrivalsRun run : runs) {
            int last = run.allocatedPercent().size() - 1;
            table.add(
                    run.policy(),
                    number("%,d", run.rejected()),
                    at(run.allocatedPercent(), HALF),
                    at(run.allocatedPercent(), FULL),
                    at(run.allocatedPercent(), last),
                    at(run.fragmentedPercent(), last),
                    at(run.fragmentedOfFreePercent(), last));
            hashes.add(run.policy(), run.eventLogSha256());
        }
        table.print(out);
        out.println();
        out.println(
                "Columns show the GPUs held when jobs have demanded that share of all GPUs; summary.json has every per cent.");
        out.println();
        if (isWide) {
            hashes.print(out);
        }
        if (!arrivals.tooWide().isEmpty()) {
            out.println();
            out.println("Note: %,d jobs need more than %,d GPUs and were left out; the first is %s."
                    .formatted(
                            arrivals.tooWide().size(),
                            topology.gpus(),
                            arrivals.tooWide().get(0)));
        }
    }

    private static String at(List<Double> curve, int percent) {
        return percent < curve.size() ? number("%.2f %%", curve.get(percent)) : "-";
    }

    @Override
    public String summary(JsonNode config) {
        return ArrivalsJson.text(config, seed, runs);
    }

    @Override
    public WallTimes walls() {
        return walls;
    }

    @Override
    public List<LogHash> hashes() {
        return runs.stream()
                .map(run -> new LogHash(run.policy(), run.eventLogSha256()))
                .toList();
    }

    /**
     * The {@code summary.json} of jobs that arrive and never end: {@code {"config", "seed", "schedulers": [{"name",
     * "jobs", "rejected", "allocated_percent", "fragmented_percent", "fragmented_of_free_percent",
     * "event_log_sha256"}]}}.
     *
     * <p>Element i of a curve is its value when i per cent of the cluster's GPUs have been demanded; see
     * {@link ArrivalsRun}. Numbers are plain decimals with four places.
     */
    private static final class ArrivalsJson {
        private static final int DECIMALS = 4;

        private ArrivalsJson() {}

        /** The whole file. */
        static String text(JsonNode config, long seed, List<ArrivalsRun> runs) {
            ObjectNode root = JsonNodeFactory.instance.objectNode();
            root.set("config", config);
            root.put("seed", seed);
            ArrayNode schedulers = root.putArray("schedulers");
            for (ArrivalsRun run : runs) {
                ObjectNode node = schedulers.addObject();
                node.put("name", run.policy());
                node.put("jobs", run.jobs());
                node.put("rejected", run.rejected());
                curve(node.putArray("allocated_percent"), run.allocatedPercent());
                curve(node.putArray("fragmented_percent"), run.fragmentedPercent());
                curve(node.putArray("fragmented_of_free_percent"), run.fragmentedOfFreePercent());
                node.put("event_log_sha256", run.eventLogSha256());
            }
            return JsonText.pretty(root);
        }

        private static void curve(ArrayNode node, List<Double> values) {
            for (double value : values) {
                BigDecimal rounded = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
                node.add(rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros());
            }
        }
    }
}
