package org.trainyard.env.workload.trace.batch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.LogRows;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.trace.log.JobRows;
import org.trainyard.env.workload.trace.log.LogEntry;
import org.trainyard.env.workload.trace.log.LogJobs;

/** The job log of Microsoft's Philly as published, JSON with the attempts of every job. */
public final class PhillyFormat extends HeaderlessFormat {
    public PhillyFormat() {
        super("philly-log", List.of("jobid", "attempts", "submitted_time"), List.of());
    }

    @Override
    public boolean isJob(JsonNode object) {
        return PhillyJson.isJob(object);
    }

    @Override
    protected LogRows rows(LogRows.Source source) {
        return new JobRows(source) {
            private final PhillyJson jobs = new PhillyJson(log);

            @Override
            public void add(JsonNode object, JsonNode beside, int line) {
                jobs.add(object);
            }
        };
    }

    /**
     * Reads the job log of Microsoft's Philly (M. Jeon et al., ATC 2019): a job with its attempts, each with the
     * servers and GPUs that it held. The attempts are runs of the job, which waits between them.
     */
    private static final class PhillyJson {
        private final LogJobs jobs;

        PhillyJson(LogJobs jobs) {
            this.jobs = jobs;
        }

        /** Whether an object is a job of Philly. */
        static boolean isJob(JsonNode node) {
            return node.has("attempts") && node.has("submitted_time");
        }

        /** Takes one job. */
        void add(JsonNode job) {
            String id = job.path(job.has("jobid") ? "jobid" : "id").asText();
            JsonNode attempts = job.path("attempts");
            if (id.isEmpty() || !attempts.isArray()) {
                throw new TraceFieldException("jobid", id, "a job with an id and a list of attempts");
            }
            if (attempts.isEmpty()) {
                jobs.leaveOut("that never ran");
                return;
            }
            long submit = jobs.clock()
                    .nanos("submitted_time", job.path("submitted_time").asText(), 0);
            LogEntry[] runs = new LogEntry[attempts.size()];
            for (int i = 0; i < runs.length; i++) {
                runs[i] = run(id, job, attempts.get(i), submit);
                if (runs[i] == null) {
                    return;
                }
            }
            for (int i = 0; i < runs.length; i++) {
                jobs.take(runs[i].resumable(i + 1 < runs.length));
            }
        }

        /** A run, or null when the job is left out and counted. */
        private @Nullable LogEntry run(String id, JsonNode job, JsonNode attempt, long submit) {
            int gpus = job.path("num_gpus").asInt();
            Set<String> hosts = new TreeSet<>();
            int listed = 0;
            for (JsonNode server : attempt.path("detail")) {
                listed += server.path("gpus").size();
                hosts.add(server.path("ip").asText());
            }
            gpus = Math.max(gpus, listed);
            String user = text(job.path("user"));
            LogEntry entry = new LogEntry(id)
                    .submitted(submit)
                    .gpus(Math.min(gpus, TraceLimits.GPUS), 1000)
                    .by(user, null, null)
                    .in(text(job.path("vc")))
                    .on(hosts.isEmpty() ? null : String.join(",", hosts))
                    .ended(text(job.path("status")), null, null);
            if (gpus < 1) {
                jobs.leaveOut("without GPUs");
                return null;
            }
            String begin = attempt.path("start_time").asText("");
            String end = attempt.path("end_time").asText("");
            if (!isTime(begin)) {
                jobs.leaveOut("that never ran");
                return null;
            }
            long start = jobs.clock().nanos("start_time", begin, submit);
            if (!isTime(end)) {
                jobs.stillRan("that still ran", entry.ran(start, -1));
                return null;
            }
            long ended = jobs.clock().nanos("end_time", end, start);
            if (start < submit || ended < start) {
                String wrong = start < submit ? "start_time" : "end_time";
                throw new TraceFieldException(
                        wrong, start < submit ? begin : end, "a time not before those of its submission and start");
            }
            return entry.ran(start, ended);
        }

        private static boolean isTime(String text) {
            return !text.isEmpty() && !text.equals("null") && !text.equals("None");
        }

        private @Nullable String text(JsonNode node) {
            return node.isTextual() && !node.asText().isEmpty() ? jobs.shared(node.asText()) : null;
        }
    }
}
