package org.trainyard.env.scheduling.pairs;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InvalidFieldException;

/** Knowledge of schedulers about the slowdown of two jobs that share a GPU. */
public enum PairKnowledge {
    /** Predictions of the belief. */
    BELIEVED("Believed"),
    /** Predictions of the belief, corrected by the pairs that have run on the cluster ({@link ObservedPairs}). */
    OBSERVED("Observed"),
    /** Only the mean of the belief's predictions for all pairs ({@link MeanOfPairs}): an ablation. */
    MEAN("Mean");

    private final String title;

    PairKnowledge(String title) {
        this.title = title;
    }

    /** The knowledge of this name in the field {@code sharers} of a file; null stands for {@link #BELIEVED}. */
    public static PairKnowledge of(@Nullable String title) {
        if (title == null) {
            return BELIEVED;
        }
        for (PairKnowledge knowledge : values()) {
            if (knowledge.title.equals(title)) {
                return knowledge;
            }
        }
        throw new InvalidFieldException(
                "colocationKnowledge",
                title,
                Arrays.stream(values())
                        .map(knowledge -> knowledge.title)
                        .collect(Collectors.joining(", ", "one of ", "")));
    }
}
