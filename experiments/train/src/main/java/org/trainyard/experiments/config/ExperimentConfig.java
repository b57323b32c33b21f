package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.inside.LinkEstimates;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.env.FormerKey;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Nearest;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.gym.decentralised.Arrival;
import org.trainyard.env.gym.decentralised.DecentralisedSettings;
import org.trainyard.env.gym.decentralised.Silence;
import org.trainyard.env.scheduling.pairs.PairKnowledge;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.FreezingSettings;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.LimitSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.PlanMix;
import org.trainyard.env.workload.generator.PodDemand;
import org.trainyard.env.workload.generator.UtilitySettings;
import org.trainyard.experiments.io.InputFiles;

/**
 * The configuration of an experiment: the content of one YAML file in {@code experiments/configs}. No component has a
 * default; comments in the shipped files explain each component and its unit.
 *
 * @param name name of the run directory
 * @param seed root of every random stream
 * @param cluster a preset, a shorthand such as {@code 2x4x8}, a shipped cluster or a topology file
 * @param belief interference model used by observations and rewards
 * @param colocationKnowledge the schedulers' knowledge of two jobs on a GPU, the title of a {@link PairKnowledge}; null
 *     for the prediction of the belief
 * @param network null for a learner that continues a checkpoint, whose network it takes, or whose agents bid by columns
 *     alone
 * @param worlds further configs in whose worlds the policy is trained in turn; null for none
 * @param domainRandomisation restart costs and rules of preemption that training episodes draw; null for those of the
 *     worlds
 * @param validateEvery updates between two validations
 * @param checkpointEvery updates between two checkpoints
 * @param schedulers the schedulers to compare with
 */
