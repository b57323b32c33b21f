package org.trainyard.env.workload.log;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;

/**
 * Formats of logs from outside the core.
 *
 * <p>A jar offers them by a public class with a public constructor without arguments, whose name stands in its file
 * {@code META-INF/services/org.trainyard.env.workload.log.LogPlugin}.
 */
public interface LogPlugin {
    /** The formats, in the order in which they are listed, and in which a file is tried. */
    List<LogFormat> formats();

    /**
     * The format of a table whose columns a user names, such as {@code job=id,gpus=gpu_num,submit=time}; null when the
     * plugin reads no such tables.
     */
    default @Nullable LogFormat named(String columns) {
        return null;
    }

    /**
     * Reads a file whose first lines tell no format, such as JSON; null when the plugin does not know it, either.
     *
     * @param options name the format, where the user does
     * @param jobs is given each job, as its file has it, in place of the trace; or null
     * @throws InputException when the plugin knows what the file is in place of a log, or what is wrong with it
     */
    default @Nullable Trace other(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return null;
    }
}
