package org.trainyard.env.scheduling.preemption;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.gpusets.SetChoice;
import org.trainyard.env.scheduling.interruption.EvictionPlan;
import org.trainyard.env.scheduling.interruption.EvictionPlanning;
import org.trainyard.env.scheduling.interruption.Interruptions;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.placement.GpuSpeeds;
import org.trainyard.env.simulation.DecisionSink;
import org.trainyard.env.simulation.PlacementBuilder;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/**
 * The planners that make room for a waiting job: one for every run of servers whose GPUs are equally fast, or a single
 * one where GPUs are shared; and where the links inside servers differ, one for every run of equal ones, for gangs that
 * narrow rings slow down. Their plans keep to the fewest racks where those can be cleared.
 */
public final class EvictionPlanners implements EvictionPlanning {
    private final SimView view;
    private final List<PreemptionPlanner> planners = new ArrayList<>();
    private final SharedGpuPreemption shared;
    /** By planner, one of its servers. */
    private final int[] serverOf;

    /** By planner, the end of its servers. */
    private final int[] endOf;
    /** Whether GPUs that it frees there are sure to be for the job. */
    private final boolean[] isForJob;
    /** By planner, the relative speed of its GPUs for the job. */
    private final double[] speedOf;
    /** By planner, the relative speed of its GPUs over the slowdown by rings. */
    private final double[] linkedSpeedOf;

    private int job = SimView.NONE;

    /** The planners by the speed of GPUs; those by links follow. */
    private final int bySpeed;

    private final Topology topology;
    private final GpuSpeeds speeds;
    private final PlacementBuilder builder;
    private final SetChoice choice;

    /**
     * @param remaining what the lower of two jobs goes first by
     * @param builder an empty builder of the same cluster
     */
    public EvictionPlanners(Interruptions.Agents agents, SimView view, Rank remaining, PlacementBuilder builder) {
        this.view = view;
        topology = agents.topology();
        choice = agents.choice();
        InterferenceModel belief = agents.belief();
        this.builder = builder;
        shared = new SharedGpuPreemption(view, belief, remaining, true, PreemptionCharge.NONE);
        speeds = new GpuSpeeds(topology);
        PlacementPreview preview = new PlacementPreview(topology, belief);
        int[] bounds = bySpeed(topology);
        bySpeed = bounds.length - 1;
        int[] kinds = byLinks(topology);
        serverOf = new int[bySpeed + kinds.length];
        endOf = new int[serverOf.length];
        isForJob = new boolean[serverOf.length];
        speedOf = new double[serverOf.length];
        linkedSpeedOf = new double[serverOf.length];
        for (int[] runs : List.of(bounds, kinds)) {
            for (int run = 0; run + 1 < runs.length; run++) {
                serverOf[planners.size()] = runs[run];
                endOf[planners.size()] = runs[run + 1];
                planners.add(new PreemptionPlanner(
                        view, runs[run], runs[run + 1], remaining, preview, true, PreemptionCharge.NONE));
            }
        }
    }

    /** The first server of every run of servers whose GPUs are equally fast, and the number of servers. */
    private static int[] bySpeed(Topology topology) {
        GpuSpeeds speeds = new GpuSpeeds(topology);
        return runs(topology, server -> speeds.of(server) == speeds.of(server - 1));
    }

    /** Runs of servers with equal GPUs and links; none where links do not differ. */
    private static int[] byLinks(Topology topology) {
        if (topology.inside().arePlain()) {
            return new int[0];
        }
        GpuSpeeds speeds = new GpuSpeeds(topology);
        return runs(
                topology,
                server -> speeds.of(server) == speeds.of(server - 1)
                        && topology.inside().of(server).equals(topology.inside().of(server - 1)));
    }

    private static int[] runs(Topology topology, IntPredicate isLikeBefore) {
        int servers = topology.servers();
        return IntStream.rangeClosed(0, servers)
                .filter(server -> server == 0 || server == servers || !isLikeBefore.test(server))
                .toArray();
    }

    /** Planners on a cluster. */
    public static int count(Topology topology) {
        return bySpeed(topology).length - 1 + Math.max(0, byLinks(topology).length - 1);
    }

    @Override
    public boolean isByLinks(int planner) {
        return planner >= bySpeed && !view.cluster().isShared();
    }

    @Override
    public int count() {
        return view.cluster().isShared() ? 1 : planners.size();
    }

    @Override
    public void begin(int newJob) {
        job = newJob;
        JobSpec spec = view.job(job);
        for (int planner = 0; planner < count(); planner++) {
            speedOf[planner] = speeds.of(serverOf[planner], spec.model());
            linkedSpeedOf[planner] = isByLinks(planner) ? linkedSpeed(planner, spec) : speedOf[planner];
            isForJob[planner] = isFor(spec.demand(), serverOf[planner], endOf[planner]);
        }
    }

    /**
     * Whether a demand has room on whichever of these servers its GPUs become free. No room is made for host resources.
     */
    private boolean isFor(Demand demand, int first, int end) {
        boolean isAnywhere = demand.gpuTypes().isEmpty() && !demand.oneServer();
        return demand.isOfGpusAlone()
                && (isAnywhere
                        || IntStream.range(first, end)
                                .allMatch(server -> demand.allows(topology.server(server)
                                                .gpuType()
                                                .name())
                                        && (!demand.oneServer() || topology.gpusOn(server) >= demand.gpus())));
    }

    private double linkedSpeed(int planner, JobSpec spec) {
        int server = serverOf[planner];
        int gpus = topology.gpusOn(server);
        return spec.gpus() > gpus || SetChoice.felt(choice.most(spec)) == 1
                ? 0
                : speedOf[planner] / choice.widestOf(spec, server, -1L >>> (64 - gpus), spec.gpus());
    }

    @Override
    public double speed(int planner) {
        return speedOf[planner];
    }

    @Override
    public double linkedSpeed(int planner) {
        return linkedSpeedOf[planner];
    }

    @Override
    public @Nullable PreemptionPlan plan(int planner, double limit) {
        return view.cluster().isShared()
                ? shared.plan(job)
                : isForJob[planner] ? planners.get(planner).plan(job, limit) : null;
    }

    @Override
    public double own() {
        return view.cluster().isShared() ? shared.own() : 1;
    }

    @Override
    public double harm() {
        return view.cluster().isShared() ? shared.harm() : 0;
    }

    /** The last plan, as it is until the next event: the planner of shared GPUs overwrites its own by the next. */
    @Override
    public EvictionPlan kept(EvictionPlan plan) {
        return view.cluster().isShared() ? ((PreemptionPlan) plan).copy() : plan;
    }

    /** Preempts and migrates the victims of a plan; all planners choose targets of migrations alike. */
    @Override
    public void carryOut(EvictionPlan kept, DecisionSink decisions) {
        PreemptionPlan plan = (PreemptionPlan) kept;
        if (view.cluster().isShared()) {
            shared.carryOut(plan, builder, decisions);
            return;
        }
        planners.get(0).carryOut(plan, builder, decisions);
    }
}
