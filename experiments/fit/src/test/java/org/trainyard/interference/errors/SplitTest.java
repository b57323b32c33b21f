package org.trainyard.interference.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;

class SplitTest {
    /** Every pair of three architectures with two types each. */
    private static List<Measurement> rows() {
        List<JobType> types = new ArrayList<>();
        for (String architecture : List.of("a", "b", "c")) {
            types.add(new JobType(architecture + "1", architecture, Map.of()));
            types.add(new JobType(architecture + "2", architecture, Map.of()));
        }
        List<Measurement> rows = new ArrayList<>();
        for (JobType victim : types) {
            for (JobType neighbour : types) {
                rows.add(new Measurement(victim, neighbour, Scope.GPU, "v100", 2, "x", 1, false));
            }
        }
        return rows;
    }

    private static Set<String> architectures(List<Measurement> rows) {
        Set<String> all = new HashSet<>();
        rows.forEach(row -> {
            all.add(row.victim().architecture());
            all.add(row.neighbour().architecture());
        });
        return all;
    }

    @Test
    void no_row_of_an_unseen_architecture_is_trained_on() {
        List<Split.Fold> folds = Split.ARCHITECTURES.folds(rows(), 1);

        assertThat(folds).hasSize(3).allSatisfy(fold -> {
            Set<String> known = architectures(fold.training());
            assertThat(known).hasSize(2);
            assertThat(fold.test())
                    .allSatisfy(row -> assertThat(known.contains(row.victim().architecture())
                                    && known.contains(row.neighbour().architecture()))
                            .isFalse());
        });
    }

    @Test
    void with_own_pairs_measured_nothing_else_of_an_unseen_architecture_is_trained_on() {
        List<Split.Fold> without = Split.ARCHITECTURES.folds(rows(), 1);
        List<Split.Fold> with = Split.OWN_PAIRS.folds(rows(), 1);

        assertThat(with).hasSameSizeAs(without);
        for (int i = 0; i < with.size(); i++) {
            List<Measurement> more = new ArrayList<>(with.get(i).training());
            more.removeAll(without.get(i).training());
            assertThat(more).hasSize(2).allMatch(Measurement::isOwnPair);
            assertThat(with.get(i).test())
                    .doesNotContainAnyElementsOf(with.get(i).training());
            assertThat(with.get(i).test().size() + with.get(i).training().size())
                    .isEqualTo(rows().size());
        }
    }
}
