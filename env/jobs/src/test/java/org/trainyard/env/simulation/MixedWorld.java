package org.trainyard.env.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.RandomWorkloads;
import org.trainyard.env.graphtraining.GraphDataset;
import org.trainyard.env.graphtraining.GraphTraining;
import org.trainyard.env.graphtraining.HitRatio;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Stragglers;
import org.trainyard.env.performance.contention.Contention;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.performance.ring.ServerDivision;
import org.trainyard.env.synchronisation.SynchronisationModel;
import org.trainyard.env.synchronisation.Synchronised;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.freezing.FreezableNetworks;
import org.trainyard.env.workload.freezing.FreezingProfile;
import org.trainyard.env.workload.freezing.FreezingTerms;
import org.trainyard.env.workload.utility.ConcaveFamily;
import org.trainyard.env.workload.utility.JobUtility;

/**
 * Everything the simulator can do at once, drawn from a seed: shared and sliced GPUs of two types, hosts that fill up,
 * elastic jobs, contention, quotas, outages, stragglers, frozen layers, models of synchronisation, graph training with
 * decisions about cores and memory, time limits, jobs that may not start yet, utilities of training by a horizon; and a
 * scheduler that does anything legal, as a pure function of what it sees.
 */
final class MixedWorld {
    /** Of what a job has done an hour and a half after its submission. */
    static final JobUtility TRAINED = new JobUtility.Concave(ConcaveFamily.ROOT, 1, 1, 5_400);

    static final Quotas QUOTAS = new Quotas(Map.of("red", 9, "blue", 6));

    final Topology topology;
    final Workload workload;
    final RingPerformance truth;
    private final long seed;

    MixedWorld(long seed, Contention contention) {
        this(seed, contention, false);
    }

    /** @param hasInteriors whether the links between GPUs differ inside servers, and jobs there share PCIe */
    MixedWorld(long seed, Contention contention, boolean hasInteriors) {
        this.seed = seed;
        topology = topology(hasInteriors);
        workload = workload(seed);
        ServerDivision isolation = ServerDivision.all().get((int) (seed % 3));
        truth = new RingPerformance(topology, AnalyticInterference.DEFAULT, contention, Stragglers.measured(0.5, seed))
                .with(isolation);
    }

    private static Topology topology(boolean hasInteriors) {
        ServerSpec four = server(GpuType.V100, GpuSharing.WHOLE, 4);
        ServerSpec eight = server(GpuType.A100, GpuSharing.WHOLE, 8);
        return new Topology.Builder("mixed", Fabric.DEFAULT)
                .rack(List.of(
                        server(GpuType.V100, GpuSharing.FRACTIONS, 4),
                        server(GpuType.A100, GpuSharing.MIG, 4),
                        hasInteriors ? four.with(Interiors.named("pcie", 4)) : four))
                .rack(List.of(
                        hasInteriors ? eight.with(Interiors.named("pcie3")) : eight,
                        server(GpuType.V100, GpuSharing.FRACTIONS, 2),
                        server(GpuType.V100, GpuSharing.WHOLE, 0)))
                .racksPerPod(1)
                .build();
    }

    private static ServerSpec server(GpuType type, GpuSharing sharing, int gpus) {
        return new ServerSpec(type, gpus == 8 ? 2 : 1, gpus, true, 16_000, 64_000, sharing);
    }

    private static Workload workload(long seed) {
        RandomGenerator random = RandomStreams.stream(seed, "test/mixed");
        List<JobSpec> specs = new ArrayList<>();
        double[] iterations = new double[40];
        long submit = 0;
        for (int job = 0; job < iterations.length; job++) {
            submit += random.nextInt(3) == 0 ? 0 : random.nextLong(1_200_000_000_000L);
            ModelProfile model = RandomWorkloads.model(random);
            if (job % 3 == 0) {
                model = model.attaching(
                        FreezingProfile.class,
                        Objects.requireNonNull(FreezableNetworks.find(job % 2 == 0 ? "bert" : "resnet18"))
                                .under(new FreezingTerms(0.03, 0.5, job % 4 == 0)));
            }
            double ideal = 1 / model.computeSeconds();
            String tenant = List.of("red", "blue", "green").get(random.nextInt(3));
            specs.add(new JobSpec(job, "job" + job, submit, demand(random), model, plan(seed, job), ideal)
                    .by(null, null, tenant)
                    .saying(terms(seed, job))
                    .attaching(JobUtility.class, job % 4 == 0 ? TRAINED : null));
            iterations[job] = ideal * (60 + random.nextDouble() * 20_000);
        }
        return new Workload(specs, iterations);
    }

    /** A third of the jobs has a time limit, and a third may not start at once. */
    private static SubmissionTerms terms(long seed, int job) {
        RandomGenerator random = RandomStreams.stream(seed, "test/mixed terms of " + job);
        SubmissionTerms.Builder terms = SubmissionTerms.NONE.but();
        if (random.nextInt(3) == 0) {
            terms.limitNanos(1_000_000_000L * (1 + random.nextInt(15_000)));
        }
        int other = job == 0 ? 0 : random.nextInt(job);
        return switch (random.nextInt(12)) {
            case 0 -> terms.delayNanos(1_000_000_000L * random.nextInt(9_000)).build();
            case 1 -> terms.dependency("afterok:job" + other).build();
            case 2 ->
                terms.dependency("after:job" + other + "+10?afternotok:job" + other)
                        .build();
            case 3 -> terms.array(new SubmissionTerms.ArrayTask("a", job, 1)).build();
            default -> terms.build();
        };
    }

