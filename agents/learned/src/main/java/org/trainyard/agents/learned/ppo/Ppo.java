package org.trainyard.agents.learned.ppo;

import ai.djl.Device;
import ai.djl.engine.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.OptimiserSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.ScheduleSettings;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateMetric;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.InputException;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;

/**
 * Learns to bid by proximal policy optimisation on whole episodes (J. Schulman et al.: Proximal policy optimization
 * algorithms, 2017), one network for all agents and kinds of bids.
 *
 * <p>Deviations: 1. episodes are played to their end, several times each, and {@link Advantages} compares the plays:
 * there is no critic and no generalised advantage estimation; 2. advantages are scaled per group and cut off; 3. the
 * learning rate falls linearly; 4. the policy that is validated and kept is the running mean of the weights over
 * updates (B. Polyak, A. Juditsky: Acceleration of stochastic approximation by averaging, 1992), here with geometric
 * weights; 5. scores decay from update to update, less and less: a bid that is hardly ever drawn has next to no
 * gradient, so one that seemed bad while the others were played badly would stay out for good.
 */
public final class Ppo implements PolicyTrainer {
    private static final String KIND = "TYAUCPPO";
    private static final int VERSION = 4;

    /** Parts of a minibatch whose gradients are summed in this order, whatever the number of threads. */
    private static final int PARTS = 2;

    /**
     * The learning rate of the level inside servers, which knows something before it begins, as a part of the others'.
     */
    private static final double INSIDE_PACE = 0.1;

    private final BidPolicy policy;
    private final BidPolicy averaged;
    private final OptimiserSettings settings;
    private final ScheduleSettings schedule;
    private final WorkerPool pool;
    private final long seed;
    private final Rollouts rollouts;
    private final StateValue value = CostToGo.stateValue();
    private final List<PolicyGradient> parts;
    /** By group of weights. */
    private final List<Adam> optimisers;

    private int updates;

    /** Owns the policy from now on. */
    public Ppo(
            BidPolicy policy,
            OptimiserSettings settings,
            ScheduleSettings schedule,
            Rollouts.Episodes episodes,
            WorkerPool pool,
            long seed) {
        this.policy = policy;
        this.settings = settings;
        this.schedule = schedule;
        this.pool = pool;
        this.seed = seed;
        averaged = policy.copy();
        rollouts = new Rollouts(episodes, schedule, pool, seed);
        PpoLoss loss = new PpoLoss(settings.clip(), settings.entropy());
        Device device = device(settings);
        parts = Stream.generate(() -> new PolicyGradient(policy, loss, device))
                .limit(PARTS)
                .toList();
        optimisers = weights().stream().map(group -> new Adam(group.length)).toList();
    }

    private static Device device(OptimiserSettings settings) {
        if (!OptimiserSettings.GPU.equals(settings.device())) {
            return Device.cpu();
        }
        if (Engine.getInstance().getGpuCount() == 0) {
            throw InputException.at(
                    "learner.device",
                    OptimiserSettings.GPU,
                    "cpu, for PyTorch finds no GPU; PYTORCH_LIBRARY_PATH names a libtorch with CUDA");
        }
        return Device.gpu();
    }

    private List<float[]> weights() {
        return PolicyGradient.weights(policy);
    }

    /** Plays the episodes of all groups, estimates advantages and makes epochs of minibatch gradient steps. */
    @Override
    public UpdateStatistics update() {
        FiniteCheck check = new FiniteCheck(updates + 1);
        double progress = (double) updates / schedule.updates();
        policy.network().scaleScores(1 - (1 - progress) * settings.logitDecay());
        List<EpisodeRecord> records = rollouts.play(policy, updates);
        Advantages advantages = new Advantages(records, schedule, value);
        check.loss("spread of the advantages", advantages.leftSpread());
        Figures figures = learn(new Auctions(records, advantages::of), settings.learningRate(progress), check);
        weights().forEach(group -> check.weights("the policy", group));
        averaged.average(updates == 0 ? 0 : settings.ema(), policy);
        updates++;
        return statistics(records, advantages, figures);
    }

    /** Metrics of an update, means over its minibatches; the divergence is that of the last epoch. */
    private record Figures(
            double surrogate, double kl, double entropy, double clipped, double gradientNorm, int minibatches) {}

    /**
     * Makes epochs of gradient steps; an update of fewer auctions than a minibatch has one minibatch of all of them.
     */
    private Figures learn(Auctions auctions, double learningRate, FiniteCheck check) {
        RandomGenerator random = RandomStreams.stream(seed, "shuffle/" + updates);
        int size = Math.min(settings.minibatch(), auctions.size());
        double[] sums = new double[4];
        double norm = 0;
        double kl = 0;
        int made = 0;
        for (int epoch = 0; epoch < settings.epochs() && size > 0; epoch++) {
            auctions.shuffle(random);
            double before = sums[1];
            int first = made;
            for (int from = 0; from + size <= auctions.size(); from += size) {
                norm += step(auctions, from, size, learningRate, sums, check);
                made++;
            }
            kl = (sums[1] - before) / (made - first);
            if (settings.targetKl() > 0 && kl > settings.targetKl()) {
                break;
            }
        }
        double count = Math.max(1, made);
        return new Figures(sums[0] / count, kl, sums[2] / count, sums[3] / count, norm / count, made);
    }

