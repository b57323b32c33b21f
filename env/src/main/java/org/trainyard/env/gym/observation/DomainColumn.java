package org.trainyard.env.gym.observation;

import org.trainyard.env.ColumnMeaning;

/** What an agent observes of every domain: the columns of the section {@code domains}. */
public enum DomainColumn implements ObservationColumn {
    PRESENT("flag", "1 or 0", "1 when there is a domain."),
    OWN("flag", "1 or 0", "1 when the domain is the agent's own."),
    FREE("ratio", "x", "Free GPUs over all GPUs of the domain."),
    QUEUED_GPUS("GPUs per GPU", "log(1 + x)", "Demand of its waiting jobs over its GPUs: log(1 + that)."),
    QUEUED_JOBS("jobs", "log(1 + x) / 5", "Its waiting jobs: log(1 + jobs) / 5."),
    RELATIVE_LOAD(
            "ratio",
            "x clipped to -2..2",
            "Its load, held and queued GPUs over all its GPUs, less the load of the agent's domain; -2..2."),
    JOBS("jobs", "log(1 + x) / 5", "Its waiting and running jobs: log(1 + jobs) / 5."),
    SIZE("ratio", "x", "Its GPUs over those of the largest domain.");

    private final String unit;
    private final String scale;
    private final String text;

    DomainColumn(String unit, String scale, String text) {
        this.unit = unit;
        this.scale = scale;
        this.text = text;
    }

    @Override
    public ColumnMeaning meaning() {
        return new ColumnMeaning(unit, scale, text);
    }
}
