package org.trainyard.experiments.drive;

/** A refusal by the manager of a live cluster, with its words; nothing has happened. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean isLate;

    /** @param isLate whether the job had ended or started meanwhile, so that the next look says what happened */
    public RefusedException(String words, boolean isLate) {
        super(words);
        this.isLate = isLate;
    }

    public boolean isLate() {
        return isLate;
    }

    /** Words of the manager. */
    public String words() {
        return String.valueOf(getMessage());
    }
}
