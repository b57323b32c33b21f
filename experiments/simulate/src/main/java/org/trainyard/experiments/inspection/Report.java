package org.trainyard.experiments.inspection;

import org.trainyard.experiments.io.Answer;

/** Report of {@code inspect} on a file or folder. */
public interface Report {
    Answer answer();

    /** A record, or maps, lists and plain values. */
    Object json();
}
