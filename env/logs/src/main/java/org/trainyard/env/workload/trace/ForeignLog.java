package org.trainyard.env.workload.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.log.Meaning;
import org.trainyard.env.workload.log.TraceColumns;

/** Logs that no format reads, by the names of their managers, with the {@code --columns} that read them. */
final class ForeignLog {
    private static final String FLUX =
            "--columns, for Flux is not read by itself, as it does not say its GPUs: what flux jobs -a --json prints is read by"
                    + " --columns \"job=id,gpus=nnodes*8,submit=t_submit,start=t_run,end=t_cleanup\" where servers are given"
                    + " whole and have 8";

    private static final String OAR =
            "--columns, for OAR is not read by itself, as its jobs do not say their GPUs: a table of its jobs with a column of"
                    + " them is read by --columns \"job=job_id,gpus=GPUS,submit=submission_time,start=start_time,end=stop_time\"";

    private static final String ALCF =
            "--columns, for logs of ALCF are not read by themselves, as they do not say their GPUs: --columns"
                    + " \"job=%s,gpus=nodes_used*4,submit=queued_timestamp,start=start_timestamp,end=end_timestamp\" where"
                    + " servers have 4, as those of Polaris";

    private static final String DOCUMENTS =
            "--columns, for Slurm's jobcomp/elasticsearch is not read by itself: --columns"
                    + " \"job=%1$sjobid,gpus=%1$stres_alloc,submit=%1$s@submit,start=%1$s@start,end=%1$s@end,state=%1$sstate\"";

    private static final Pattern FLUX_TABLE = Pattern.compile("\\s*JOBID\\s+(QUEUE\\s+)?USER\\s+NAME\\s+ST\\s.*");
    private static final Pattern QACCT = Pattern.compile("={20,}|qname\\s+\\S.*");

    private static final Set<Meaning> TIMES = Set.of(Meaning.SUBMIT, Meaning.START, Meaning.END);

    private ForeignLog() {}

    /** Advice on a table with this first line and these columns, or null when no known program writes it. */
    static @Nullable String table(String line, TraceColumns columns) {
        if (FLUX_TABLE.matcher(line).matches()) {
            return FLUX;
        } else if (QACCT.matcher(line).matches()) {
            return "Grid Engine's file of accounting (default/common/accounting), for what qacct prints is not read";
        }
        if (columns.has("queued_timestamp") && columns.has("start_timestamp") && columns.has("nodes_used")) {
            return ALCF.formatted(columns.has("cobalt_jobid") ? "cobalt_jobid" : "job_name");
        }
        return columns.has("submission_time") && columns.has("stop_time") ? OAR : null;
    }

    /** Advice on an object of JSON, or null when no known program writes it. */
    static @Nullable String json(JsonNode job) {
        if (job.has("t_submit") && (job.has("t_run") || job.has("t_cleanup") || job.has("nnodes"))) {
            return FLUX;
        } else if (job.has("@submit")) {
            return DOCUMENTS.formatted("");
        } else if (job.path("_source").has("@submit")) {
            return DOCUMENTS.formatted("_source.");
        } else if (job.path("hits").path("hits").isArray()) {
            return "documents one after another, as jq -c '.hits.hits[]' prints them; "
                    + DOCUMENTS.formatted("_source.");
        }
        // A list of OAR is an object that has its jobs by their ids.
        JsonNode first = job.isObject() && !job.isEmpty() ? job.elements().next() : job;
        return isOfOar(job) || isOfOar(first) ? OAR : null;
    }

    private static boolean isOfOar(JsonNode job) {
        return (job.has("submissionTime") && job.has("startTime"))
                || (job.has("submission_time") && job.has("stop_time"));
    }

    /** Whether columns of these names seem to be of jobs, for they have two of their times. */
    static boolean hasTimes(Collection<String> names) {
        return names.stream()
                        .map(Meaning::ofColumn)
                        .filter(Objects::nonNull)
                        .filter(TIMES::contains)
                        .distinct()
                        .count()
                > 1;
    }
}
