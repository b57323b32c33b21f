package org.trainyard.env.workload.trace.slurm;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.trace.log.TextRecords;

/** Jobs of Slurm as {@code scontrol show job -o} prints them. */
public final class ScontrolFormat extends SlurmFormat {
    public ScontrolFormat() {
        super(
                "scontrol",
                List.of("JobId=", "JobState=", "SubmitTime=", "StartTime=", "EndTime="),
                List.of(),
                Writer.OTHER);
    }

    @Override
    protected boolean hasHeader() {
        return false;
    }

    @Override
    protected boolean begins(FirstLines first) {
        return first.line().startsWith("JobId=");
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TextRecords.read(
                file,
                collector(file, options, ScontrolText.COLUMNS, jobs),
                line -> Character.isWhitespace(line.charAt(0)),
                " ",
                ScontrolText::row);
    }
}
