package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.within;

import java.util.List;
import java.util.random.RandomGenerator;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.RestartCost;
import org.trainyard.env.simulation.Simulator;

/**
 * Restart costs and rules of preemption that training draws for each episode, in place of those of its world: domain
 * randomisation as in J. Tobin et al.: Domain randomization for transferring deep neural networks from simulation to
 * the real world, IROS 2017.
 *
 * @param share of the episodes that draw; the others keep to their world
 * @param restartSeconds least and greatest cost of a restart; small ones are drawn more often
 * @param bySize share of the draws whose restarts cost by model size, with such a greatest cost
 * @param checkpointMinutes least and greatest time between two checkpoints
 * @param saved share of the draws in which a preempted job keeps its work
 * @param lost share in which it loses all; in the rest it loses its work since the last checkpoint
 * @param forbidden share in which no job may be preempted
 * @param limited share in which a job may be preempted one to four times, after up to half an hour
 */
public record PreemptionDraws(
        double share,
        List<Double> restartSeconds,
        double bySize,
        List<Double> checkpointMinutes,
        double saved,
        double lost,
        double forbidden,
        double limited) {
    private static final long LONGEST_LEAST_RUN_NANOS = 1_800_000_000_000L;
    private static final int MOST_LIMIT = 4;
    private static final double START_SECONDS = 15;

    public PreemptionDraws {
        restartSeconds = range("restartSeconds", restartSeconds);
        checkpointMinutes = range("checkpointMinutes", checkpointMinutes);
        within(0, 1, "share", share);
        within(0, 1, "bySize", bySize);
        within(0, 1, "saved", saved);
        within(0, 1 - saved, "lost", lost);
        within(0, 1, "forbidden", forbidden);
        within(0, 1 - forbidden, "limited", limited);
    }

    private static List<Double> range(String key, List<Double> range) {
        boolean isRange = range.size() == 2 && range.get(0) >= 0 && range.get(1) >= range.get(0) && range.get(1) <= 1e6;
        if (!isRange) {
            throw new InvalidFieldException(key, range, "the least and the greatest, 0 to 1e6");
        }
        return List.copyOf(range);
    }

    /** The options of a simulation with what is drawn. */
    public Simulator.Options draw(Simulator.Options world, RandomGenerator random) {
        if (random.nextDouble() >= share) {
            return world;
        }
        RestartCost restart = restart(random);
        return world.with(restart).with(rules(random));
    }

    private RestartCost restart(RandomGenerator random) {
        double part = random.nextDouble();
        double seconds = between(restartSeconds, part * part);
        return random.nextDouble() < bySize
                ? new RestartCost.BySize(
                        START_SECONDS,
                        Math.max(START_SECONDS, seconds),
                        RestartCost.BySize.MEASURED.megabytesPerSecond())
                : new RestartCost.Fixed(seconds);
    }

    private PreemptionRules rules(RandomGenerator random) {
        double kind = random.nextDouble();
        double minutes = between(checkpointMinutes, random.nextDouble());
        long every = kind < saved
                ? 0
                : kind < saved + lost ? PreemptionRules.SAVES_NOTHING : Math.max(1, nanos(60 * minutes));
        double allowed = random.nextDouble();
        long leastRun = (long) (LONGEST_LEAST_RUN_NANOS * random.nextDouble());
        int limit = 1 + random.nextInt(MOST_LIMIT);
        if (allowed < forbidden) {
            return new PreemptionRules(0, 0, 0, 0);
        }
        return allowed < forbidden + limited
                ? new PreemptionRules(every, leastRun, 0, limit)
                : PreemptionRules.FREE.savingEvery(every);
    }

    private static double between(List<Double> range, double part) {
        return range.get(0) + (range.get(1) - range.get(0)) * part;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
