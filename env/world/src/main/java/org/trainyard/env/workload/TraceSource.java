package org.trainyard.env.workload;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.ServiceProviders;

/** Reads the traces that a config names. A module offers it by {@link ServiceLoader}. */
public interface TraceSource {
    /**
     * How to read.
     *
     * @param format of the file, one of {@link #formats}; or null to tell it by the first lines
     * @param virtualCluster keep the jobs of this one only, or null to keep all
     * @param strict refuse the file at its first bad line
     */
    record Wanted(@Nullable String format, @Nullable String virtualCluster, boolean strict) {}

    /**
     * A trace as read.
     *
     * @param jobs sorted by submission; never empty
     * @param badLineCount lines that were not used
     * @param badLines the first of them
     * @param leftOut jobs of the file that were left out, by reason
     */
    record Jobs(List<TraceJob> jobs, long badLineCount, List<BadLine> badLines, List<LeftOut> leftOut) {}

    /** The names of the formats that can be read, in any case. */
    List<String> formats();

    /** @throws org.trainyard.env.InputException when the file cannot be used */
    Jobs read(Path file, Wanted wanted);

    /** The first source of the class path, by the name of its class; null when there is none. */
    static @Nullable TraceSource installed() {
        return ServiceProviders.first(TraceSource.class).orElse(null);
    }
}
