package org.trainyard.experiments.papers.pollux;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.InputFiles;

/**
 * One workload under one scheduler of Pollux' artifact, in its physics: 16 servers of 4 T4, measured step times.
 *
 * @param workload a file of {@code name,time,application,num_replicas,batch_size}, or the number of a published one
 */
record PolluxReplay(ArtifactScheduler scheduler, String workload) {
    private static final String HEADER = "name,time,application,num_replicas,batch_size";
    /** A job on up to 64 GPUs, which the cluster has. */
    private static final Pattern ROW = Pattern.compile("[^,]+,\\d{1,9},(%s),([1-9]|[1-5]\\d|6[0-4]),[1-9]\\d{0,8}"
            .formatted(String.join("|", PolluxArtifact.APPLICATIONS)));

    /** The scheduler, the workload, the mean JCT and the jobs in the order of the workload. */
    ObjectNode run(PolluxArtifact artifact) {
        List<String[]> rows = rows(artifact);
        Map<String, Double> seconds = scheduler.completionSeconds(artifact, rows);
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("scheduler", scheduler.label());
        root.put("workload", workload);
        root.put(
                "mean_jct_s",
                seconds.values().stream().mapToDouble(Double::doubleValue).sum() / seconds.size());
        ArrayNode jobs = root.putArray("jobs");
        for (String[] row : rows) {
            jobs.addObject()
                    .put("job", row[0])
                    .put("submit_s", Long.parseLong(row[1]))
                    .put("jct_s", Objects.requireNonNull(seconds.get(row[0])).longValue());
        }
        return root;
    }

    private List<String[]> rows(PolluxArtifact artifact) {
        if (workload.matches("[1-%d]".formatted(PolluxArtifact.WORKLOADS))) {
            return artifact.workload("1.0", Integer.parseInt(workload));
        }
        List<String> lines = InputFiles.text(InputFiles.path(workload)).lines().toList();
        if (lines.size() < 2 || !lines.get(0).strip().equals(HEADER)) {
            throw InputException.at("--workload", workload, "1 to 8, or a file with the columns " + HEADER);
        }
        List<String[]> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            if (!ROW.matcher(lines.get(i).strip()).matches()) {
                throw InputException.at(
                        "%s, line %d".formatted(workload, i + 1),
                        lines.get(i),
                        HEADER + " with up to 64 GPUs of an application of " + PolluxArtifact.APPLICATIONS);
            }
            rows.add(lines.get(i).strip().split(",", -1));
        }
        return rows;
    }
}
