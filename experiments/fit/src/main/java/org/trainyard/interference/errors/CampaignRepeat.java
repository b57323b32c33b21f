package org.trainyard.interference.errors;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.validation.HeldOutPrediction;

/**
 * The distance of two campaigns on the pairs that both report: a bound on the accuracy that a model of one can have on
 * the other.
 *
 * @param measuredAgain whether the pairs were measured again; false when only each victim's rate alone differs
 * @param score of the second campaign as a prediction of the first
 */
public record CampaignRepeat(Domain domain, String first, String second, boolean measuredAgain, Score score) {
    /** Relative difference of slowdown quotients below which they count as equal. */
    private static final double SAME = 1e-6;

    private record Key(String victim, String neighbour) {
        static Key of(Measurement row) {
            return new Key(row.victim().label(), row.neighbour().label());
        }
    }

    /** All pairs of campaigns that have measured pairs in common, by domain. */
    public static List<CampaignRepeat> of(List<Measurement> rows) {
        List<CampaignRepeat> repeats = new ArrayList<>();
        for (Domain domain :
                new TreeSet<>(rows.stream().map(Measurement::domain).toList())) {
            List<Measurement> its =
                    rows.stream().filter(row -> row.domain().equals(domain)).toList();
            List<String> campaigns = List.copyOf(
                    new TreeSet<>(its.stream().map(Measurement::source).toList()));
            for (int i = 0; i < campaigns.size(); i++) {
                for (int k = i + 1; k < campaigns.size(); k++) {
                    compare(domain, its, campaigns.get(i), campaigns.get(k), repeats);
                }
            }
        }
        return List.copyOf(repeats);
    }

    private static void compare(
            Domain domain, List<Measurement> rows, String first, String second, List<CampaignRepeat> repeats) {
        Map<Key, Measurement> again = new HashMap<>();
        for (Measurement row : rows) {
            if (row.source().equals(second)) {
                again.put(Key.of(row), row);
            }
        }
        List<HeldOutPrediction> guesses = new ArrayList<>();
        // By victim: the least and the greatest quotient of its slowdowns.
        Map<String, double[]> quotients = new HashMap<>();
        for (Measurement row : rows) {
            Measurement other = row.source().equals(first) ? again.get(Key.of(row)) : null;
            if (other != null) {
                guesses.add(new HeldOutPrediction(row, 0, other.ratio()));
                if (!row.capped() && !other.capped()) {
                    double quotient = row.slowdown() / other.slowdown();
                    quotients.merge(row.victim().label(), new double[] {quotient, quotient}, (a, b) ->
                            new double[] {Math.min(a[0], b[0]), Math.max(a[1], b[1])});
                }
            }
        }
        if (!guesses.isEmpty()) {
            boolean differs = quotients.values().stream().anyMatch(ends -> ends[1] > ends[0] * (1 + SAME));
            repeats.add(new CampaignRepeat(domain, first, second, differs, Score.of(guesses, Double.NaN)));
        }
    }
}
