package org.trainyard.experiments.slurm;

import java.util.List;
import org.trainyard.env.InputException;

/** A manager has not answered: nobody knows whether it did what it was asked for, and it may answer the same later. */
public final class UnansweredException extends InputException {
    private static final long serialVersionUID = 1;

    /** @param why in the words of the command */
    public UnansweredException(String manager, List<String> command, String why) {
        super("%s does not answer %s (%s)".formatted(manager, String.join(" ", command), why));
    }
}