    /** Moves the weights by the gradient of a minibatch; returns the norm of that by the bids' weights. */
    private double step(Auctions auctions, int from, int size, double learningRate, double[] sums, FiniteCheck check) {
        pool.each(
                PARTS,
                part -> parts.get(part)
                        .compute(auctions, from + part * size / PARTS, from + (part + 1) * size / PARTS));
        for (PolicyGradient part : parts) {
            for (int f = 0; f < sums.length; f++) {
                sums[f] += part.figures()[f] / size;
            }
        }
        List<float[]> weights = weights();
        double norm = 0;
        for (int group = 0; group < weights.size(); group++) {
            float[] gradient = new float[weights.get(group).length];
            for (PolicyGradient part : parts) {
                part.takeGradient(group, gradient);
            }
            double pace = group == PolicyGradient.INSIDE ? INSIDE_PACE : 1;
            double its = optimisers.get(group).step(weights.get(group), gradient, 1f / size, pace * learningRate);
            check.loss("norm of the gradient", its);
            norm = group == 0 ? its : norm;
        }
        policy.changed();
        return norm;
    }

    private UpdateStatistics statistics(List<EpisodeRecord> records, Advantages advantages, Figures figures) {
        int decisions = records.stream().mapToInt(record -> record.auctions).sum();
        int waits = records.stream().mapToInt(EpisodeRecord::waits).sum();
        return new UpdateStatistics()
                .with(UpdateMetric.UPDATE, updates)
                .with(UpdateMetric.DECISIONS, decisions)
                .with(
                        UpdateMetric.STEPS,
                        records.stream().mapToInt(record -> record.segments - 1).sum())
                .with(
                        UpdateMetric.SIMULATED_HOURS,
                        records.stream().mapToDouble(EpisodeRecord::lastHour).sum())
                .with(UpdateMetric.EPISODES, records.size())
                .with(
                        UpdateMetric.MEAN_JCT_SECONDS,
                        records.stream()
                                .mapToDouble(record -> record.meanJctSeconds)
                                .average()
                                .orElse(Double.NaN))
                .with(UpdateMetric.POLICY_LOSS, -figures.surrogate())
                .with(UpdateMetric.ENTROPY, figures.entropy())
                .with(UpdateMetric.KL, figures.kl())
                .with(UpdateMetric.CLIP_FRACTION, figures.clipped())
                .with(UpdateMetric.EXPLAINED_VARIANCE, advantages.explainedVariance())
                .with(UpdateMetric.GRADIENT_NORM, figures.gradientNorm())
                .with(UpdateMetric.MINIBATCHES, figures.minibatches())
                .with(UpdateMetric.RETURN_SPREAD, advantages.rawSpread())
                .with(UpdateMetric.BASELINE_SPREAD, advantages.groupSpread())
                .with(UpdateMetric.ADVANTAGE_SPREAD, advantages.leftSpread())
                .with(UpdateMetric.WAIT_SHARE, decisions == 0 ? Double.NaN : (double) waits / decisions);
    }

    /** The running mean of the weights: the policy that is validated and kept. */
    @Override
    public BidPolicy policy() {
        return averaged;
    }

    @Override
    public int updates() {
        return updates;
    }

    @Override
    public int plannedUpdates() {
        return schedule.updates();
    }

    private TrainerFile file() {
        return new TrainerFile(KIND, VERSION, BidColumn.schema(), seed);
    }

    @Override
    public void save(Path file) {
        file().write(file, out -> {
            out.writeInt(updates);
            for (BidPolicy each : List.of(policy, averaged)) {
                for (float[] group : PolicyGradient.weights(each)) {
                    for (float weight : group) {
                        out.writeFloat(weight);
                    }
                }
            }
            for (Adam optimiser : optimisers) {
                optimiser.write(out);
            }
            value.write(out);
        });
    }

    @Override
    public void load(Path file) {
        file().read(file, in -> {
            updates = in.readInt();
            for (BidPolicy each : List.of(policy, averaged)) {
                for (float[] group : PolicyGradient.weights(each)) {
                    for (int w = 0; w < group.length; w++) {
                        group[w] = in.readFloat();
                    }
                }
                each.changed();
            }
            for (Adam optimiser : optimisers) {
                optimiser.read(in);
            }
            value.read(in);
        });
    }

    @Override
    public void close() {
        parts.forEach(PolicyGradient::close);
    }
}
