package org.trainyard.experiments.papers.pollux;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.experiments.papers.archive.TarFile;

/**
 * The files of Pollux' artifact: measurements of six applications, workloads and published completion times.
 *
 * <p>Source: A. Qiao et al.: Pollux: co-adaptive cluster scheduling for goodput-optimized deep learning, OSDI 2021.
 */
public final class PolluxArtifact {
    /** Workloads of each load. */
    public static final int WORKLOADS = 8;

    /** The applications that were measured. */
    static final List<String> APPLICATIONS = List.of("bert", "cifar10", "ncf", "imagenet", "deepspeech2", "yolov3");

    private static final Pattern JCT = Pattern.compile("\"([^\"]+)\": ([0-9.]+|\\{)");

    private final Path measurements;
    private final Path workloads;
    private final Map<String, MeasuredApplication> applications = new HashMap<>();

    /** @param folder that holds the two archives */
    public PolluxArtifact(Path folder) {
        measurements = folder.resolve("throughput_traces_T4.tar.xz");
        workloads = folder.resolve("workloads_and_results.tar.xz");
    }

    /** An application of the six, read once. */
    MeasuredApplication application(String name) {
        return applications.computeIfAbsent(name, key -> {
            String folder = "pollux/pollux_simulator/traces/%s/".formatted(key);
            Map<String, List<String[]>> files = traces(folder);
            return switch (key) {
                case "bert" -> new MeasuredApplication(key, folder, files, 2, 0);
                case "cifar10" -> new MeasuredApplication(key, folder, files, 100, 0);
                case "ncf" -> new MeasuredApplication(key, folder, files, 10, 0);
                case "imagenet" -> new MeasuredApplication(key, folder, files, 90, 0);
                case "deepspeech2" -> new MeasuredApplication(key, folder, files, 80, 0);
                case "yolov3" -> new MeasuredApplication(key, folder, files, 50, 8);
                default -> throw new IllegalArgumentException(key);
            };
        });
    }

    /** The rows of every CSV file of a folder, without headers, by file. */
    private Map<String, List<String[]>> traces(String folder) {
        Map<String, List<String[]>> files = new HashMap<>();
        List<String[]> rows = new ArrayList<>();
        for (String line : TarFile.lines(measurements, "-v", "--wildcards", folder + "*.csv")) {
            if (line.startsWith(folder)) {
                rows = new ArrayList<>();
                files.put(line.strip(), rows);
            } else if (Character.isDigit(line.charAt(0))) {
                rows.add(line.split(",", -1));
            }
        }
        return files;
    }

    /**
     * The jobs of a workload: name, time, application, GPUs, batch.
     *
     * @param load "0.5", "1.0", "1.5" or "2.0"
     * @param number 1 to {@link #WORKLOADS}
     */
    public List<String[]> workload(String load, int number) {
        String member = "simulator/workloads%s/workload-%d.csv".formatted(load.equals("1.0") ? "" : "-" + load, number);
        return TarFile.lines(workloads, member).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
    }

    /** Completion times as published, seconds, by workload and job. */
    public Map<String, Map<String, Double>> published(String policy, String load) {
        String member = "simulator/results-jobload/%s-%s/summary.json".formatted(policy, load);
        Map<String, Map<String, Double>> all = new HashMap<>();
        Map<String, Double> times = new HashMap<>();
        for (String line : TarFile.lines(workloads, member)) {
            Matcher matcher = JCT.matcher(line);
            if (matcher.find()) {
                if (matcher.group(2).equals("{")) {
                    times = all.computeIfAbsent(matcher.group(1), workload -> new HashMap<>());
                } else {
                    times.put(matcher.group(1), Double.valueOf(matcher.group(2)));
                }
            }
        }
        all.keySet().removeIf(key -> !key.startsWith("workload-"));
        return all;
    }
}
