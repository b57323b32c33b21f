package org.trainyard.agents.learned.ppo;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.ScheduleSettings;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Simulator;

/** Plays the episodes of an update, each as often as its group has members, and keeps their records. */
public final class Rollouts {
    /** The training episodes. Must be safe for several threads. */
    public interface Episodes {
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

    private final Episodes episodes;
    private final ScheduleSettings settings;
    private final WorkerPool pool;
    private final long seed;
    private final List<EpisodeRecord> records;

    Rollouts(Episodes episodes, ScheduleSettings settings, WorkerPool pool, long seed) {
        this.episodes = episodes;
        this.settings = settings;
        this.pool = pool;
        this.seed = seed;
        records = Stream.generate(EpisodeRecord::new)
                .limit((long) settings.episodesPerUpdate() * settings.playsPerEpisode())
                .toList();
    }

    /** Records of the episodes of an update, group by group; overwritten by the next. */
    List<EpisodeRecord> play(BidPolicy policy, int update) {
        List<Episode> played = IntStream.range(0, settings.episodesPerUpdate())
                .mapToObj(group -> episodes.episode((long) update * settings.episodesPerUpdate() + group))
                .toList();
        pool.each(records.size(), i -> {
            Episode episode = played.get(i / settings.playsPerEpisode());
            RandomGenerator random = RandomStreams.stream(seed, "play/%d/%d".formatted(update, i));
            records.get(i).world = episode.world();
            new EpisodePlayer(policy, episode.rewards().get(), settings)
                    .play(episode.simulators().get(), episode.deployment(), random, records.get(i));
        });
        return records;
    }
}
