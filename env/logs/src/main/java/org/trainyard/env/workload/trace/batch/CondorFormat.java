package org.trainyard.env.workload.trace.batch;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.FirstLines;
import org.trainyard.env.workload.log.LogFile;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.env.workload.log.TraceRow;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.TextRecords;

/** HTCondor's history, as {@code condor_history -json} or {@code -long} prints it. */
public final class CondorFormat extends HeaderlessFormat {
    private static final Pattern AD = Pattern.compile("[A-Z][A-Za-z0-9_]* = .*");

    public CondorFormat() {
        super("condor", List.of("ClusterId", "ProcId", "QDate", "RequestGpus"), List.of());
    }

    @Override
    protected boolean begins(FirstLines first) {
        return AD.matcher(first.line()).matches();
    }

    @Override
    protected Trace lines(LogFile file, TraceReader.Options options, @Nullable Consumer<TraceJob> jobs)
            throws IOException {
        return TextRecords.read(file, collector(file, options, List.of("ad"), jobs), line -> true, "\n", List::of);
    }

    @Override
    public boolean isJob(JsonNode object) {
        Map<String, String> keys = new LinkedHashMap<>();
        object.fieldNames().forEachRemaining(name -> keys.put(name, ""));
        return CondorAds.isJob(keys);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final CondorAds ads = new CondorAds(log, source.options().loads());

            @Override
            public @Nullable TraceJob add(TraceRow row) {
                Map<String, String> ad = new LinkedHashMap<>();
                row.text("ad").lines().forEach(line -> CondorAds.put(line, ad));
                ads.add(ad);
                return null;
            }

            @Override
            public void add(JsonNode object, JsonNode beside, int line) {
                Map<String, String> ad = new LinkedHashMap<>();
                object.properties()
                        .forEach(
                                field -> ad.put(field.getKey(), field.getValue().asText()));
                ads.add(ad);
            }
        };
    }
}
