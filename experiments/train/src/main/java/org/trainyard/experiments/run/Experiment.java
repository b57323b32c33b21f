package org.trainyard.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.Auctioneer;
import org.trainyard.env.gym.decentralised.DecentralisedAgents;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.decentralised.Silence;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.reward.DelayReward;
import org.trainyard.env.gym.reward.JctReward;
import org.trainyard.env.gym.reward.JobSpeeds;
import org.trainyard.env.gym.reward.NormalisedProgressReward;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.gym.reward.SlowdownReward;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.scheduling.pairs.MeanOfPairs;
import org.trainyard.env.scheduling.pairs.ObservedPairs;
import org.trainyard.env.scheduling.pairs.PairKnowledge;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.config.BeliefConfig;
import org.trainyard.experiments.config.ExperimentConfig;
import org.trainyard.experiments.config.PluggedRewards;
import org.trainyard.experiments.config.RewardConfig;
import org.trainyard.experiments.config.SpeedTable;
import org.trainyard.experiments.config.topology.Clusters;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.ThreadWorkerPool;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.model.InterferenceFiles;

/** The cluster, physics, episodes and environments that a config describes, and the worker threads for them. */
public final class Experiment implements AutoCloseable {

    private final ExperimentConfig config;
    private final Topology topology;
    /** The topology as schedulers and agents believe it to be. */
    private final Topology seen;

    private final Domains domains;
    private final RingPerformance truth;
    private final World world;
    private final Episodes episodes;
    private final ConfiguredJobs jobs;

    private final ModelCatalog catalog;
    private final WorkloadBuilder builder;
    /** Null where every job holds its GPUs alone. */
    private final @Nullable GpuSharers sharing;

    private final List<String> remarks = new ArrayList<>();
    private final ThreadWorkerPool workers = new ThreadWorkerPool();
    private final @Nullable Fleet fleet;

    public Experiment(ExperimentConfig config) {
        this(config, null);
    }

    /** @param fleet machines for its runs, which stay the caller's to close; null for threads */
    public Experiment(ExperimentConfig config, @Nullable Fleet fleet) {
        this.config = config;
        this.fleet = fleet;
        topology = Clusters.resolve(config.cluster());
        seen = config.environment().seen(topology);
        domains = domains(config, topology);
        catalog = catalog(config.workload().speeds());
        sharing = Boolean.TRUE.equals(config.workload().shareGpus()) ? GpuSharers.on(topology) : null;
        jobs = new ConfiguredJobs(config, topology, catalog);
        episodes = jobs.episodes();
        remarks.addAll(jobs.remarks());
        InterferenceFiles.Law read = config.physics().interference().read();
        remarks.addAll(read.remarks());
        InterferenceModel law = read.model();
        Set<Scope> shared = TruthMismatch.shared(
                topology, parts(jobs.all()), config.physics().isContended());
        List<ModelProfile> models = models();
        InterferenceModel belief = Beliefs.of(config, law, models, shared, topology.widestServer());
        truth = config.physics().truth(topology, config.seed());
        world = new World(
                seen,
                config.workload().runsAsLogged() ? new RatedPerformance() : truth,
                belief,
                RuntimePredictors.of(config.runtime(), config.seed()),
                config.physics().options(topology, config.seed()),
                config.seed());
        builder = new WorkloadBuilder(
                topology,
                catalog,
                new WorkloadBuilder.Options(
                        config.workload().drawsModels() ? WorkloadBuilder.Models.MIX : WorkloadBuilder.Models.NEUTRAL,
                        RandomStreams.derive(config.seed(), "models"),
                        config.workload().strict(),
                        false));
        if (!config.workload().runsAsLogged()) {
            checkBelief(TruthMismatch.between(belief, law, shared, models));
        } else if (!(config.belief() instanceof BeliefConfig.Named named && named.isShipped())) {
            remarks.add("belief: %s is not used: jobs run as long as logged, whoever runs beside them"
                    .formatted(config.belief()));
        }
    }

