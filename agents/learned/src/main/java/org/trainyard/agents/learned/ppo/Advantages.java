package org.trainyard.agents.learned.ppo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.learned.training.ScheduleSettings;

/**
 * Advantages of the auctions of episodes that a group of environments played with the same jobs: the mean cost-to-go of
 * the others at the same time less one's own, less a linear function of the difference of the states, per group in
 * units of its spread.
 *
 * <p>The first baseline is that of H. Mao et al.: Variance reduction for reinforcement learning in input-driven
 * environments, ICLR 2019. Deviations: 1. the mean is of the others, so that a decision is not compared with itself; 2.
 * plays are aligned in simulated time; 3. a second baseline, the {@link ControlVariate}, subtracts what the difference
 * of the states explains before the decision; 4. advantages are scaled per group and cut off at {@value #MOST} standard
 * deviations; 5. episodes of several worlds have a control variate each.
 */
final class Advantages {
    private static final double MOST = 4;
    private static final int FIGURES = EpisodeRecord.FIGURES;

    private final List<EpisodeRecord> records;
    private final int group;
    private final boolean hasGroupBaseline;
    /** By episode and segment: the difference of costs. */
    private final List<double[]> costs = new ArrayList<>();
    /** By episode and segment: the differences of the state's figures. */
    private final List<double[]> figures = new ArrayList<>();
    /** By episode and segment: the differences of costs that the control variate leaves. */
    private final List<double[]> left = new ArrayList<>();

    private final List<float[]> advantages = new ArrayList<>();
    private double rawSpread;
    private double groupVariance;
    private double leftVariance;

    /**
     * Estimates all advantages.
     *
     * @param records those of a group follow each other
     * @param settings of groups, of {@link CostToGo} and of the two baselines
     * @param value of states, which learns from the whole costs first; neither read nor changed without a trace
     */
    Advantages(List<EpisodeRecord> records, ScheduleSettings settings, StateValue value) {
        this.records = records;
        this.group = settings.playsPerEpisode();
        this.hasGroupBaseline = settings.groupBaseline();
        double discountHours = settings.discountHours();
        Double traceHours = settings.lambdaHorizonHours();
        compare(discountHours, null, value);
        if (traceHours != null) {
            worlds().forEach(world -> learn(value, world));
            compare(discountHours, traceHours, value);
        }
        left.addAll(costs);
        worlds().forEach(world -> explain(world, settings.controlVariate()));
        for (int from = 0; from < records.size(); from += group) {
            scale(from);
        }
    }

    private IntStream worlds() {
        return records.stream().mapToInt(record -> record.world).distinct();
    }

    private int[] episodesOf(int world) {
        return IntStream.range(0, records.size())
                .filter(i -> records.get(i).world == world)
                .toArray();
    }

    private void learn(StateValue value, int world) {
        int[] episodes = episodesOf(world);
        value.learn(world, ControlVariate.fit(of(episodes, records), of(episodes, costs), of(episodes, figures)));
    }

    /** Subtracts from the costs of the episodes of a world what their states explain linearly. */
    private void explain(int world, boolean hasControlVariate) {
        int[] episodes = episodesOf(world);
        double[] weights = hasControlVariate
                ? ControlVariate.fit(of(episodes, records), of(episodes, costs), of(episodes, figures))
                : new double[FIGURES];
        for (int i : episodes) {
            left.set(i, left(i, weights));
        }
    }

    private static <T> List<T> of(int[] episodes, List<T> all) {
        return Arrays.stream(episodes).mapToObj(all::get).toList();
    }

    private double[] left(int episode, double[] weights) {
        double[] rest = costs.get(episode).clone();
        for (int s = 0; s < rest.length; s++) {
            for (int f = 0; f < FIGURES; f++) {
                rest[s] -= weights[f] * figures.get(episode)[s * FIGURES + f];
            }
        }
        return rest;
    }

    /** Compares the episodes of each group with each other. */
    private void compare(double discountHours, @Nullable Double traceHours, StateValue value) {
        costs.clear();
        figures.clear();
        rawSpread = 0;
        for (int from = 0; from < records.size(); from += group) {
            compare(from, discountHours, traceHours, value);
        }
    }

