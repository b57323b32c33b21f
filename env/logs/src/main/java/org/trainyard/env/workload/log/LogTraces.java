package org.trainyard.env.workload.log;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceSource;

/** The traces of configs, in any format that is here. */
public final class LogTraces implements TraceSource {
    @Override
    public List<String> formats() {
        return LogFormats.labels();
    }

    @Override
    public Jobs read(Path file, Wanted wanted) {
        String label = wanted.format();
        @Nullable LogFormat format = label == null ? null : LogFormats.byLabel(label);
        Trace trace = TraceReader.read(file, new TraceReader.Options(format, wanted.virtualCluster(), wanted.strict()));
        return new Jobs(trace.jobs(), trace.badLineCount(), trace.badLines(), trace.leftOut());
    }
}
