package org.trainyard.experiments.papers.claims;

/**
 * The evidence behind a figure of the record book.
 *
 * @param published the public figure; NaN for none
 * @param rules what every scheduler knew and where the jobs come from, in a word: of the paper, or fair
 * @param sha256 of the event log or of the job times, which anybody can compute again; empty for none
 */
public record Evidence(double published, String rules, String sha256) {
    /** Under the paper's own rules. */
    public static final String THEIRS = "the paper's";
    /** Jobs of the test are later than or other than those of training, and nobody knows a run time. */
    public static final String FAIR = "fair";
}
