package org.trainyard.env.workload;

/**
 * Segments of a job: servers that lie together, as of {@code --segment} and {@code --consolidate-segments} under
 * Slurm's {@code topology/block}.
 *
 * @param nodes servers of a segment, above zero
 * @param consolidated whether all segments are to be in one higher block
 */
public record Segments(int nodes, boolean consolidated) {
    /** The options that ask for them. */
    @Override
    public String toString() {
        return "--segment=" + nodes + (consolidated ? " --consolidate-segments" : "");
    }
}
