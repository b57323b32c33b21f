package org.trainyard.env.workload.log;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.Segments;

/** Reads segments from the options of a submission to Slurm. */
public final class SegmentOptions {
    private static final String SIZE = "--segment";
    private static final String CONSOLIDATED = "--consolidate-segments";

    private SegmentOptions() {}

    /**
     * The segments that the options of a command ask for, up to the first word that is none of them nor the value of
     * one.
     *
     * @param nodes of a segment where that is known without the command, else 0
     * @return null for none
     */
    public static @Nullable Segments of(String command, int nodes) {
        int size = nodes;
        boolean consolidated = false;
        String before = "-";
        for (String word : command.strip().split("\\s+", -1)) {
            boolean isOption = word.startsWith("-");
            if (!isOption && (!before.startsWith("-") || before.contains("="))) {
                break;
            }
            String value =
                    before.equals(SIZE) ? word : word.startsWith(SIZE + "=") ? word.substring(SIZE.length() + 1) : "";
            size = value.matches("\\d{1,6}") ? Integer.parseInt(value) : size;
            consolidated |= word.equals(CONSOLIDATED);
            before = word;
        }
        return size == 0 ? null : new Segments(size, consolidated);
    }
}
