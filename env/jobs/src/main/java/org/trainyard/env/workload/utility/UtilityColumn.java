package org.trainyard.env.workload.utility;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.columns.TermColumn;

/** The column {@code utility} of traces: the label of a {@link JobUtility}. */
public final class UtilityColumn implements TermColumn<JobUtility> {
    @Override
    public int position() {
        return 10;
    }

    @Override
    public String name() {
        return "utility";
    }

    @Override
    public Class<JobUtility> type() {
        return JobUtility.class;
    }

    @Override
    public @Nullable JobUtility parse(String label) {
        return JobUtility.parse(label);
    }

    @Override
    public String label(JobUtility value) {
        return value.label();
    }

    @Override
    public String form() {
        return "sigmoid:PRIORITY:SENSITIVITY:TARGET_S[:HORIZON_S], or logarithm, saturation, root or"
                + " exponential:WEIGHT:SCALE_S[:HORIZON_S]";
    }
}