public record ExperimentConfig(
        String name,
        long seed,
        String cluster,
        WorkloadConfig workload,
        Episodes episodes,
        PhysicsConfig physics,
        BeliefConfig belief,
        @FormerKey("sharers") @OptionalKey @Nullable String colocationKnowledge,
        RuntimeConfig runtime,
        Environment environment,
        @Nullable Network network,
        LearnerSettings learner,
        @OptionalKey @Nullable List<String> worlds,
        @FormerKey("draws") @OptionalKey @Nullable PreemptionDraws domainRandomisation,
        int validateEvery,
        int checkpointEvery,
        List<String> schedulers) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public ExperimentConfig {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidFieldException(
                    "name", name, "letters, digits, dots, dashes and underscores, because it names a directory");
        }
        notBlank("cluster", cluster);
        PairKnowledge.of(colocationKnowledge);
        atLeast(1, "validateEvery", validateEvery);
        atLeast(1, "checkpointEvery", checkpointEvery);
        schedulers = List.copyOf(schedulers);
        worlds = worlds == null ? null : List.copyOf(worlds);
        if (schedulers.stream().distinct().count() < schedulers.size()) {
            throw new InvalidFieldException("schedulers", schedulers, "each name once");
        }
        if (environment.apart() != null && !(learner instanceof LearnerSettings.Auction)) {
            throw new InvalidFieldException(
                    "learner.type", learner.getClass().getSimpleName(), "Auction for agents with views of their own");
        }
    }

    /** The belief of schedulers: none where jobs run as long as logged, whoever runs beside them. */
    public BeliefConfig expected() {
        return workload.runsAsLogged() ? BeliefConfig.NONE : belief;
    }

    /** The schedulers' knowledge of the interference between two jobs on a GPU. */
    public PairKnowledge pairs() {
        return PairKnowledge.of(colocationKnowledge);
    }

    private static void notBlank(String component, String text) {
        if (text.isBlank()) {
            throw new InvalidFieldException(component, text, "text that is not empty");
        }
    }

    /**
     * The split of the jobs into episodes.
     *
     * @param jobs jobs per episode
     * @param validation episodes that select the best policy
     * @param test episodes that are reported
     * @param testSeed root seed of generated test episodes, apart from that of everything else: policies of several
     *     seeds meet the same test episodes, and those that anything was chosen on are renewed by another seed; windows
     *     of a trace do not depend on it
     * @param trainShare share of a trace, from its start, for training; 0 where nothing is trained
     * @param validationShare share of the trace that follows, for validation; the rest is for testing; 0 where nothing
     *     is chosen
     * @param warmStart whether an episode of a trace begins with the jobs that ran and waited then; null and false:
     *     with an empty cluster
     */
    public record Episodes(
            int jobs,
            int validation,
            int test,
            long testSeed,
            double trainShare,
            double validationShare,
            @OptionalKey @Nullable Boolean warmStart) {
        public Episodes {
            atLeast(1, "jobs", jobs);
            atLeast(1, "validation", validation);
            atLeast(1, "test", test);
            within(0, 1, "trainShare", trainShare);
            within(0, 1, "validationShare", validationShare);
            if (!(trainShare + validationShare < 1)) {
                throw new InvalidFieldException(
                        "validationShare",
                        validationShare,
                        "less than 1 - train_share, because the rest is for testing");
            }
        }
    }

    /**
     * The multi-agent environment: domains and rewards.
     *
     * @param domains {@code racks} for one agent per rack, or the number of agents
     * @param preemption whether agents may preempt running jobs
     * @param bandwidths source of the intra-server bandwidths given to schedulers, by name of {@link LinkEstimates};
     *     null for the truth
     * @param view of an agent; null for the whole cluster
     * @param jobs {@value #SHARED}, the default: all agents bid for all jobs; {@value #HOME}: a job belongs to the
     *     agent that received it
     * @param arrival which agent receives a job, the title of an {@link Arrival}; null for the first of them
     * @param maxForwards how often a job may be forwarded; null for {@value DecentralisedSettings#MOST_HOPS}
     * @param silent periods in which decentralised agents do not answer; null for none
     */
    public record Environment(
            String domains,
            boolean preemption,
            RewardConfig reward,
            @OptionalKey @Nullable String bandwidths,
            @OptionalKey @Nullable View view,
            @OptionalKey @Nullable String jobs,
            @OptionalKey @Nullable String arrival,
            @FormerKey("hops") @OptionalKey @Nullable Integer maxForwards,
            @OptionalKey @Nullable List<Silence> silent) {
        public static final String SHARED = "Shared";
        public static final String HOME = "Home";
        private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,5}");

        public Environment {
            if (!domains.equals("racks") && !COUNT.matcher(domains).matches()) {
                throw new InvalidFieldException("domains", domains, "racks, or the number of domains");
            }
            if (bandwidths != null) {
                LinkEstimates estimates = LinkEstimates.installed();
                if (estimates == null) {
                    throw new InvalidFieldException(
                            "bandwidths", bandwidths, "null, for agents/heuristics is not here");
                }
                if (!estimates.names().contains(bandwidths)) {
                    throw new InvalidFieldException(
                            "bandwidths", bandwidths, Nearest.oneOf(bandwidths, estimates.names()));
                }
            }
            if (jobs != null && !List.of(SHARED, HOME).contains(jobs)) {
                throw new InvalidFieldException("jobs", jobs, "%s or %s".formatted(SHARED, HOME));
            }
            if (HOME.equals(jobs) && (view == null || view.isWhole())) {
                throw new InvalidFieldException(
                        "jobs", HOME, "%s where agents see the whole cluster (view)".formatted(SHARED));
            }
            arrivalOf(arrival);
            atLeast(0, "maxForwards", forwardsOf(maxForwards));
            within(0, DecentralisedSettings.MOST_HOPS, "maxForwards", forwardsOf(maxForwards));
            if (silent != null && (view == null || view.isWhole())) {
                throw new InvalidFieldException("silent", silent, "null where agents see the whole cluster (view)");
            }
        }

        private static Arrival arrivalOf(@Nullable String name) {
            return name == null ? Arrival.HASH : Arrival.of(name);
        }

        private static int forwardsOf(@Nullable Integer most) {
            return most == null ? DecentralisedSettings.MOST_HOPS : most;
        }

        /** A topology as schedulers believe it to be. */
        public Topology seen(Topology topology) {
            return bandwidths == null
                    ? topology
                    : Objects.requireNonNull(LinkEstimates.installed())
                            .seen("environment.bandwidths", bandwidths, topology);
        }

        /** Views and job ownership of decentralised agents; null for agents that see the whole cluster. */
        public @Nullable DecentralisedSettings apart() {
            boolean isHome = HOME.equals(jobs);
            return view == null || view.isWhole()
                    ? null
                    : new DecentralisedSettings(
                            view.stalenessMinutes(),
                            isHome,
                            arrivalOf(arrival),
                            isHome ? forwardsOf(maxForwards) : 0,
                            silent == null ? List.of() : silent);
        }

        /** The number of domains on a topology with this number of racks. */
        public int domainCount(int racks) {
            return domains.equals("racks") ? racks : Integer.parseInt(domains);
        }
    }

    /**
     * An agent's view of the cluster, whole or partial.
     *
     * @param own {@value #SERVERS}: of its own domain, all servers and jobs
     * @param others of other domains: {@value #SERVERS}, the same, or {@value #SUMMARY}, a row of counts
     * @param stalenessMinutes age of the view of other domains, simulated minutes; 0 for servers
     */
    public record View(
            String own,
            String others,
            @FormerKey("minutes_old") double stalenessMinutes) {
        public static final String SERVERS = "servers";
        public static final String SUMMARY = "summary";

        public View {
            if (!own.equals(SERVERS)) {
                throw new InvalidFieldException("own", own, SERVERS);
            }
            if (!List.of(SERVERS, SUMMARY).contains(others)) {
                throw new InvalidFieldException("others", others, "%s or %s".formatted(SERVERS, SUMMARY));
            }
            within(0, 100_000, "stalenessMinutes", stalenessMinutes);
            if (others.equals(SERVERS) && stalenessMinutes > 0) {
                throw new InvalidFieldException(
                        "stalenessMinutes", stalenessMinutes, "0 for agents that see all servers");
            }
        }

        /** Whether agents see the whole cluster. */
        boolean isWhole() {
            return others.equals(SERVERS);
        }
    }

    /**
     * The policy network; of agents that bid, the encoder of the whole data centre.
     *
     * @param encoder {@value #HIERARCHICAL}, or {@value #FLAT} for one without message passing
     * @param hidden width of the hidden layers
     * @param rounds of message passing; unused by the flat encoder
     * @param columns of bids beside the embeddings: {@value #ENGINEERED}, the default, for all of them; {@value #RAW}
     *     drops the hand-crafted features
     * @param inside the level below, which encodes sets of GPUs from the links inside servers; null for none
     */
    public record Network(
            String encoder,
            int hidden,
            int rounds,
            @OptionalKey @Nullable String columns,
            @OptionalKey @Nullable Inside inside) {
        public static final String HIERARCHICAL = "Hierarchical";
        public static final String FLAT = "Flat";
        public static final String ENGINEERED = "Engineered";
        public static final String RAW = "Raw";

        public Network {
            if (!List.of(HIERARCHICAL, FLAT).contains(encoder)) {
                throw new InvalidFieldException("encoder", encoder, "%s or %s".formatted(HIERARCHICAL, FLAT));
            }
            if (columns != null && !List.of(ENGINEERED, RAW).contains(columns)) {
                throw new InvalidFieldException("columns", columns, "%s or %s".formatted(ENGINEERED, RAW));
            }
            atLeast(1, "hidden", hidden);
            atLeast(0, "rounds", rounds);
        }
    }

    /**
     * The level inside servers.
     *
     * @param from its weights: {@value #SHIPPED}, or a file of {@code trainyard fit interiors}
     * @param learn whether they change with the policy
     */
    public record Inside(String from, boolean learn) {
        public static final String SHIPPED = "Shipped";
    }

    /**
     * The source of jobs: a trace or a generator.
     *
     * @param trace a trace file, or null for generated jobs
     * @param adversary a trace that a search for hard workloads wrote, or a folder of such traces: each is a whole
     *     episode; null for none
     * @param format name of the trace format, or null to detect it
     * @param virtualCluster virtual cluster (tenant) whose jobs are kept, or null for all
     * @param strict whether an invalid line in the trace is an error
     * @param asLogged whether every job of the trace runs as long as it did and ends at no time limit, because logged
     *     durations already contain slowdowns; null is no
     * @param models of jobs that name no known model: {@code neutral} for one mean model, which is the default, or
     *     {@code mix} for models drawn from the catalogue
     * @param modelMix names of the catalogue that generated jobs train, each as often; null for the mix of the
     *     catalogue
     * @param speeds a file of {@link SpeedTable} with the speeds of models on GPU types; null for those of the
     *     catalogue
     * @param shareGpus whether jobs that ask for one GPU may share it, on a cluster that allows parts: each then asks
     *     for the part that the memory of its model takes, and for more than a third, so that two share at most; null
     *     is no
     * @param pods resources that generated jobs request beside whole GPUs: GPU shares, host CPU and memory; null is
     *     none
     * @param pipelines share of all jobs, 0..1, taken from those of two or more GPUs, that are pipelines or have mixed
     *     parallelism; null is 0
     * @param plans models of synchronisation and graph training that shares of the jobs have; null is none
     * @param utilities how generated jobs get utilities; null for none
     * @param freezing which jobs allow frozen layers, and on which terms; null for those of the trace alone
     * @param limits time limits and accounts of jobs that have none; null for those of the trace alone
     * @param pollux whether the jobs are those of Pollux' evaluation, which adapt their batch, in place of those of the
     *     generator; null is no
     * @param generator distributions of generated jobs, used without a trace
     */
    public record WorkloadConfig(
            @Nullable String trace,
            @OptionalKey @Nullable String adversary,
            @Nullable String format,
            @Nullable String virtualCluster,
            boolean strict,
            @OptionalKey @Nullable Boolean asLogged,
            @OptionalKey @Nullable String models,
            @OptionalKey @Nullable List<String> modelMix,
            @OptionalKey @Nullable String speeds,
            @OptionalKey @Nullable Boolean shareGpus,
            @OptionalKey @Nullable List<PodDemand> pods,
            @OptionalKey @Nullable Double pipelines,
            @OptionalKey @Nullable List<PlanMix> plans,
            @OptionalKey @Nullable UtilitySettings utilities,
            @OptionalKey @Nullable FreezingSettings freezing,
            @OptionalKey @Nullable LimitSettings limits,
            @OptionalKey @Nullable Boolean pollux,
            GeneratorSettings generator) {
        public static final List<String> MODELS = List.of("neutral", "mix");

        public WorkloadConfig {
            modelMix = modelMix == null ? null : List.copyOf(modelMix);
            pods = pods == null ? null : List.copyOf(pods);
            plans = plans == null ? null : List.copyOf(plans);
            if (plans != null && plans.stream().mapToDouble(PlanMix::share).sum() > 1 + 1e-9) {
                throw new InvalidFieldException("plans", plans, "shares that add up to 1 at most");
            }
            for (String model : modelMix == null ? List.<String>of() : modelMix) {
                if (ModelCatalog.standard().find(model) == null) {
                    List<String> known = ModelCatalog.standard().profiles().stream()
                            .map(ModelProfile::name)
                            .toList();
                    throw new InvalidFieldException("modelMix", model, Nearest.oneOf(model, known));
                }
            }
            if (pipelines != null) {
                within(0, 1, "pipelines", pipelines);
            }
            if (Boolean.TRUE.equals(asLogged) && (trace == null || Boolean.TRUE.equals(shareGpus))) {
                throw new InvalidFieldException(
                        "asLogged",
                        true,
                        "null without a trace and with share_gpus, for no log says how long those run");
            }
            if (adversary != null && trace != null) {
                throw new InvalidFieldException("adversary", adversary, "null with a trace, for either has the jobs");
            }
            if (utilities != null && adversary != null) {
                throw new InvalidFieldException(
                        "utilities", utilities, "null with an adversary, whose traces have the jobs");
            }
            if (utilities != null && trace != null) {
                throw new InvalidFieldException(
                        "utilities", utilities, "null with a trace, whose column utility has those of its jobs");
            }
            if (Boolean.TRUE.equals(pollux) && (trace != null || adversary != null)) {
                throw new InvalidFieldException(
                        "pollux", true, "null with a trace or an adversary, which have the jobs");
            }
            if (models != null && !MODELS.contains(models)) {
                throw new InvalidFieldException("models", models, Nearest.oneOf(models, MODELS));
            }
        }

        /** The traces of the {@link #adversary}; none without one. */
        public List<Path> adversaryTraces() {
            return adversary == null ? List.of() : InputFiles.ofFileOrFolder(InputFiles.path(adversary), ".csv");
        }

        /** Whether jobs run as long as their trace says. */
        public boolean runsAsLogged() {
            return Boolean.TRUE.equals(asLogged);
        }

        /** Whether models are drawn. */
        public boolean drawsModels() {
            return "mix".equals(models);
        }

        /** The share of jobs that are pipelines or have mixed parallelism, 0..1. */
        public double plannedShare() {
            return pipelines == null ? 0 : pipelines;
        }
    }
}
