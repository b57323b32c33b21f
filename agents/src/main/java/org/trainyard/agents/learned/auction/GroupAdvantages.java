package org.trainyard.agents.learned.auction;

import java.util.ArrayList;
import java.util.List;

/**
 * Advantages of the auctions of episodes that several environments of a group played with the same jobs: the mean cost-to-go of the others at
 * the same time less one's own, less a linear regression of that difference on the difference of the states, per group in units of its
 * spread.
 *
 * <p>The first baseline is that of H. Mao et al.: Variance reduction for reinforcement learning in input-driven environments, ICLR 2019, here
 * of the others and aligned in simulated time; the regression is a control variate: what the state explains before the decision is no merit of
 * the decision. It is fitted by ridge regression over all auctions of an update.
 */
final class GroupAdvantages {
    private static final double RIDGE = 1e-3;
    private static final double MOST = 4;
    private static final int FIGURES = EpisodeRecord.FIGURES;

    private final List<EpisodeRecord> records;
    private final int group;
    private final boolean hasGroupBaseline;
    private final boolean hasControlVariate;
    /** By episode and segment: the difference of costs, then of figures. */
    private final List<double[]> costs = new ArrayList<>();

    private final List<double[]> figures = new ArrayList<>();
    private final List<float[]> advantages = new ArrayList<>();
    private double rawSpread;
    private double groupSpread;
    private double leftSpread;

    /**
     * @param records those of a group follow each other
     * @param group size of a group, at least 2
     */
    GroupAdvantages(
            List<EpisodeRecord> records,
            int group,
            double tauHours,
            boolean hasGroupBaseline,
            boolean hasControlVariate) {
        this.records = records;
        this.group = group;
        this.hasGroupBaseline = hasGroupBaseline;
        this.hasControlVariate = hasControlVariate;
        for (int from = 0; from < records.size(); from += group) {
            differences(from, tauHours);
        }
        double[] weights = hasControlVariate ? regress() : new double[FIGURES];
        for (int from = 0; from < records.size(); from += group) {
            scale(from, weights);
        }
    }

    private void differences(int from, double tauHours) {
        List<CostToGo> costOf = new ArrayList<>();
        for (int i = from; i < from + group; i++) {
            costOf.add(new CostToGo(records.get(i), tauHours));
        }
        double[] others = new double[FIGURES];
        for (int i = from; i < from + group; i++) {
            EpisodeRecord record = records.get(i);
            double[] cost = new double[record.segments];
            double[] figure = new double[record.segments * FIGURES];
            for (int s = 0; s < record.segments; s++) {
                double hour = record.hours[s];
                double mean = 0;
                java.util.Arrays.fill(others, 0);
                for (int j = from; j < from + group && hasGroupBaseline; j++) {
                    if (j != i) {
                        mean += costOf.get(j - from).atHour(hour) / (group - 1);
                        add(records.get(j), hour, others);
                    }
                }
                cost[s] = costOf.get(i - from).atSegment(s) - mean;
                for (int f = 0; f < FIGURES; f++) {
                    figure[s * FIGURES + f] = record.figures[s * FIGURES + f] - others[f];
                }
            }
            costs.add(cost);
            figures.add(figure);
            addSpread(costOf.get(i - from), record);
        }
    }

    private void add(EpisodeRecord other, double hour, double[] sum) {
        int segment = other.segmentAt(hour);
        if (segment >= 0) {
            for (int f = 0; f < FIGURES; f++) {
                sum[f] += other.figures[segment * FIGURES + f] / (group - 1);
            }
        }
    }

    private void addSpread(CostToGo cost, EpisodeRecord record) {
        double sum = 0;
        double squares = 0;
        for (int a = 0; a < record.auctions; a++) {
            double value = cost.atSegment(record.segment[a]);
            sum += value;
            squares += value * value;
        }
        int n = Math.max(1, record.auctions);
        rawSpread += Math.sqrt(Math.max(0, squares / n - sum / n * (sum / n))) / records.size();
    }

