package org.trainyard.agents.learned.adversary;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.RandomStreams;
import org.trainyard.gnn.CheckedFile;

/**
 * Trains both players of an {@link AllocationGame} against each other: the policy climbs the mean payoff of the
 * adversary's sequences by the exact gradient of every round, and the adversary descends it. A run that is saved and
 * resumed after any update ends with the same bytes as one that is not.
 *
 * <p>Where the game has at most {@value #MOST_SEQUENCES} sequences, all of them are taken, weighted by their
 * probability, so both gradients are exact and nothing is drawn; otherwise the adversary draws a batch, and its own
 * gradient is that of REINFORCE with the exact payoffs and their mean as baseline. A part of the policy's sequences
 * comes from a pool of hard ones.
 *
 * <p>Source: as {@link AllocationGame}. Our deviations: 1. plain gradient steps for both players, for with Adam the
 * steps do not shrink with the gradient, and the play circles around the equilibrium; 2. the entropy falls to zero
 * slowly, which makes the last policy converge and not only the mean over updates.
 */
public final class AdversarialTraining implements AutoCloseable {
    static final int MOST_SEQUENCES = 5000;

    private static final String KIND = "TYPRICES";
    private static final int VERSION = 1;

    private final AllocationGame game;
    private final GameLearner.Adversary settings;
    private final long seed;
    private final ChoiceModel policy;
    private final ChoiceModel adversary;
    private final HardSequences pool;
    /** All sequences; null where there are too many. */
    private final @Nullable SequenceBatch every;

    /** All sequences by their futures; null before it is asked for. */
    private @Nullable SequenceGraph graph;

    private int updates;

    /**
     * Metrics of the present players.
     *
     * @param payoff mean payoff of the adversary's sequences
     * @param guarantee least payoff of the policy over all sequences, or over those drawn and in the pool where there
     *     are too many
     * @param bound greatest payoff of any policy against the adversary; NaN where there are too many sequences
     */
    public record Figures(double payoff, double guarantee, double bound) {}

    public AdversarialTraining(AllocationGame game, GameLearner.Adversary settings, long seed) {
        this.game = game;
        this.settings = settings;
        this.seed = seed;
        policy = model("policy", game.policyRows(), game.values().size());
        adversary = model("adversary", game.adversaryRows(), game.requests() + 1);
        pool = new HardSequences(settings.pool());
        every = game.sequences(MOST_SEQUENCES) > MOST_SEQUENCES ? null : new SequenceBatch(game, game.everySequence());
    }

    private ChoiceModel model(String player, int rows, int choices) {
        return settings.model() instanceof GameLearner.Model.Network network
                ? new LogitNetwork(network.hidden(), choices, RandomStreams.derive(seed, player))
                : new LogitTable(rows, choices, RandomStreams.stream(seed, player));
    }

    public int updates() {
        return updates;
    }

    public boolean isDone() {
        return updates >= settings.updates();
    }

    /** Whether all sequences are taken into account, so that {@link Figures} are exact. */
    public boolean isExact() {
        return every != null;
    }

    /** One update of both players. */
    public void update() {
        double entropy = settings.entropy(updates);
        SequenceBatch batch = every == null ? drawn(RandomStreams.stream(seed, "sequences/" + updates)) : every;
        updates++;
        double[][] choices = adversaryOn(batch);
        double[] weights = weights(batch, choices);
        double[] hard = withPool(batch, weights);
        for (int step = 0; step < settings.policySteps(); step++) {
            double[][] prices = policy.probabilities(batch.policyStates());
            policy.ascend(
                    batch.policyStates(), batch.policySlopes(prices, hard, entropy), settings.policyRate(), updates);
        }
        double[] payoffs = batch.payoffs(policy.probabilities(batch.policyStates()));
        for (int step = 0; step < settings.adversarySteps(); step++) {
            adversary.ascend(
                    batch.adversaryStates(),
                    batch.adversarySlopes(choices, weights, payoffs, entropy),
                    settings.adversaryRate(),
                    updates);
            choices = adversaryOn(batch);
            weights = weights(batch, choices);
        }
        if (settings.responses() > 0 && updates % settings.responses() == 0) {
            pool.add(response());
        } else if (settings.responses() == 0 && settings.pool() > 0) {
            pool.add(batch.sequence(least(payoffs)));
        }
    }

    private int[] response() {
        SequenceGraph sequences = graph();
        if (sequences == null) {
            throw new InvalidFieldException("responses", settings.responses(), "0 for a game of so many states");
        }
        return WorstCase.sequence(sequences, policy::probabilities);
    }

    private @Nullable SequenceGraph graph() {
        if (graph == null) {
            graph = SequenceGraph.of(game);
        }
        return graph;
    }

    /** The adversary's probabilities, a row for each state; it never stops before the first request. */
    private double[][] adversaryOn(SequenceBatch batch) {
        double[][] choices = adversary.probabilities(batch.adversaryStates());
        withoutStop(choices[SequenceBatch.START]);
        return choices;
    }

    private void withoutStop(double[] first) {
        int stop = game.requests();
        double rest = 1 - first[stop];
        first[stop] = 0;
        for (int request = 0; request < stop; request++) {
            first[request] = rest > 0 ? first[request] / rest : 1.0 / stop;
        }
    }

