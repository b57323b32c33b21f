package org.trainyard.env.workload.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceJob;

/**
 * A format of logs and traces: its name, what tells its files from others, and what reads them. A {@link LogPlugin}
 * brings formats in; {@link RowFormat} is the usual one, a table.
 */
public interface LogFormat {
    /** The name people use for it. */
    String label();

    /** The columns a file of this format must have; any of several between bars will do. */
    List<String> required();

    /** The columns it may have. */
    List<String> optional();

    /** Whether a file seems to be of this format, by its first lines. */
    boolean sniff(LogFile file);

    /**
     * Reads a file that is said or seems to be of this format.
     *
     * @param jobs is given each job, as its file has it, in place of the trace; or null
     * @throws InputException when the file cannot be used
     */
    Trace read(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs) throws IOException;

    /** The table of this format in a folder with the tables of a trace, or null when it is none of such. */
    default @Nullable Path tableIn(Path folder) {
        return null;
    }

    /** The format's word for a virtual cluster. */
    default String tenant() {
        return "VC";
    }
}
