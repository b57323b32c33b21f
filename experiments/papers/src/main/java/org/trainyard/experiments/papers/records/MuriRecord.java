package org.trainyard.experiments.papers.records;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.papers.claims.Evidence;
import org.trainyard.experiments.papers.studies.RecordStudy;
import org.trainyard.experiments.papers.studies.StudyRun;

/** Six policies on the physical testbed of the Muri paper, of which three are replayed. */
record MuriRecord(String system) implements RecordStudy {
    private static final String TRACE = "muri/cluster_exp_trace.csv.gz";
    private static final String TIMES = "muri/testbed_64V100_results/%s_job.csv.gz";

    private record Policy(String published, String preset, String reason) {}

    private static final List<Policy> POLICIES = List.of(
            new Policy("SRTF", "muri-srtf", ""),
            new Policy("SRSF", "muri-srsf", ""),
            new Policy("tiresias", "muri-tiresias", ""),
            new Policy(
                    "themis",
                    "",
                    "no replay: their Themis, a filter by finish-time fairness, is not among the presets"),
            new Policy("Muri-S", "", "no replay: their interleaving of stages of jobs is not among the schedulers"),
            new Policy("Muri-L", "", "no replay: their interleaving of stages of jobs is not among the schedulers"));

    @Override
    public List<String> needs() {
        return List.of(TRACE, TIMES.formatted("SRTF"));
    }

    @Override
    public void add(StudyRun.Rows rows, StudyRun run) {
        for (Policy policy : POLICIES) {
            Map<String, Double> physical = physical(run.data().resolve(TIMES.formatted(policy.published())));
            if (policy.preset().isEmpty()) {
                Evidence evidence = new Evidence(Replays.mean(physical), Evidence.THEIRS, "");
                rows.add(policy.published(), Double.NaN, "s of mean JCT", null, policy.reason(), evidence);
                continue;
            }
            RunResult result = Replays.of(run.data().resolve(TRACE), "8x8", policy.preset());
            Map<String, Double> ours = Replays.jctSeconds(result);
            rows.add(
                    policy.published(),
                    Replays.mean(ours),
                    "s of mean JCT",
                    null,
                    String.format(Locale.ROOT, "job by job %.1f %% apart", Replays.jobByJobPercent(ours, physical)),
                    new Evidence(Replays.mean(physical), Evidence.THEIRS, result.eventLogSha256()));
        }
        Replays.fair(rows, run, run.data().resolve(TRACE), "8x8");
    }

    /** JCT of each job on the testbed, seconds. */
    private static Map<String, Double> physical(Path file) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(InputFiles.readable(file))), StandardCharsets.UTF_8))) {
            List<String[]> lines =
                    reader.lines().map(line -> line.split(",", -1)).toList();
            int job = List.of(lines.get(0)).indexOf("job_id");
            int jct = List.of(lines.get(0)).indexOf("JCT");
            Map<String, Double> seconds = new HashMap<>();
            lines.stream().skip(1).forEach(line -> seconds.put(line[job], Double.valueOf(line[jct])));
            return seconds;
        } catch (IOException e) {
            throw new InputException("%s: cannot be read (%s)".formatted(file, e.getMessage()));
        }
    }
}
