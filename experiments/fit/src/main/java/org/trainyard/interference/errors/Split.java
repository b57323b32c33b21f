package org.trainyard.interference.errors;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.trainyard.env.RandomStreams;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;

/** Divisions of rows into folds for cross-validation. */
public enum Split {
    /** Rows are drawn into folds one by one; repeats of a pair on the same hardware stay together. */
    RANDOM("random rows"),
    /** All rows of an unordered pair are in one fold. */
    PAIRS("unseen pairs of known types"),
    /** Training rows hold no job type of the fold, neither as victim nor as neighbour. */
    TYPES("unseen job types"),
    /** Training rows hold no architecture of the fold. */
    ARCHITECTURES("unseen architectures"),
    /** {@link #ARCHITECTURES}, but own pairs of a type are training rows: the value of one measurement per new type. */
    OWN_PAIRS("unseen architectures, own pairs measured");

    private static final int FOLDS = 5;
    private final String title;

    Split(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** Training and test rows of one model. */
    public record Fold(List<Measurement> training, List<Measurement> test) {}

    /** The folds of some rows; stream {@code interference split}. A fold whose training would be empty is left out. */
    public List<Fold> folds(List<Measurement> rows, long seed) {
        List<Fold> folds = switch (this) {
            case RANDOM ->
                byGroup(
                        rows,
                        seed,
                        row -> row.victim().label() + "|" + row.neighbour().label() + "|" + row.hardware());
            case PAIRS -> byGroup(rows, seed, Split::unordered);
            case TYPES -> without(rows, deal(rows, seed, JobType::label, FOLDS), JobType::label);
            case ARCHITECTURES ->
                without(rows, deal(rows, seed, JobType::architecture, Integer.MAX_VALUE), JobType::architecture);
            case OWN_PAIRS ->
                ARCHITECTURES.folds(rows, seed).stream()
                        .map(Split::knowingOwnPairs)
                        .toList();
        };
        return folds.stream()
                .filter(fold -> !fold.training().isEmpty() && !fold.test().isEmpty())
                .toList();
    }

    /** Returns a fold in which the test pairs of a type with itself are training rows. */
    private static Fold knowingOwnPairs(Fold fold) {
        Map<Boolean, List<Measurement>> test =
                fold.test().stream().collect(Collectors.partitioningBy(Measurement::isOwnPair));
        return new Fold(
                Stream.concat(fold.training().stream(), test.getOrDefault(true, List.of()).stream())
                        .toList(),
                test.getOrDefault(false, List.of()));
    }

    private static String unordered(Measurement row) {
        String a = row.victim().label();
        String b = row.neighbour().label();
        return a.compareTo(b) < 0 ? a + "|" + b : b + "|" + a;
    }

    private static List<Fold> byGroup(List<Measurement> rows, long seed, Function<Measurement, String> group) {
        Map<String, Integer> fold = new TreeMap<>();
        rows.forEach(row -> fold.put(group.apply(row), 0));
        assign(fold, seed, FOLDS);
        List<Fold> folds = new ArrayList<>();
        for (int i = 0; i < FOLDS; i++) {
            int held = i;
            folds.add(new Fold(
                    rows.stream()
                            .filter(row -> fold.getOrDefault(group.apply(row), -1) != held)
                            .toList(),
                    rows.stream()
                            .filter(row -> fold.getOrDefault(group.apply(row), -1) == held)
                            .toList()));
        }
        return folds;
    }

    private static Map<String, Integer> deal(
            List<Measurement> rows, long seed, Function<JobType, String> name, int folds) {
        Map<String, Integer> fold = new TreeMap<>();
        for (Measurement row : rows) {
            fold.put(name.apply(row.victim()), 0);
            fold.put(name.apply(row.neighbour()), 0);
        }
        assign(fold, seed, Math.min(folds, fold.size()));
        return fold;
    }

    private static void assign(Map<String, Integer> fold, long seed, int folds) {
        List<String> names = new ArrayList<>(fold.keySet());
        RandomGenerator random = RandomStreams.stream(seed, "interference split");
        for (int i = 0; !names.isEmpty(); i++) {
            fold.put(names.remove(random.nextInt(names.size())), i % folds);
        }
    }

    private static List<Fold> without(
            List<Measurement> rows, Map<String, Integer> fold, Function<JobType, String> name) {
        List<Fold> folds = new ArrayList<>();
        for (int held : new TreeSet<>(fold.values())) {
            List<Measurement> training = new ArrayList<>();
            List<Measurement> test = new ArrayList<>();
            for (Measurement row : rows) {
                boolean unseen = fold.getOrDefault(name.apply(row.victim()), -1) == held
                        || fold.getOrDefault(name.apply(row.neighbour()), -1) == held;
                (unseen ? test : training).add(row);
            }
            folds.add(new Fold(training, test));
        }
        return folds;
    }
}
