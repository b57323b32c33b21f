package org.trainyard.experiments.inspection;

import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;

/** Report of {@code inspect} on a file or folder. */
public interface Report {
    Answer answer();

    /** The metrics of a training over its updates, or null where it is of none. */
    default @Nullable AnswerTable<?> curve() {
        return null;
    }

    /** A record, or maps, lists and plain values. */
    Object json();
}
