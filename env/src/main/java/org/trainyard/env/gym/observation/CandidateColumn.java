package org.trainyard.env.gym.observation;

import org.trainyard.env.ColumnMeaning;

/**
 * What an agent that has taken up a job observes of a server of its domain as the job's next server: the columns of
 * the section {@code candidates}.
 *
 * <p>The server would give as many GPUs as the job still lacks, or all its free ones. All columns are 0 when it has
 * none free.
 */
public enum CandidateColumn implements ObservationColumn {
    PRESENT("flag", "1 or 0", "1 when the server has a free GPU."),
    TAKES_OF_LEFT("ratio", "x", "GPUs that the server would give over those the job still lacks."),
    LEFTOVER("ratio", "x", "GPUs left free on the server afterwards, over all its GPUs."),
    COMPLETES("flag", "1 or 0", "1 when the job has all its GPUs then."),
    OPENS_SERVER("flag", "1 or 0", "1 when the server is empty now."),
    OWN_SLOWDOWN("slowdown", "min(x - 1, 2)", "Predicted slowdown of the job on the server, less 1; at most 2."),
    NEIGHBOUR_SLOWDOWN(
            "slowdown",
            "min(x, 2)",
            "Predicted extra slowdown of all neighbours, each weighted by the part of the job's time that it stays; at most 2."),
    NEIGHBOURS("jobs", "x / 8", "Jobs on the server, an eighth of them."),
    IS_SPLIT("flag", "1 or 0", "1 when the job has GPUs of another server already."),
    TAKES_OF_SERVER("ratio", "x", "GPUs that the server would give over all its GPUs."),
    FILLS("flag", "1 or 0", "1 when no GPU of the server stays free."),
    SPLITS("flag", "1 or 0", "1 when the server would give fewer GPUs than an empty server of its size.");

    private final String unit;
    private final String scale;
    private final String text;

    CandidateColumn(String unit, String scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale, text);
    }
}
