package org.trainyard.experiments.gym;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.experiments.gym.GymArray.Dimension;
import org.trainyard.experiments.gym.GymEpisodes.Split;

/**
 * One environment of a connection: which episode it plays, how the last call ended, and the last episode that it
 * finished.
 */
final class VectorEnvWorker {
    private static final int MOST_EPISODES_WITHOUT_CHOICE = 1000;

    /** Flag of {@link #flags}: all jobs of the episode are done. */
    static final int TERMINATED = 1;
    /** Flag: the episode was ended before. */
    static final int TRUNCATED = 2;
    /** Flag: the action was illegal and did nothing. */
    static final int ILLEGAL = 4;
    /** Flag: the environment stands at the end of an episode and must be reset. */
    static final int OVER = 8;

    /** When the next episode begins by itself. */
    enum Autoreset {
        NONE,
        /** The step that ends an episode. */
        SAME_STEP,
        /** The step after the end, whose actions are ignored. */
        NEXT_STEP
    }

    private final AuctionEpisode game;
    private final GymEpisodes episodes;
    private final Autoreset autoreset;
    private final long stride;
    private final double[] rewards;
    private final double[] firstRewards;
    private Split split = Split.TRAIN;
    private long episode;
    private boolean hasBegun;
    private int flags;
    private double discount;
    private double elapsedHours;
    private int waiting;
    private int running;
    private final EndedJobs ended = new EndedJobs();
    private double meanJctSeconds = Double.NaN;
    private long finishedEpisode;
    private Split finishedSplit = Split.TRAIN;
    private @Nullable Simulator finished;

    /**
     * @param autoreset when the next episode begins by itself
     * @param stride the number of the next episode less that of the last
     */
    VectorEnvWorker(AuctionEpisode game, GymEpisodes episodes, int agents, Autoreset autoreset, long stride) {
        this.game = game;
        this.episodes = episodes;
        this.autoreset = autoreset;
        this.stride = stride;
        rewards = new double[agents];
        firstRewards = new double[agents];
    }

    /** Begins an episode; of training episodes the first from this number on that has a choice. */
    void reset(Split newSplit, long number) {
        clear();
        begin(newSplit, number);
        look();
    }

    /** Takes the actions of all agents, {@code actions[from]} on, or begins the next episode where that is due. */
    void step(int[] actions, int from) {
        clear();
        if (game.isOver()) {
            beginNext();
            look();
            return;
        }
        game.play(actions, from);
        discount = game.discount();
        elapsedHours = game.elapsedHours();
        flags = game.wasIllegal() ? ILLEGAL : 0;
        for (int agent = 0; agent < rewards.length; agent++) {
            rewards[agent] = game.reward(agent);
        }
        look();
        if (game.isOver()) {
            end();
        }
    }

    /** Takes down what a reward may be made of. */
    private void look() {
        Simulator simulator = game.simulator();
        waiting = simulator.view().waitingCount();
        running = simulator.view().runningCount();
        ended.advance(simulator);
    }

    private void clear() {
        flags = 0;
        discount = 1;
        elapsedHours = 0;
        meanJctSeconds = Double.NaN;
        Arrays.fill(rewards, 0);
        Arrays.fill(firstRewards, 0);
    }

    private void end() {
        Simulator simulator = game.simulator();
        flags |= simulator.isDone() ? TERMINATED : TRUNCATED;
        keep(simulator);
        if (autoreset == Autoreset.SAME_STEP) {
            beginNext();
        } else {
            flags |= OVER;
        }
    }

    private void beginNext() {
        long count = split == Split.TRAIN ? Long.MAX_VALUE : episodes.count(split);
        begin(split, (episode + stride) % count);
    }

    private void keep(Simulator simulator) {
        if (simulator.isDone()) {
            meanJctSeconds = simulator.jobSeconds() / simulator.view().arrived();
            finished = simulator;
            finishedEpisode = episode;
            finishedSplit = split;
        }
    }

    private void begin(Split newSplit, long number) {
        split = newSplit;
        episode = number;
        hasBegun = true;
        game.begin(episodes.workload(split, episode));
        for (int tried = 1; game.isOver() && split == Split.TRAIN; tried++) {
            if (tried == MOST_EPISODES_WITHOUT_CHOICE) {
                throw new IllegalStateException("no agent ever had a choice in %d episodes".formatted(tried));
            }
            episode += stride;
            game.begin(episodes.workload(split, episode));
        }
        for (int agent = 0; agent < firstRewards.length; agent++) {
            firstRewards[agent] = game.reward(agent);
        }
        if (game.isOver()) {
            flags |= OVER;
            keep(game.simulator());
        }
    }

    /** Elements of a dimension in the present answer. */
    int count(Dimension dimension) {
        return dimension == Dimension.ENDED ? ended.count() : game.count(dimension);
    }

    /** Jobs that wait at the end of the step: of the episode that ends in it, where another one follows. */
    int waiting() {
        return waiting;
    }

    /** Jobs that run at the end of the step. */
    int running() {
        return running;
    }

    /** The jobs that have ended in the step. */
    EndedJobs ended() {
        return ended;
    }

    AuctionEpisode game() {
        return game;
    }

    /** Whether a step may follow. */
    boolean isPlaying() {
        return hasBegun && (autoreset == Autoreset.NEXT_STEP || !game.isOver());
    }

    long episode() {
        return episode;
    }

    int flags() {
        return flags;
    }

    double reward(int agent) {
        return rewards[agent];
    }

    /** Reward of the time before the first choice of an episode that began in the last call. */
    double firstReward(int agent) {
        return firstRewards[agent];
    }

    double discount() {
        return discount;
    }

    double elapsedHours() {
        return elapsedHours;
    }

    /** Mean JCT of the episode that the last call finished, seconds; else NaN. */
    double meanJctSeconds() {
        return meanJctSeconds;
    }

    /** The simulator of the last episode that was finished, at its end; null before. */
    @Nullable Simulator finished() {
        return finished;
    }

    long finishedEpisode() {
        return finishedEpisode;
    }

    Split finishedSplit() {
        return finishedSplit;
    }
}