    /** Refuses a belief that is the truth, and says how far it is from it. */
    private void checkBelief(TruthMismatch mismatch) {
        // A belief from measurements of a cluster may come close to the truth.
        if (!(config.belief() instanceof BeliefConfig.Samples)) {
            Beliefs.requireNotTruth("belief", config.belief().toString(), mismatch);
        }
        remarks.add("what agents predict of neighbours (belief: %s) is not what the simulator does: %s"
                .formatted(config.belief(), mismatch));
    }

    /** The models of the mix, or without one of the whole catalogue. */
    private List<ModelProfile> models() {
        List<String> mix = config.workload().modelMix();
        return mix == null
                ? catalog.profiles()
                : mix.stream()
                        .map(catalog::find)
                        .filter(Objects::nonNull)
                        .distinct()
                        .toList();
    }

    /**
     * Refuses jobs that learning agents cannot place; to be called before they are trained or evaluated.
     *
     * @throws InputException when there is such a job
     */
    public void requirePlaceableJobs() {
        boolean mayBePart = IntStream.range(0, topology.servers())
                .anyMatch(server -> topology.server(server).sharing() != GpuSharing.WHOLE);
        for (TraceJob job : jobs.all()) {
            Auctioneer.requirePlaceable(jobs.place(job), job.demand(), mayBePart);
        }
    }

    /**
     * Refuses jobs that a scheduler of the registry cannot place; to be called before it runs.
     *
     * @throws InputException when there is such a job
     */
    public void requireServed(String scheduler) {
        SchedulerRegistry.Entry entry = SchedulerRegistry.named(scheduler);
        for (TraceJob job : jobs.all()) {
            entry.requireServes(jobs.place(job), job.demand());
        }
    }

    /** Whether a scheduler of the registry can place all jobs. */
    public boolean serves(String scheduler) {
        SchedulerRegistry.Entry entry = SchedulerRegistry.named(scheduler);
        return jobs.all().stream().allMatch(job -> entry.serves(job.demand()));
    }

    /** The domains that a config asks for, on a topology. */
    public static Domains domains(ExperimentConfig config, Topology topology) {
        Domains domains = config.environment().domains().equals("racks")
                ? Domains.racks(topology)
                : evenDomains(config, topology);
        DecentralisedSettings apart = config.environment().apart();
        for (Silence silence : apart == null ? List.<Silence>of() : apart.silent()) {
            if (silence.agent() >= domains.count()) {
                throw InputException.at(
                        "environment.silent.agent",
                        silence.agent(),
                        "one of the agents 0 to %d".formatted(domains.count() - 1));
            }
        }
        return domains;
    }

    private static Domains evenDomains(ExperimentConfig config, Topology topology) {
        int count = config.environment().domainCount(topology.racks());
        if (count > topology.servers()) {
            throw InputException.at(
                    "environment.domains",
                    count,
                    Counted.say("at most the %d servers of %s", topology.servers(), topology.name()));
        }
        return Domains.even(topology, count);
    }

    /** The catalogue, with the measured speeds that the config names. */
    private static ModelCatalog catalog(@Nullable String speeds) {
        return speeds == null
                ? ModelCatalog.standard()
                : ModelCatalog.standard().withSpeeds(SpeedTable.read(InputFiles.path(speeds)));
    }

    public ExperimentConfig config() {
        return config;
    }

    /** The one pool on which all parallel work of this experiment runs. */
    public ThreadWorkerPool workers() {
        return workers;
    }

    /** Machines for whole runs; null without. */
    public @Nullable Fleet fleet() {
        return fleet;
    }

    /** Ends the worker threads. */
    @Override
    public void close() {
        workers.close();
    }

    /** The interference model that agents believe. */
    public InterferenceModel belief() {
        return world.belief();
    }

