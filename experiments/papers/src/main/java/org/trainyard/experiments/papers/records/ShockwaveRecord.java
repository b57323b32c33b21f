package org.trainyard.experiments.papers.records;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.JsonText;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** Five policies on the physical cluster of the Shockwave paper. */
record ShockwaveRecord(String system) implements RecordStudy {
    private static final String TRACE =
            "shockwave/120_0.2_5_100_40_25_0,0.5,0.5_0.6,0.3,0.09,0.01_multigpu_dynamic.trace.gz";
    private static final String RUNS = "known_answers/shockwave_tacc32_results.json";

    @Override
    public List<String> needs() {
        return List.of(TRACE, RUNS);
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        JsonNode runs = JsonText.read(InputFiles.text(run.data().resolve(RUNS)));
        for (String policy : List.of(
                "allox", "finish-time-fairness", "max-min-fairness", "max-sum-throughput-perf", "min-total-duration")) {
            add(rows, policy, run.data().resolve(TRACE), runs);
        }
        Replays.fair(rows, run, run.data().resolve(TRACE), "8x4");
    }

    private static void add(StudyRun.Rows rows, String policy, Path trace, JsonNode runs) {
        RunResult result = Replays.of(trace, "8x4", "shockwave-" + policy);
        Map<String, Double> physical = new HashMap<>();
        for (JsonNode run : runs) {
            if (run.path("policy").asText().equals(policy.replace('-', '_'))
                    && run.path("kind").asText().equals("physical")) {
                for (int job = 0; job < result.jobs().size(); job++) {
                    physical.put(
                            result.jobs().get(job).job().name(),
                            run.path("jct_list").path(job).asDouble(Double.NaN));
                }
            }
        }
        Map<String, Double> ours = Replays.jctSeconds(result);
        rows.add(
                policy,
                Replays.mean(ours),
                "s of mean JCT",
                null,
                String.format(Locale.ROOT, "job by job %.1f %% apart", Replays.jobByJobPercent(ours, physical)),
                new Evidence(Replays.mean(physical), Evidence.THEIRS, result.eventLogSha256()));
    }
}
