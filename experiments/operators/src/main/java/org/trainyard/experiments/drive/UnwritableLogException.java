package org.trainyard.experiments.drive;

import org.trainyard.env.InputException;

/** The log of a driver cannot be written, as on a full disk: what it did would be forgotten, so that it has to end. */
final class UnwritableLogException extends InputException {
    private static final long serialVersionUID = 1;

    UnwritableLogException(InputException why) {
        super(String.valueOf(why.getMessage()), why.fault());
    }
}