    /**
     * Whether jobs of one GPU may share it: they ask for parts only so that they may, not because they need no more.
     */
    public boolean sharesGpus() {
        return sharing != null;
    }

    public Topology topology() {
        return topology;
    }

    /** Whether the servers have GPUs of more than one type. */
    public boolean hasSeveralGpuTypes() {
        return IntStream.range(0, topology.servers())
                        .filter(server -> topology.gpusOn(server) > 0)
                        .mapToObj(server -> topology.server(server).gpuType())
                        .distinct()
                        .count()
                > 1;
    }

    public Domains domains() {
        return domains;
    }

    /** Notes for the user, such as jobs left out of the trace; a sentence each. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** A new instance of the agents' reward, for one thread. */
    public Reward reward() {
        return reward(config.environment().reward(), false);
    }

    /** A new instance of the agents' reward whose predicted delays count the times of restarts and of lost work. */
    public Reward rewardWithRestarts() {
        return reward(config.environment().reward(), true);
    }

    private Reward reward(RewardConfig reward, boolean chargesRestarts) {
        if (reward instanceof RewardConfig.PredictedDelay delay) {
            return new DelayReward(speeds(delay.knows()), chargesRestarts);
        } else if (reward instanceof RewardConfig.NormalisedProgress progress) {
            return new NormalisedProgressReward(speeds(progress.knows()));
        } else if (reward instanceof RewardConfig.Slowdown slowdown) {
            return new SlowdownReward(speeds(slowdown.knows()));
        } else if (reward instanceof RewardConfig.Plugin plugin) {
            return PluggedRewards.named(plugin.name()).create(seen, world.belief());
        }
        return new JctReward();
    }

    private JobSpeeds speeds(String knows) {
        return knows.equals(RewardConfig.TRUTH)
                ? JobSpeeds.real()
                : JobSpeeds.believed(seen, world.belief(), truth.contention());
    }

    /** The jobs as schedulers that share GPUs see them. */
    private List<TraceJob> parts(List<TraceJob> whole) {
        return sharing == null ? whole : sharing.parts(whole);
    }

    private Workload workload(Episodes.Jobs episode) {
        List<TraceJob> seenJobs = parts(episode.jobs());
        WorkloadBuilder.Built built = world.isRated()
                ? builder.rated(seenJobs, episode.warm())
                : builder.build(seenJobs, episode.warm(), world.truth());
        return built.workload();
    }

    /** Whether the jobs are those of a log and may be killed at their time limits. */
    public boolean mayKillLogged() {
        return jobs.mayKillLogged();
    }

    /**
     * Refuses the figures of a scheduler on a log under which more jobs were killed at their time limits than in the
     * log: a killed job has a short JCT.
     *
     * @throws InputException when it is so
     */
    public void requireNoMoreKilled(String scheduler, int killed, List<Workload> episodes) {
        jobs.requireNoMoreKilled(scheduler, killed, episodes);
    }

    /** The workload of a training episode. */
    public Workload train(long number) {
        return workload(episodes.train(number));
    }

    /** A training episode whose jobs arrive so many times as fast. */
    public Workload train(long number, double arrivalSpeed) {
        return workload(atSpeed(episodes.train(number), arrivalSpeed));
    }

    private static Episodes.Jobs atSpeed(Episodes.Jobs episode, double arrivalSpeed) {
        return new Episodes.Jobs(
                episode.jobs().stream()
                        .map(job -> job.submittedAt(Math.round(job.submitNanos() / arrivalSpeed)))
                        .toList(),
                episode.warm());
    }

    /**
     * The validation episodes.
     *
     * @throws InputException when no share of the trace is for validation
     */
    public List<Workload> validation() {
        return validation(List.of(1.0));
    }