    /** One of three jobs has one of the models of synchronisation, one of six trains on a graph. */
    private static TrainingPlan plan(long seed, int job) {
        RandomGenerator random = RandomStreams.stream(seed, "test/mixed plan of " + job);
        List<String> models = SynchronisationModel.labels();
        SynchronisationModel model =
                Objects.requireNonNull(SynchronisationModel.parse(models.get(random.nextInt(models.size()))));
        return switch (random.nextInt(6)) {
            case 0, 1 -> new Synchronised(model);
            case 2 -> new GraphTraining(GraphDataset.PAPERS100M, HitRatio.DEGREE);
            default -> TrainingPlan.RingAllReduce.INSTANCE;
        };
    }

    private static Demand demand(RandomGenerator random) {
        int gpus = 1 + random.nextInt(4);
        return switch (random.nextInt(6)) {
            case 0 -> Demand.ofGpus(1).withGpuMilli(50 + random.nextInt(900)).withHost(500, 2_000);
            case 1 -> new Demand(0, 0, 0, Demand.WHOLE, 3_000, 1_000, true, List.of());
            case 2 -> Demand.ofGpus(gpus).elastic(1, gpus + 3).withHost(1_000L * gpus, 0);
            case 3 -> Demand.ofGpus(gpus).onTypes(List.of("A100"));
            case 4 -> Demand.ofGpus(2).onOneServer().withGpuMilli(500);
            default -> Demand.ofGpus(gpus);
        };
    }

    Simulator.Options options() {
        return new Simulator.Options(RestartCost.BySize.MEASURED, true, null)
                .with(QUOTAS)
                .with(new Outages.Exponential(30, 200, 2, seed), 600_000_000_000L);
    }

    Simulator simulator() {
        return simulator(options());
    }

    Simulator simulator(Simulator.Options options) {
        return new World(topology, truth.copy(), options)
                .telling(told -> predictor())
                .simulator(workload);
    }

    RuntimePredictor predictor() {
        return RuntimePredictor.oracle(workload);
    }

    /** Anything legal. */
    Scheduler chaos() {
        return view -> {
            RandomGenerator random =
                    RandomStreams.stream(seed, "chaos %d at %d".formatted(view.journalSize(), view.nowNanos()));
            if (view.runningCount() > 1 && random.nextInt(8) == 0 && view.mayPreempt(view.firstRunning())) {
                return new Decision.Preempt(view.firstRunning());
            }
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                if (view.job(job).demand().isElastic() && random.nextInt(6) == 0) {
                    Placement other = place(view, job, random);
                    if (other != null) {
                        return new Decision.Resize(job, other);
                    }
                }
            }
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                FreezingProfile freezing = view.job(job).model().of(FreezingProfile.class);
                if (freezing != null && random.nextInt(8) == 0) {
                    int layers =
                            view.frozenLayers(job) + freezing.network().shares().blockLayers();
                    if (freezing.allows(layers)) {
                        return new Decision.Freeze(job, layers);
                    }
                }
            }
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                if (view.job(job).plan() instanceof GraphTraining && random.nextInt(4) == 0) {
                    Decision.Provision provision =
                            new Decision.Provision(job, random.nextLong(12_000), random.nextLong(20_000));
                    if (fits(view, provision)) {
                        return provision;
                    }
                }
            }
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                Placement where = random.nextInt(5) == 0 ? null : place(view, job, random);
                if (where != null) {
                    return new Decision.Start(job, where);
                }
            }
            return Decision.waitUntil(view.nowNanos() + 300_000_000_000L);
        };
    }

    private static boolean fits(SimView view, Decision.Provision provision) {
        Demand before = view.job(provision.job()).demand();
        Demand after = before.withHost(provision.cpuMilli(), provision.memoryMib());
        Placement placement = view.placement(provision.job());
        boolean fits = true;
        for (int i = 0; i < placement.serverCount(); i++) {
            int server = placement.server(i);
            int workers = placement.gpusOn(i);
            long cpu = after.cpuMilliOf(workers) - before.cpuMilliOf(workers);
            long memory = after.memoryMibOf(workers) - before.memoryMibOf(workers);
            fits &= cpu <= view.cluster().freeCpuMilli(server)
                    && memory <= view.cluster().freeMemoryMib(server);
        }
        return fits;
    }

    private @Nullable Placement place(SimView view, int job, RandomGenerator random) {
        Demand demand = view.job(job).demand();
        int wanted = demand.minGpus() + random.nextInt(demand.maxGpus() - demand.minGpus() + 1);
        if (!view.isWithinQuota(job, wanted)) {
            return null;
        }
        PlacementBuilder builder = new PlacementBuilder(topology, view.cluster());
        builder.begin(demand);
        int left = Math.max(1, wanted);
        int first = random.nextInt(topology.servers());
        for (int i = 0; i < topology.servers() && left > 0; i++) {
            int server = (first + i) % topology.servers();
            int taken = Math.min(builder.available(server), 1 + random.nextInt(left));
            taken = demand.oneServer() ? (builder.available(server) >= left ? left : 0) : taken;
            if (taken > 0) {
                builder.take(server, taken);
                left -= taken;
            }
        }
        return left > 0 ? null : builder.build();
    }
}
