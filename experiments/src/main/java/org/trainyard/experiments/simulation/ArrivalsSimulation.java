package org.trainyard.experiments.simulation;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.packing.PlacementPolicies;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.experiments.config.yaml.Nearest;
import org.trainyard.experiments.io.TextTable;
import org.trainyard.experiments.papers.fgd.Arrivals;
import org.trainyard.experiments.papers.fgd.ArrivalsRun;
import org.trainyard.experiments.report.EventsJsonl;

/** One trace whose jobs only arrive, for one placement policy after the other: {@code simulate --inflate}. */
public final class ArrivalsSimulation {
    private static final int HALF = 50;
    private static final int FULL = 100;

    private final String trace;
    private final Topology topology;
    private final Arrivals arrivals;
    private final List<ArrivalsRun> runs = new ArrayList<>();

    public ArrivalsSimulation(Trace trace, Topology topology, double inflation, long seed) {
        this.trace = trace.name();
        this.topology = topology;
        arrivals = Arrivals.of(trace.jobs(), topology, inflation, seed);
    }

    /** The placement policies of these names. */
    public static List<PlacementPolicies.Entry> policies(List<String> names) {
        List<PlacementPolicies.Entry> policies = new ArrayList<>();
        for (String name : names) {
            PlacementPolicies.Entry policy = PlacementPolicies.named(name.strip());
            if (policy == null) {
                throw InputException.at(
                        "--scheduler",
                        name,
                        "with --inflate a placement policy: " + Nearest.oneOf(name, PlacementPolicies.names()));
            }
            if (policies.contains(policy)) {
                throw InputException.at("--scheduler", name, "each scheduler once");
            }
            policies.add(policy);
        }
        return policies;
    }

    /**
     * Runs them all.
     *
     * @param log where the events go, or null
     * @param report is told how long each took
     */
    public void run(List<PlacementPolicies.Entry> policies, @Nullable EventsJsonl log, SimulateReport report) {
        for (PlacementPolicies.Entry policy : policies) {
            EventSink sink = log == null ? null : log.run(policy.name(), arrivals.workload());
            long start = System.nanoTime();
            ArrivalsRun run = arrivals.run(policy, sink);
            report.took(policy.name(), run.events(), (System.nanoTime() - start) / 1e9);
            runs.add(run);
        }
    }

    /** One for each policy that ran. */
    public List<ArrivalsRun> runs() {
        return runs;
    }

    public void print(PrintWriter out) {
        int jobs = arrivals.workload().size();
        out.println("%s: %,d jobs arrive at %s, and none leaves".formatted(trace, jobs, topology));
        out.println();
        TextTable table = new TextTable(
                "scheduler", "rejected", "GPUs held at 50 %", "at 100 %", "in the end", "fragmented", "of free GPUs");
        TextTable hashes = new TextTable("scheduler", "SHA-256 of the event log");
        for (ArrivalsRun run : runs) {
            int last = run.allocatedPercent().size() - 1;
            table.add(
                    run.policy(),
                    String.format(Locale.ROOT, "%,d", run.rejected()),
                    at(run.allocatedPercent(), HALF),
                    at(run.allocatedPercent(), FULL),
                    at(run.allocatedPercent(), last),
                    at(run.fragmentedPercent(), last),
                    at(run.fragmentedOfFreePercent(), last));
            hashes.add(run.policy(), run.eventLogSha256());
        }
        table.print(out);
        out.println();
        out.println("GPUs are held when so much of all GPUs has been demanded; summary.json has every per cent.");
        out.println();
        hashes.print(out);
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
        return percent < curve.size() ? String.format(Locale.ROOT, "%.2f %%", curve.get(percent)) : "-";
    }
}
