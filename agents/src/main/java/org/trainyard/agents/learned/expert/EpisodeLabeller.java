package org.trainyard.agents.learned.expert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/**
 * Plays an episode of an update and labels the decisions that are drawn from its contested ones. Random streams are named by update, episode and
 * decision of the episode, so an episode depends on no other. Safe for several threads.
 */
public final class EpisodeLabeller {
    private final ExpertIteration settings;
    private final Deployment deployment;
    private final ForkableWorld world;
    private final long seed;

    /** @param seed of all draws */
    public EpisodeLabeller(ExpertIteration settings, Deployment deployment, ForkableWorld world, long seed) {
        this.settings = settings;
        this.deployment = deployment;
        this.world = world;
        this.seed = seed;
    }

    /** An episode before its decisions have labels. */
    private record Played(int number, LabelledEpisode.Figures figures, List<DecisionPoint> points) {}

    /** A drawn decision, by its number among those of its episode. */
    private record Drawn(int episode, int number, DecisionPoint point) {}

    /**
     * An episode of an update: both of its plays, and {@code arms x futures} plays to the horizon for each decision.
     *
     * @param policy its weights must not change meanwhile
     * @param update its number, from 0
     * @param number of the episode in the update, from 0
     */
    public LabelledEpisode label(BidPolicy policy, int update, int number) {
        Played played = play(policy, update, number);
        List<LabelledDecision> decisions = new ArrayList<>();
        for (Drawn drawn : drawn(played)) {
            decisions.add(label(policy, update, drawn));
        }
        return new LabelledEpisode(played.figures(), decisions);
    }

    /** The same for all episodes of an update; the pieces of work are episodes first, then single decisions. */
    public EpisodeLabels on(WorkerPool pool) {
        return (policy, update) -> {
            Played[] played = new Played[settings.episodes()];
            pool.each(played.length, number -> played[number] = play(policy, update, number));
            List<Drawn> drawn =
                    Arrays.stream(played).flatMap(one -> drawn(one).stream()).toList();
            LabelledDecision[] decisions = new LabelledDecision[drawn.size()];
            pool.each(decisions.length, i -> decisions[i] = label(policy, update, drawn.get(i)));
            List<LabelledEpisode> episodes = new ArrayList<>();
            int from = 0;
            for (Played one : played) {
                int to = from + one.points().size();
                episodes.add(new LabelledEpisode(
                        one.figures(), Arrays.asList(decisions).subList(from, to)));
                from = to;
            }
            return episodes;
        };
    }

    private static List<Drawn> drawn(Played episode) {
        return IntStream.range(0, episode.points().size())
                .mapToObj(i -> new Drawn(episode.number(), i, episode.points().get(i)))
                .toList();
    }

    private LabelledDecision label(BidPolicy policy, int update, Drawn drawn) {
        RandomGenerator random =
                RandomStreams.stream(seed, "futures/%d/%d/%d".formatted(update, drawn.episode(), drawn.number()));
        return new ArmTrials(policy.network(), settings, world).label(drawn.point(), random);
    }

    /** Plays an episode twice: to count its contested decisions, and to stop by at those that are drawn. */
    private Played play(BidPolicy policy, int update, int number) {
        Workload workload = world.episode((long) update * settings.episodes() + number);
        GreedyPlay count = play(policy, workload, world.simulator(workload));
        count.finish(settings.plausible(), contested -> {});
        RandomGenerator random = RandomStreams.stream(seed, "points/%d/%d".formatted(update, number));
        int[] drawn = draw(count.contested(), share(number), random);
        Simulator simulator = world.simulator(workload);
        GreedyPlay play = play(policy, workload, simulator);
        List<DecisionPoint> points = new ArrayList<>();
        play.finish(settings.plausible(), contested -> {
            if (Arrays.binarySearch(drawn, contested) >= 0) {
                points.add(play.point(world));
            }
        });
        LabelledEpisode.Figures figures = new LabelledEpisode.Figures(
                play.auctions(),
                play.waits(),
                play.contested(),
                simulator.view().nowNanos() / 3600e9,
                simulator.jobSeconds() / 3600,
                simulator.view().arrived());
        return new Played(number, figures, points);
    }

    private GreedyPlay play(BidPolicy policy, Workload workload, Simulator simulator) {
        return new GreedyPlay(
                workload, simulator, policy.auctioneer(simulator.view(), deployment), new BidRanking(policy.network()));
    }

    /** Decisions to be labelled in the episode of this number. */
    private int share(int number) {
        return settings.decisions() / settings.episodes()
                + (number < settings.decisions() % settings.episodes() ? 1 : 0);
    }

    /** Different numbers below {@code count}, in order. */
    private static int[] draw(int count, int most, RandomGenerator random) {
        int[] numbers = IntStream.range(0, count).toArray();
        int drawn = Math.min(count, most);
        for (int i = 0; i < drawn; i++) {
            int j = i + random.nextInt(count - i);
            int swap = numbers[i];
            numbers[i] = numbers[j];
            numbers[j] = swap;
        }
        int[] kept = Arrays.copyOf(numbers, drawn);
        Arrays.sort(kept);
        return kept;
    }
}
