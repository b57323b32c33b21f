package org.trainyard.env.workload.trace.log;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a text says of GPUs, such as {@code cpu=8,gres/gpu:a100=2}. */
public interface GpuText {
    /** No text says anything of GPUs. */
    GpuText NONE = (column, text, shards) -> null;

    /**
     * GPUs, or parts of GPUs, of a text.
     *
     * @param milli the part of each, in thousandths
     * @param remark how parts were found, as a sentence with a count, or null
     * @param reason why there are none to count
     */
    record Found(
            long count,
            int milli,
            Set<String> types,
            @Nullable String remark,
            String reason) {}

    /**
     * The demand that the text states, or null when it is none of its kind.
     *
     * @param column is named when the text cannot be used
     * @param shards that are a whole GPU; 0 when nobody says
     */
    @Nullable Found of(String column, String text, int shards);
}
