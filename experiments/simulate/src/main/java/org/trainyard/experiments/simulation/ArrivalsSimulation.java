package org.trainyard.experiments.simulation;

import static org.trainyard.experiments.io.CellFormat.number;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.experiments.arrivals.Arrivals;
import org.trainyard.experiments.arrivals.ArrivalsRun;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.timeline.RunRecorder;

/** One trace whose jobs arrive and never end, under one placement policy after another: {@code simulate arrivals}. */
public final class ArrivalsSimulation extends Simulation {
    private static final int HALF = 50;
    private static final int FULL = 100;
    private static final int DECIMALS = 4;

    private final List<PlacementPolicies.Entry> policies;
    private final String trace;
    private final Topology topology;
    private final long seed;
    private final Arrivals arrivals;
    private final List<ArrivalsRun> runs = new ArrayList<>();

    public ArrivalsSimulation(
            List<PlacementPolicies.Entry> policies, Trace trace, Topology topology, double inflation, long seed) {
        this.policies = List.copyOf(policies);
        this.trace = trace.name();
        this.topology = topology;
        this.seed = seed;
        arrivals = Arrivals.of(trace.jobs(), topology, inflation, seed);
    }

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
    public Answer answer(boolean isWide) {
        Answer answer = new Answer()
                .tell(
                        "%s: %,d jobs arrive at %s, and none ends",
                        trace, arrivals.workload().size(), topology)
                .gap()
                .table(AnswerTable.of(runs)
                        .text("scheduler", ArrivalsRun::policy)
                        .count("rejected", ArrivalsRun::rejected)
                        .text("GPUs held at 50 %", run -> at(run.allocatedPercent(), HALF))
                        .text("at 100 %", run -> at(run.allocatedPercent(), FULL))
                        .text("in the end", run -> last(run.allocatedPercent()))
                        .text("fragmented", run -> last(run.fragmentedPercent()))
                        .text("of free GPUs", run -> last(run.fragmentedOfFreePercent())))
                .gap()
                .say("Columns show the GPUs held when jobs have demanded that share of all GPUs; summary.json has every"
                        + " per cent.")
                .gap();
        if (isWide) {
            answer.table(hashTable());
        }
        return arrivals.tooWide().isEmpty()
                ? answer
                : answer.gap()
                        .tell(
                                "Note: %,d jobs need more than %,d GPUs; left out; the first is %s.",
                                arrivals.tooWide().size(),
                                topology.gpus(),
                                arrivals.tooWide().get(0));
    }

    private static String last(List<Double> curve) {
        return at(curve, curve.size() - 1);
    }

    private static String at(List<Double> curve, int percent) {
        return percent < curve.size() ? number("%.2f %%", curve.get(percent)) : "-";
    }

    /**
     * {@code summary.json}. Element i of a curve is its value when i per cent of the cluster's GPUs have been demanded
     * (see {@link ArrivalsRun}), with at most four decimal places.
     */
    private record Summary(JsonNode config, long seed, List<Row> schedulers) {
        private record Row(
                String name,
                int jobs,
                int rejected,
                List<BigDecimal> allocatedPercent,
                List<BigDecimal> fragmentedPercent,
                List<BigDecimal> fragmentedOfFreePercent,
                String eventLogSha256) {
            static Row of(ArrivalsRun run) {
                return new Row(
                        run.policy(),
                        run.jobs(),
                        run.rejected(),
                        curve(run.allocatedPercent()),
                        curve(run.fragmentedPercent()),
                        curve(run.fragmentedOfFreePercent()),
                        run.eventLogSha256());
            }

            private static List<BigDecimal> curve(List<Double> values) {
                return values.stream()
                        .map(value -> JsonText.decimal(value, DECIMALS))
                        .toList();
            }
        }
    }

    @Override
    public JsonNode summary(JsonNode config) {
        return JsonText.tree(
                new Summary(config, seed, runs.stream().map(Summary.Row::of).toList()));
    }

    @Override
    public List<LogHash> hashes() {
        return runs.stream()
                .map(run -> new LogHash(run.policy(), run.eventLogSha256()))
                .toList();
    }
}
