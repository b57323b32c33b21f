package org.trainyard.env.gym.observation;

import org.trainyard.env.ColumnMeaning;

/** What an agent observes of the whole cluster and of itself: the columns of the section {@code global}. */
public enum GlobalColumn implements ObservationColumn {
    HAS_FOCUS("flag", "1 or 0", "1 when the agent has taken up a job."),
    PLACED("ratio", "x", "GPUs chosen for that job so far over its demand; 0 without one."),
    FREE("ratio", "x", "Free GPUs over all GPUs of the cluster."),
    WAITING("jobs", "log(1 + x) / 5", "Waiting jobs of the cluster: log(1 + jobs) / 5."),
    RUNNING("jobs", "log(1 + x) / 5", "Running jobs of the cluster: log(1 + jobs) / 5."),
    OWN_QUEUE("jobs", "log(1 + x) / 5", "Waiting jobs of the agent's domain: log(1 + jobs) / 5."),
    WINDOW("ratio", "x", "Jobs in the agent's window over the slots of the window."),
    DAY_SINE("day", "sin(2 pi x)", "Sine of the time of day, a full turn in 24 h from the start of the episode."),
    DAY_COSINE("day", "cos(2 pi x)", "Cosine of the time of day.");

    private final String unit;
    private final String scale;
    private final String text;

    GlobalColumn(String unit, String scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale, text);
    }
}
