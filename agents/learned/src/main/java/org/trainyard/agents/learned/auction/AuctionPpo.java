package org.trainyard.agents.learned.auction;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.ArrayAdam;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.LearnerSettings;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.StateValue;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/**
 * Learns to bid by proximal policy optimisation on whole episodes (J. Schulman et al.: Proximal policy optimization
 * algorithms, 2017), one network
 * for all agents and kinds of bids.
 *
 * <p>Deviations: 1. episodes are played to their end, several times each, and {@link GroupAdvantages} compares the
 * plays: there is no critic and no generalised advantage estimation; 2. advantages are scaled per group
 * and cut off; 3. the learning rate falls linearly; 4. the policy that is
 * validated and kept is the running mean of the weights over updates (B. Polyak, A. Juditsky: Acceleration of
 * stochastic approximation by
 * averaging, 1992), here with geometric weights; 5. scores decay from update to update, less and less: a bid that is
 * hardly ever drawn has next to no
 * gradient, so one that seemed bad while the others were played badly would stay out for good.
 */
public final class AuctionPpo implements PolicyTrainer {
    /** The training episodes. Must be safe for several threads. */
    public interface Episodes {
        /** The episode of this number. */
        Episode episode(long number);

        /** Episodes in one world. */
        static Episodes of(
                Deployment deployment, Supplier<Reward> rewards, LongFunction<Supplier<Simulator>> simulators) {
            return number -> new Episode(simulators.apply(number), deployment, rewards, 0);
        }
    }

    /**
     * An episode, to be played several times.
     *
     * @param simulators makes new simulators at its start
     * @param deployment the setting in which the agents act
     * @param rewards makes instances of the reward, each for one thread; its negative is the cost that is learned to be
     *     small
     * @param world number of the world, whose costs are compared with each other
     */
    public record Episode(Supplier<Simulator> simulators, Deployment deployment, Supplier<Reward> rewards, int world) {}

    private static final String KIND = "TYAUCPPO";
    private static final int VERSION = 3;

    private final BidPolicy policy;
    private final BidPolicy averaged;
    private final LearnerSettings.Auction settings;
    private final Episodes episodes;
    private final WorkerPool pool;
    private final long seed;
    private final ArrayAdam adam;
    private final @Nullable EncoderAscent encoder;
    private final BidAscent ascent;
    private final StateValue value = CostToGo.stateValue();
    private final List<EpisodeRecord> records;
    private int updates;

    /** Owns the policy from now on. */
    public AuctionPpo(
            BidPolicy policy, LearnerSettings.Auction settings, Episodes episodes, WorkerPool pool, long seed) {
        this.policy = policy;
        this.settings = settings;
        this.episodes = episodes;
        this.pool = pool;
        this.seed = seed;
        averaged = policy.copy();
        adam = new ArrayAdam(policy.network().weights().length);
        encoder = policy.encoder() == null ? null : new EncoderAscent(policy.encoder());
        ascent = new BidAscent(policy.network(), encoder, settings, adam, pool);
        records = Stream.generate(EpisodeRecord::new)
                .limit((long) settings.groups() * settings.group())
                .toList();
    }

    /** Plays the episodes of all groups, estimates advantages and makes epochs of minibatch gradient steps. */
    @Override
    public UpdateStatistics update() {
        FiniteCheck check = new FiniteCheck(updates + 1);
        double progress = (double) updates / settings.updates();
        policy.network().scaleScores(1 - (1 - progress) * settings.scoreDecay());
        play();
        GroupAdvantages advantages = new GroupAdvantages(
                records,
                settings.group(),
                settings.discountHours(),
                settings.traceHours(),
                value,
                settings.groupBaseline(),
                settings.controlVariate());
        check.loss("spread of the advantages", advantages.leftSpread());
        double rate = settings.learningRate() + progress * (settings.finalLearningRate() - settings.learningRate());
        BidAscent.Result result =
                ascent.learn(records, advantages, rate, RandomStreams.stream(seed, "shuffle/" + updates), check);
        check.weights("the bids", policy.network().weights());
        if (policy.encoder() != null) {
            check.weights("the encoder", policy.encoder().weights());
        }
        averaged.average(updates == 0 ? 0 : settings.average(), policy);
        updates++;
        return statistics(advantages, result);
    }

    private void play() {
        List<Episode> played = IntStream.range(0, settings.groups())
                .mapToObj(group -> episodes.episode((long) updates * settings.groups() + group))
                .toList();
        pool.each(records.size(), i -> {
            Episode episode = played.get(i / settings.group());
            Simulator simulator = episode.simulators().get();
            RandomGenerator random = RandomStreams.stream(seed, "play/%d/%d".formatted(updates, i));
            records.get(i).world = episode.world();
            new EpisodePlayer(policy, episode.rewards().get(), settings)
                    .play(simulator, episode.deployment(), random, records.get(i));
        });
    }

    private UpdateStatistics statistics(GroupAdvantages advantages, BidAscent.Result result) {
        int decisions = records.stream().mapToInt(record -> record.auctions).sum();
        int waits = records.stream().mapToInt(EpisodeRecord::waits).sum();
        return new UpdateStatistics(
                updates,
                decisions,
                records.stream().mapToInt(record -> record.segments - 1).sum(),
                records.stream().mapToDouble(EpisodeRecord::lastHour).sum(),
                records.size(),
                records.stream()
                        .mapToDouble(record -> record.meanJctSeconds)
                        .average()
                        .orElse(Double.NaN),
                -result.surrogate(),
                Double.NaN,
                result.entropy(),
                result.kl(),
                result.clipFraction(),
                advantages.explainedVariance(),
                result.gradientNorm(),
                result.minibatches(),
                advantages.rawSpread(),
                advantages.groupSpread(),
                advantages.leftSpread(),
                decisions == 0 ? Double.NaN : (double) waits / decisions);
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
        return settings.updates();
    }

    private TrainerFile file() {
        return new TrainerFile(KIND, VERSION, BidColumn.schema(), seed);
    }

    @Override
    public void save(Path file) {
        file().write(file, out -> {
            out.writeInt(updates);
            policy.network().write(out);
            averaged.network().write(out);
            adam.write(out);
            if (encoder != null) {
                for (BidPolicy each : List.of(policy, averaged)) {
                    Objects.requireNonNull(each.encoder()).writeWeights(out);
                }
                encoder.write(out);
            }
            if (settings.traceHours() != null) {
                value.write(out);
            }
        });
    }

    @Override
    public void load(Path file) {
        file().read(file, in -> {
            updates = in.readInt();
            policy.network().read(in);
            averaged.network().read(in);
            adam.read(in);
            if (encoder != null) {
                for (BidPolicy each : List.of(policy, averaged)) {
                    Objects.requireNonNull(each.encoder()).readWeights(in);
                }
                encoder.read(in);
            }
            if (settings.traceHours() != null) {
                value.read(in);
            }
        });
    }

    @Override
    public void close() {
        if (encoder != null) {
            encoder.close();
        }
    }
}