    /**
     * The probabilities of all sequences; of a batch, equal weights of those drawn, and none of those from the pool.
     */
    private double[] weights(SequenceBatch batch, double[][] choices) {
        if (every != null) {
            return every.probabilities(choices);
        }
        double[] weights = new double[batch.size()];
        Arrays.fill(weights, 0, settings.batch(), 1.0 / settings.batch());
        return weights;
    }

    private double[] withPool(SequenceBatch batch, double[] weights) {
        List<int[]> hard = pool.list();
        if (hard.isEmpty() || settings.poolShare() == 0) {
            return weights;
        }
        double[] mixed = new double[weights.length];
        for (int i = 0; i < mixed.length; i++) {
            mixed[i] = (1 - settings.poolShare()) * weights[i];
        }
        for (int i = 0; i < hard.size(); i++) {
            int at = every == null ? settings.batch() + i : batch.indexOf(hard.get(i));
            mixed[at] += settings.poolShare() / hard.size();
        }
        return mixed;
    }

    /** A batch of sequences that the adversary draws, and after them the pool. */
    private SequenceBatch drawn(RandomGenerator random) {
        List<int[]> sequences = new ArrayList<>();
        for (int i = 0; i < settings.batch(); i++) {
            sequences.add(new int[0]);
        }
        for (int round = 0; round < game.rounds(); round++) {
            int at = round;
            List<PlayerState> states = sequences.stream()
                    .map(sequence -> game.ofAdversary(sequence, Math.min(at, sequence.length)))
                    .toList();
            double[][] choices = adversary.probabilities(states);
            for (int i = 0; i < choices.length; i++) {
                if (round == 0) {
                    withoutStop(choices[i]);
                }
                int choice = draw(choices[i], random);
                if (sequences.get(i).length == round && choice < game.requests()) {
                    int[] longer = Arrays.copyOf(sequences.get(i), round + 1);
                    longer[round] = choice;
                    sequences.set(i, longer);
                }
            }
        }
        sequences.addAll(pool.list());
        return new SequenceBatch(game, sequences);
    }

    private static int draw(double[] probabilities, RandomGenerator random) {
        double left = random.nextDouble();
        int choice = 0;
        while (choice < probabilities.length - 1 && left >= probabilities[choice]) {
            left -= probabilities[choice++];
        }
        return choice;
    }

    private static int least(double[] payoffs) {
        int least = 0;
        for (int i = 1; i < payoffs.length; i++) {
            least = payoffs[i] < payoffs[least] ? i : least;
        }
        return least;
    }

    /** How well each player does now. */
    public Figures figures() {
        SequenceBatch batch = every == null ? drawn(RandomStreams.stream(seed, "figures/" + updates)) : every;
        double[] weights = weights(batch, adversaryOn(batch));
        double[] payoffs = batch.payoffs(policy.probabilities(batch.policyStates()));
        double payoff = 0;
        for (int i = 0; i < weights.length; i++) {
            payoff += weights[i] * payoffs[i];
        }
        double bound = every == null ? Double.NaN : new BestResponse(game, every, weights).payoff();
        return new Figures(payoff, payoffs[least(payoffs)], bound);
    }

    /** The least payoff of the present policy over all sequences; null for a game with too many states. */
    public @Nullable WorstCase worstCase() {
        if (every != null) {
            double[] payoffs = every.payoffs(policy.probabilities(every.policyStates()));
            int worst = least(payoffs);
            return new WorstCase(
                    payoffs[worst],
                    payoffs[worst],
                    Arrays.stream(every.sequence(worst)).boxed().toList());
        }
        SequenceGraph sequences = graph();
        return sequences == null ? null : WorstCase.of(sequences, policy::probabilities);
    }

    /**
     * The probabilities with which the first unit is sold in each round of a sequence of values' levels; the last is
     * that of no sale.
     */
    public double[] saleProbabilities(int... sequence) {
        SequenceBatch one = new SequenceBatch(game, List.of(sequence));
        SequenceValue value = one.value(0, policy.probabilities(one.policyStates()));
        double[] sold = new double[sequence.length + 1];
        for (int round = 0; round <= sequence.length; round++) {
            double left = value.reach(round, 0);
            sold[round] = round == sequence.length ? left : left - value.reach(round + 1, 0);
        }
        return sold;
    }

    /** The pool of hard sequences, each a list of requests, the oldest first. */
    public List<int[]> hardSequences() {
        return pool.list();
    }

    /** Writes everything that the next update depends on; replaces the file atomically. */
    public void save(Path file) {
        CheckedFile.write(file, KIND, VERSION, out -> {
            out.writeUTF(game.toString());
            out.writeLong(seed);
            out.writeInt(updates);
            policy.write(out);
            adversary.write(out);
            pool.write(out);
        });
    }

    /** Restores what {@link #save} wrote of the same game and seed. */
    public void load(Path file) {
        try (DataInputStream in = CheckedFile.read(file, KIND, VERSION)) {
            String saved = in.readUTF();
            long savedSeed = in.readLong();
            if (!saved.equals(game.toString()) || savedSeed != seed) {
                throw new InputException("%s: is of %s with seed (%d), not of %s with seed (%d)"
                        .formatted(file, saved, savedSeed, game, seed));
            }
            updates = in.readInt();
            policy.read(in, file.toString());
            adversary.read(in, file.toString());
            pool.read(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read %s".formatted(file), e);
        }
    }

    @Override
    public void close() {
        policy.close();
        adversary.close();
    }
}
