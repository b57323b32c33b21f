package org.trainyard.agents.learned.expert;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trainyard.agents.learned.auction.BidPolicy;
import org.trainyard.agents.learned.auction.BidRegression;
import org.trainyard.agents.learned.policy.Deployment;
import org.trainyard.agents.learned.training.ExpertIteration;
import org.trainyard.agents.learned.training.FiniteCheck;
import org.trainyard.agents.learned.training.PolicyTrainer;
import org.trainyard.agents.learned.training.RolloutLabels;
import org.trainyard.agents.learned.training.TrainerFile;
import org.trainyard.agents.learned.training.UpdateStatistics;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.Workload;

/**
 * Expert iteration of bids: the policy plays, alternatives of some of its decisions are tried in forked futures in which it plays on, and it moves
 * towards those that did better (T. Anthony, Z. Tian, D. Barber: Thinking fast and slow with deep learning and tree search, NIPS 2017; D. Bertsekas,
 * J. Tsitsiklis, C. Wu: Rollout algorithms for combinatorial optimization, 1997).
 *
 * <p>Deviations: 1. there is no tree: one bid is exchanged, and the policy decides all that follows; 2. the target is a step of mirror descent
 * ({@link ImprovedBids}), not the winner; 3. decisions are drawn from contested ones, in which two bids are plausible; 4. the cost to a horizon of some
 * hours stands for that to the end.
 */
public final class RolloutPolicyIteration implements PolicyTrainer {
    private static final String KIND = "TYEXPERT";
    private static final int VERSION = 1;
    private static final double SIGNIFICANT = 2;

    private final BidPolicy policy;
    private final ExpertIteration settings;
    private final Deployment deployment;
    private final ForkableWorld world;
    private final WorkerPool pool;
    private final long seed;
    private final BidRegression regression;
    private int updates;

    /** Owns the policy from now on. */
    public RolloutPolicyIteration(
            BidPolicy policy,
            ExpertIteration settings,
            Deployment deployment,
            ForkableWorld world,
            WorkerPool pool,
            long seed) {
        this.policy = policy;
        this.settings = settings;
        this.deployment = deployment;
        this.world = world;
        this.pool = pool;
        this.seed = seed;
        regression = new BidRegression(policy.network(), pool);
    }

    /** An episode of an update, played by the policy. */
    private static final class Episode {
        private final List<DecisionPoint> points = new ArrayList<>();
        private int auctions;
        private int waits;
        private int contested;
        private double hours;
        private double jobHours;
        private int jobs;
    }

    /** Plays episodes, labels decisions and moves the policy towards the better bids. */
    @Override
    public UpdateStatistics update() {
        FiniteCheck check = new FiniteCheck(updates + 1);
        List<Episode> episodes =
                Stream.generate(Episode::new).limit(settings.episodes()).toList();
        pool.each(episodes.size(), i -> play(episodes.get(i), i));
        List<DecisionPoint> points =
                episodes.stream().flatMap(episode -> episode.points.stream()).toList();
        LabelledDecision[] labels = new LabelledDecision[points.size()];
        pool.each(labels.length, i -> {
            RandomGenerator random = RandomStreams.stream(seed, "futures/%d/%d".formatted(updates, i));
            labels[i] = new ArmTrials(policy.network(), settings, world).label(points.get(i), random);
        });
        BidRegression.Result fit = fit(List.of(labels), check);
        check.weights("the bids", policy.network().weights());
        updates++;
        return statistics(episodes, List.of(labels), fit);
    }

    /** Plays an episode twice: to count its contested decisions, and to stop by at those that are drawn. */
    private void play(Episode episode, int number) {
        Workload workload = world.episode((long) updates * settings.episodes() + number);
        GreedyPlay count = play(workload, world.simulator(workload));
        count.finish(settings.plausible(), contested -> {});
        int[] drawn = draw(count.contested(), share(number), RandomStreams.stream(seed, purpose("points", number)));
        Simulator simulator = world.simulator(workload);
        GreedyPlay play = play(workload, simulator);
        play.finish(settings.plausible(), contested -> {
            if (Arrays.binarySearch(drawn, contested) >= 0) {
                episode.points.add(play.point(world));
            }
        });
        episode.auctions = play.auctions();
        episode.waits = play.waits();
        episode.contested = play.contested();
        episode.hours = simulator.view().nowNanos() / 3600e9;
        episode.jobHours = simulator.jobSeconds() / 3600;
        episode.jobs = simulator.view().arrived();
    }

    private String purpose(String what, int number) {
        return "%s/%d/%d".formatted(what, updates, number);
    }

    private GreedyPlay play(Workload workload, Simulator simulator) {
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

    private BidRegression.Result fit(List<LabelledDecision> labels, FiniteCheck check) {
        ImprovedBids improved = new ImprovedBids(labels, settings.step());
        regression.clear();
        for (LabelledDecision label : labels) {
            regression.add(label.auction(), label.mayWait(), improved.target(label));
        }
        return regression.fit(
                settings.epochs(),
                settings.minibatch(),
                settings.learningRate(),
                RandomStreams.stream(seed, "shuffle/" + updates),
                check);
    }

    private UpdateStatistics statistics(
            List<Episode> episodes, List<LabelledDecision> labels, BidRegression.Result fit) {
        int auctions = episodes.stream().mapToInt(episode -> episode.auctions).sum();
        double none = Double.NaN;
        return new UpdateStatistics(
                updates,
                auctions,
                0,
                episodes.stream().mapToDouble(episode -> episode.hours).sum(),
                episodes.size(),
                none,
                3600
                        * episodes.stream()
                                .mapToDouble(episode -> episode.jobHours / episode.jobs)
                                .average()
                                .orElse(none),
                fit.divergenceBefore(),
                none,
                fit.entropy(),
                none,
                fit.divergenceAfter(),
                none,
                none,
                fit.gradientNorm(),
                fit.steps(),
                none,
                none,
                none,
                auctions == 0
                        ? none
                        : (double) episodes.stream()
                                        .mapToInt(episode -> episode.waits)
                                        .sum()
                                / auctions,
                labels(episodes, labels));
    }

    private static RolloutLabels labels(List<Episode> episodes, List<LabelledDecision> labels) {
        double count = Math.max(1, labels.size());
        double advantages = 0;
        double errors = 0;
        double improvement = 0;
        int arms = 0;
        int rollouts = 0;
        int effective = 0;
        int significant = 0;
        for (LabelledDecision label : labels) {
            ArmCosts costs = label.costs();
            for (int arm = 0; arm < costs.arms(); arm++) {
                advantages += Math.abs(costs.advantage(arm));
                errors += costs.standardError(arm);
            }
            arms += costs.arms();
            rollouts += costs.rollouts();
            effective += costs.matters() ? 1 : 0;
            significant += costs.isBeaten(SIGNIFICANT) ? 1 : 0;
            improvement += costs.improvement() / count;
        }
        double contested =
                episodes.stream().mapToInt(episode -> episode.contested).sum();
        double jobHours =
                episodes.stream().mapToDouble(episode -> episode.jobHours).sum();
        return new RolloutLabels(
                labels.size(),
                rollouts,
                effective / count,
                advantages / Math.max(1, arms),
                errors / Math.max(1, arms),
                significant / count,
                improvement,
                improvement * contested / jobHours);
    }

    @Override
    public BidPolicy policy() {
        return policy;
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
            regression.write(out);
        });
    }

    @Override
    public void load(Path file) {
        file().read(file, in -> {
            updates = in.readInt();
            policy.network().read(in);
            regression.read(in);
        });
    }

    @Override
    public void close() {
        // Its weights are on the heap.
    }
}
