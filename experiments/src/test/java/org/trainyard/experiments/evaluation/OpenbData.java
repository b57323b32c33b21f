package org.trainyard.experiments.evaluation;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.trace.Trace;
import org.trainyard.env.workload.trace.TraceReader;

/**
 * Alibaba's cluster of 2023 and what its authors' simulator made of it, from the data pack; tests are skipped without.
 */
final class OpenbData {
    private static final String FOLDER = "../shared/data/openb_gpu2023";
    private static final int PERCENTS = 131;

    private OpenbData() {}

    private static Path file(String name) {
        Path file = Path.of(System.getProperty("trainyard.root", "."))
                .resolve(FOLDER)
                .resolve(name);
        assumeTrue(Files.exists(file), () -> "skipped: the data pack has no " + file);
        return file;
    }

    /**
     * The 1,213 nodes that have GPUs, which are those the authors' experiments used; one socket each, GPUs to be
     * shared.
     */
    static Topology gpuNodes() {
        List<ServerSpec> servers = new ArrayList<>();
        for (String[] node : rows("openb_node_list_gpu_node.csv.gz")) {
            GpuType type = new GpuType(node[4], 1, 16L << 30);
            servers.add(new ServerSpec(type, 1, Integer.parseInt(node[3]), false)
                    .withHost(Long.parseLong(node[1]), Long.parseLong(node[2]))
                    .with(GpuSharing.FRACTIONS));
        }
        return new Topology.Builder("openb", Fabric.DEFAULT).rack(servers).build();
    }

    /** The default list of 8,152 pods, unpacked into the folder. */
    static Trace pods(Path folder) {
        Path archive = file("openb_pod_lists.tar.xz");
        Path list = folder.resolve("openb_pod_list_default.csv");
        try {
            Process tar = new ProcessBuilder("tar", "-xJOf", archive.toString(), "data/csv/" + list.getFileName())
                    .redirectOutput(list.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            int code = tar.waitFor();
            assumeTrue(code == 0, () -> "skipped: tar cannot unpack " + archive);
        } catch (IOException e) {
            assumeTrue(false, () -> "skipped: no tar to unpack " + archive + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while unpacking", e);
        }
        return TraceReader.read(list, new TraceReader.Options(null, null, true));
    }

    /** A mean curve over the authors' ten seeds, at 0, 1 .. 130 per cent of demand. */
    static double[] expected(String file, String policy) {
        double[] mean = new double[PERCENTS];
        List<String[]> all = lines(file);
        int first = List.of(all.get(0)).indexOf("0");
        List<String[]> runs = all.stream()
                .filter(row -> row[1].replaceFirst("[0-9]+-", "").equals(policy))
                .toList();
        for (String[] run : runs) {
            for (int percent = 0; percent < PERCENTS; percent++) {
                mean[percent] += Double.parseDouble(run[first + percent]) / runs.size();
            }
        }
        if (runs.size() != 10) {
            throw new IllegalStateException("%s has %d runs of %s, not 10".formatted(file, runs.size(), policy));
        }
        return mean;
    }

    private static List<String[]> rows(String name) {
        return lines(name).stream().skip(1).toList();
    }

    private static List<String[]> lines(String name) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file(name))), StandardCharsets.UTF_8))) {
            return reader.lines().map(line -> line.split(",", -1)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