    private void compare(int from, double discountHours, @Nullable Double traceHours, StateValue value) {
        List<CostToGo> ofGroup = new ArrayList<>();
        for (int i = from; i < from + group; i++) {
            ofGroup.add(new CostToGo(records.get(i), discountHours, traceHours, value.of(records.get(i).world)));
        }
        for (int i = from; i < from + group; i++) {
            EpisodeRecord record = records.get(i);
            CostToGo own = ofGroup.get(i - from);
            double[] cost = new double[record.segments];
            double[] figure = new double[record.segments * FIGURES];
            System.arraycopy(record.figures, 0, figure, 0, figure.length);
            for (int s = 0; s < record.segments; s++) {
                cost[s] = own.atSegment(s);
            }
            for (int j = from; j < from + group && hasGroupBaseline; j++) {
                if (j != i) {
                    subtract(ofGroup.get(j - from), records.get(j), record, discountHours, cost, figure);
                }
            }
            costs.add(cost);
            figures.add(figure);
            rawSpread += spread(own, record) / records.size();
        }
    }

    /** Subtracts another play's part of the mean at the beginnings of a play's segments; O(segments of both). */
    private void subtract(
            CostToGo ofOther,
            EpisodeRecord other,
            EpisodeRecord record,
            double discountHours,
            double[] cost,
            double[] figure) {
        int then = -1;
        for (int s = 0; s < record.segments; s++) {
            double hour = record.hours[s];
            then = other.segmentAt(hour, then);
            cost[s] -= ofOther.atHour(hour, then) / (group - 1);
            other.subtractFigures(then, hour, discountHours, group - 1, figure, s * FIGURES);
        }
    }

    private static double spread(CostToGo cost, EpisodeRecord record) {
        Moments moments = new Moments();
        for (int a = 0; a < record.auctions; a++) {
            moments.add(cost.atSegment(record.segment[a]));
        }
        return Math.sqrt(moments.variance());
    }

    private static final class Moments {
        private double sum;
        private double squares;
        private long count;

        void add(double value) {
            sum += value;
            squares += value * value;
            count++;
        }

        double mean() {
            return sum / Math.max(1, count);
        }

        double variance() {
            return Math.max(0, squares / Math.max(1, count) - mean() * mean());
        }
    }

    private void scale(int from) {
        Moments before = new Moments();
        Moments after = new Moments();
        for (int i = from; i < from + group; i++) {
            EpisodeRecord record = records.get(i);
            float[] ofAuctions = new float[record.auctions];
            for (int a = 0; a < record.auctions; a++) {
                int s = record.segment[a];
                before.add(costs.get(i)[s]);
                double advantage = -left.get(i)[s];
                after.add(advantage);
                ofAuctions[a] = (float) advantage;
            }
            advantages.add(ofAuctions);
        }
        int groups = records.size() / group;
        groupVariance += before.variance() / groups;
        leftVariance += after.variance() / groups;
        double spread = Math.sqrt(Math.max(1e-12, after.variance()));
        for (int i = from; i < from + group; i++) {
            float[] scaled = advantages.get(i);
            for (int a = 0; a < scaled.length; a++) {
                scaled[a] = (float) Math.max(-MOST, Math.min(MOST, (scaled[a] - after.mean()) / spread));
            }
        }
    }

    /** The advantages of the auctions of an episode. */
    float[] of(int episode) {
        return advantages.get(episode);
    }

    /** Standard deviation of the cost-to-go inside an episode, job-hours. */
    double rawSpread() {
        return rawSpread;
    }

    /** Standard deviation of the cost-to-go less the mean of the group, job-hours. */
    double groupSpread() {
        return Math.sqrt(groupVariance);
    }

    /**
     * Standard deviation of the cost-to-go less the mean of the group and what the control variate explains, job-hours.
     */
    double leftSpread() {
        return Math.sqrt(leftVariance);
    }

    /** Part of the variance of {@link #groupSpread} that the control variate explains; 0 where there is none. */
    double explainedVariance() {
        return groupVariance == 0 ? 0 : 1 - leftVariance / groupVariance;
    }
}
