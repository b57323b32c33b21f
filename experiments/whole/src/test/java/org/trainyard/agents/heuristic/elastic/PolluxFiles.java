package org.trainyard.agents.heuristic.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Pollux' workloads and results where the data pack is at hand; elsewhere the test is skipped. */
final class PolluxFiles {
    private static final Pattern JCT = Pattern.compile("\"([^\"]+)\": ([0-9.]+|\\{)");

    private PolluxFiles() {}

    /** The jobs of a workload: name, time, application, GPUs, batch. */
    static List<String[]> workload(String load, int number) {
        String member = "simulator/workloads%s/workload-%d.csv".formatted(load.equals("1.0") ? "" : "-" + load, number);
        return lines("workloads_and_results.tar.xz", member).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
    }

    /** Completion times of a workload as published, seconds, by job. */
    static Map<String, Double> published(String policy, String load, int number) {
        String member = "simulator/results-jobload/%s-%s/summary.json".formatted(policy, load);
        Map<String, Double> times = new HashMap<>();
        String workload = "";
        for (String line : lines("workloads_and_results.tar.xz", member)) {
            Matcher matcher = JCT.matcher(line);
            if (matcher.find()) {
                if (matcher.group(2).equals("{")) {
                    workload = matcher.group(1);
                } else if (workload.equals("workload-" + number)) {
                    times.put(matcher.group(1), Double.valueOf(matcher.group(2)));
                }
            }
        }
        return times;
    }

    private static List<String> lines(String archive, String... members) {
        Path pack = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data", "pollux", archive);
        assumeThat(pack).as("the data pack is not beside this checkout").isRegularFile();
        Path tar = Path.of("/usr/bin/tar");
        assumeThat(Files.isExecutable(tar))
                .as("there is no %s to unpack with", tar)
                .isTrue();
        List<String> command = new ArrayList<>(List.of(tar.toString(), "-xJOf", pack.toString()));
        command.addAll(Arrays.asList(members));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                List<String> lines = reader.lines().toList();
                assertThat(lines).as("%s of %s", List.of(members), archive).isNotEmpty();
                return lines;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
