package org.trainyard.env.workload;

import org.jspecify.annotations.Nullable;

/**
 * Segments of a job: servers that lie together, as of {@code --segment} and {@code --consolidate-segments} under Slurm's
 * {@code topology/block}.
 *
 * @param nodes servers of a segment, above zero
 * @param consolidated whether all segments are to be in one higher block
 */
public record Segments(int nodes, boolean consolidated) {
    private static final String SIZE = "--segment";
    private static final String CONSOLIDATED = "--consolidate-segments";

    /**
     * The segments that the options of a command ask for, up to the first word that is none of them nor the value of one.
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

    /** The options that ask for them. */
    @Override
    public String toString() {
        return SIZE + "=" + nodes + (consolidated ? " " + CONSOLIDATED : "");
    }
}
