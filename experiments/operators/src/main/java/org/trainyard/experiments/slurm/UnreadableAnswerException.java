package org.trainyard.experiments.slurm;

import org.trainyard.env.InputException;

/** The answer of a manager is no success, or cannot be read: it may be another one later. */
public final class UnreadableAnswerException extends InputException {
    private static final long serialVersionUID = 1;

    public UnreadableAnswerException(InputException why) {
        super(String.valueOf(why.getMessage()), why.fault());
    }
}
