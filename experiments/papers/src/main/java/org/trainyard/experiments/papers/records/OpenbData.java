package org.trainyard.experiments.papers.records;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuSharing;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.papers.archive.TarFile;

/** Alibaba's cluster of 2023, its pods, and what the simulator of the FGD paper made of them. */
final class OpenbData {
    private static final String NODES = "openb_gpu2023/openb_node_list_gpu_node.csv.gz";
    private static final String PODS = "openb_gpu2023/openb_pod_lists.tar.xz";
    private static final String ALLOCATED = "openb_gpu2023/expected_analysis_allo_discrete.csv.gz";

    /** The files, below the folder of public data. */
    static final List<String> FILES = List.of(NODES, PODS, ALLOCATED);

    private static final int PERCENTS = 131;
    private static final int RUNS = 10;

    private final Path data;
    private @Nullable Trace pods;

    OpenbData(Path data) {
        this.data = data;
    }

    /**
     * The 1,213 nodes that have GPUs, which are those the authors' experiments used; one socket each, GPUs to be
     * shared.
     */
    Topology gpuNodes() {
        List<ServerSpec> servers = new ArrayList<>();
        lines(data.resolve(NODES)).stream().skip(1).forEach(node -> {
            GpuType type = new GpuType(node[4], 1, 16L << 30);
            servers.add(new ServerSpec(type, 1, Integer.parseInt(node[3]), false)
                    .withHost(Long.parseLong(node[1]), Long.parseLong(node[2]))
                    .with(GpuSharing.FRACTIONS));
        });
        return new Topology.Builder("openb", Fabric.DEFAULT).rack(servers).build();
    }

    /** The default list of 8,152 pods. */
    Trace pods() {
        if (pods == null) {
            pods = read();
        }
        return pods;
    }

    /** The half of them that were created first, or the other. */
    List<TraceJob> half(boolean isEarlier) {
        List<TraceJob> jobs = pods().jobs().stream()
                .sorted(Comparator.comparingLong(TraceJob::submitNanos))
                .toList();
        int middle = jobs.size() / 2;
        return isEarlier ? jobs.subList(0, middle) : jobs.subList(middle, jobs.size());
    }

    private Trace read() {
        String name = "openb_pod_list_default.csv";
        try {
            Path folder = Files.createTempDirectory("openb");
            Path list = folder.resolve(name);
            try {
                Files.write(list, TarFile.lines(data.resolve(PODS), "data/csv/" + name));
                return TraceReader.read(list, new TraceReader.Options(null, null, true));
            } finally {
                Files.deleteIfExists(list);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A mean curve over the authors' ten seeds, at 0, 1 .. 130 per cent of demand. */
    double[] expected(String file, String policy) {
        double[] mean = new double[PERCENTS];
        List<String[]> all = lines(data.resolve("openb_gpu2023").resolve(file));
        int first = List.of(all.get(0)).indexOf("0");
        List<String[]> runs = all.stream()
                .filter(row -> row[1].replaceFirst("[0-9]+-", "").equals(policy))
                .toList();
        for (String[] run : runs) {
            for (int percent = 0; percent < PERCENTS; percent++) {
                mean[percent] += Double.parseDouble(run[first + percent]) / runs.size();
            }
        }
        if (runs.size() != RUNS) {
            throw new IllegalStateException("%s has %d runs of %s, not 10".formatted(file, runs.size(), policy));
        }
        return mean;
    }

    private static List<String[]> lines(Path file) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(InputFiles.readable(file))), StandardCharsets.UTF_8))) {
            return reader.lines().map(line -> line.split(",", -1)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