    /** The validation episodes with arrival-rate multipliers, cycled over the episodes. */
    public List<Workload> validation(List<Double> arrivalSpeeds) {
        return IntStream.range(0, validationCount())
                .mapToObj(i -> validation(i, arrivalSpeeds.get(i % arrivalSpeeds.size())))
                .toList();
    }

    /**
     * How many validation episodes there are.
     *
     * @throws InputException when no share of the trace is for validation
     */
    public int validationCount() {
        if (episodes.validationCount() == 0) {
            throw InputException.at(
                    "episodes.validation_share",
                    0,
                    "a share above 0, for a policy or a scheduler is chosen on validation");
        }
        return episodes.validationCount();
    }

    public int testCount() {
        return episodes.testCount();
    }

    /** A validation episode whose jobs arrive so many times as fast. */
    public Workload validation(int number, double arrivalSpeed) {
        return workload(atSpeed(episodes.validation(number), arrivalSpeed));
    }

    public List<Workload> test() {
        return IntStream.range(0, testCount()).mapToObj(this::test).toList();
    }

    /** A test episode. */
    public Workload test(int number) {
        return workload(episodes.test(number));
    }

    /** Whether test episodes share jobs. */
    public boolean testsOverlap() {
        return episodes.testsOverlap();
    }

    /** The cluster as schedulers see it, its physics, and the agents' belief. */
    public World world() {
        return world;
    }

    /** A trained policy as a scheduler for one run. */
    public Scheduler scheduler(BidPolicy policy) {
        return policy.scheduler(deployment());
    }

    /** A trained policy as a scheduler for one run that reports its choices to the listener, if there is one. */
    public Scheduler scheduler(BidPolicy policy, @Nullable ChoiceListener choices) {
        return choices == null ? scheduler(policy) : policy.scheduler(deployment(), choices);
    }

    /** The setting in which learning agents act. */
    public Deployment deployment() {
        return deployment(config, seen, domains, schedulersBelief(), config.pairs() == PairKnowledge.OBSERVED);
    }

    /** The setting in which agents of a config act on another cluster than its own. */
    public static Deployment deployment(ExperimentConfig config, Topology topology, InterferenceModel belief) {
        return deployment(config, config.environment().seen(topology), domains(config, topology), belief, false);
    }

    private static Deployment deployment(
            ExperimentConfig config, Topology seen, Domains domains, InterferenceModel belief, boolean observesPairs) {
        return new Deployment(seen, domains, config.environment().preemption(), belief, observesPairs)
                .apart(config.environment().apart(), DecentralisedAgents.Workers.SEQUENTIAL);
    }

    /** The schedulers' belief on interference at the start of a run. */
    private InterferenceModel schedulersBelief() {
        if (config.pairs() != PairKnowledge.MEAN) {
            return world.belief();
        }
        List<String> mix = config.workload().modelMix();
        return new MeanOfPairs(world.belief(), (mix == null ? catalog : catalog.withMix(mix)).profiles());
    }

    /**
     * A scheduler of the registry for one run of the episode of this number: where agents have views of their own, the
     * rules that bid decide apart, too.
     */
    public Scheduler scheduler(String name, int episode) {
        long seed = RandomStreams.derive(config.seed(), "scheduler/" + name + "/" + episode);
        SchedulerRegistry.Entry entry = SchedulerRegistry.named(name);
        DecentralisedSettings apart = config.environment().apart();
        SchedulerRegistry.Apart ofDomains = entry.apart();
        if (apart != null && ofDomains != null) {
            return ofDomains.create(seen, schedulersBelief(), domains, apart);
        }
        if (config.pairs() != PairKnowledge.OBSERVED || !entry.has(SchedulerRegistry.Flag.SHARES_GPUS)) {
            return entry.create(seen, schedulersBelief(), seed);
        }
        ObservedPairs pairs = new ObservedPairs(world.belief());
        Scheduler scheduler = entry.create(seen, pairs, seed);
        return view -> {
            pairs.update(view);
            return scheduler.decide(view);
        };
    }
}