    /** Weights of the figures, by ridge regression of the difference of costs in units of each figure's spread. */
    private double[] regress() {
        double[] spread = new double[FIGURES];
        long count = 0;
        for (int i = 0; i < records.size(); i++) {
            EpisodeRecord record = records.get(i);
            for (int a = 0; a < record.auctions; a++) {
                int at = record.segment[a] * FIGURES;
                for (int f = 0; f < FIGURES; f++) {
                    spread[f] += figures.get(i)[at + f] * figures.get(i)[at + f];
                }
                count++;
            }
        }
        int n = FIGURES + 1;
        double[][] normal = new double[n][n + 1];
        for (int f = 0; f < FIGURES; f++) {
            spread[f] = Math.sqrt(spread[f] / Math.max(1, count)) + 1e-9;
        }
        double[] row = new double[n];
        for (int i = 0; i < records.size(); i++) {
            EpisodeRecord record = records.get(i);
            for (int a = 0; a < record.auctions; a++) {
                int s = record.segment[a];
                for (int f = 0; f < FIGURES; f++) {
                    row[f] = figures.get(i)[s * FIGURES + f] / spread[f];
                }
                row[FIGURES] = 1;
                for (int f = 0; f < n; f++) {
                    for (int g = 0; g < n; g++) {
                        normal[f][g] += row[f] * row[g];
                    }
                    normal[f][n] += row[f] * costs.get(i)[s];
                }
            }
        }
        for (int f = 0; f < FIGURES; f++) {
            normal[f][f] += RIDGE * Math.max(1, count);
        }
        normal[FIGURES][FIGURES] += 1e-9;
        double[] solved = solve(normal);
        double[] weights = new double[FIGURES];
        for (int f = 0; f < FIGURES; f++) {
            weights[f] = solved[f] / spread[f];
        }
        return weights;
    }

    /** Gauss' elimination of a positive definite system with its right side in the last column. */
    private static double[] solve(double[][] system) {
        int n = system.length;
        for (int p = 0; p < n; p++) {
            for (int r = p + 1; r < n; r++) {
                double factor = system[r][p] / system[p][p];
                for (int c = p; c <= n; c++) {
                    system[r][c] -= factor * system[p][c];
                }
            }
        }
        double[] solution = new double[n];
        for (int r = n - 1; r >= 0; r--) {
            double sum = system[r][n];
            for (int c = r + 1; c < n; c++) {
                sum -= system[r][c] * solution[c];
            }
            solution[r] = sum / system[r][r];
        }
        return solution;
    }

    private void scale(int from, double[] weights) {
        double sum = 0;
        double squares = 0;
        double before = 0;
        long count = 0;
        for (int i = from; i < from + group; i++) {
            EpisodeRecord record = records.get(i);
            float[] left = new float[record.auctions];
            for (int a = 0; a < record.auctions; a++) {
                int s = record.segment[a];
                double explained = 0;
                for (int f = 0; f < FIGURES; f++) {
                    explained += weights[f] * figures.get(i)[s * FIGURES + f];
                }
                double advantage = explained - costs.get(i)[s];
                left[a] = (float) advantage;
                sum += advantage;
                squares += advantage * advantage;
                before += costs.get(i)[s] * costs.get(i)[s];
                count++;
            }
            advantages.add(left);
        }
        double mean = sum / Math.max(1, count);
        double spread = Math.sqrt(Math.max(1e-12, squares / Math.max(1, count) - mean * mean));
        int groups = records.size() / group;
        groupSpread += Math.sqrt(before / Math.max(1, count)) / groups;
        leftSpread += spread / groups;
        for (int i = from; i < from + group; i++) {
            float[] left = advantages.get(i);
            for (int a = 0; a < left.length; a++) {
                left[a] = (float) Math.max(-MOST, Math.min(MOST, (left[a] - mean) / spread));
            }
        }
    }

    /** The advantages of the auctions of an episode. */
    float[] of(int episode) {
        return advantages.get(episode);
    }

    /** Standard deviation of the cost-to-go, job-hours. */
    double rawSpread() {
        return rawSpread;
    }

    /** The same less the mean of the group. */
    double groupSpread() {
        return groupSpread;
    }

    /** The same less what the control variate explains. */
    double leftSpread() {
        return leftSpread;
    }

    boolean isControlled() {
        return hasControlVariate;
    }
}
