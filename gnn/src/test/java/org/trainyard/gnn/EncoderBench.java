package org.trainyard.gnn;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.ServerColumn;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/**
 * What the encoder costs, in processor time with one thread: {@code torch} races forward and backward passes
 * against the plain PyTorch program, in turns; {@code share CLUSTER AGENTS} compares level 1 per server, per state,
 * and kept while weights are frozen.
 */
public final class EncoderBench {
    private static final int HIDDEN = 32;
    private static final int ROUNDS = 2;
    private static final int BATCH = 64;
    private static final int TURNS = 21;
    private static final int PASSES = 20;
    /** Turns before it counts: a training run is long enough for the compiler to have done its work. */
    private static final int WARM_UP = 50;

    private static final PrintStream OUT = System.out;

    private EncoderBench() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        switch (arguments[0]) {
            case "torch" -> torch();
            case "share" -> share(arguments[1], Integer.parseInt(arguments[2]));
            default -> throw new IllegalArgumentException("torch or share, not " + arguments[0]);
        }
    }

    /** Processor time of this thread; a backward pass on one processor runs on it too. */
    private static double seconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }

    private static void torch() throws IOException, InterruptedException {
        Topology topology = Topologies.medium();
        PlayedRows played = new PlayedRows(topology, Domains.racks(topology));
        ObservationSpace spec = played.spec();
        float[] rows = shuffled(played.collect(16 * BATCH), spec.size());
        float[] distinct = rows.clone();
        for (int i = 0; i < BATCH * spec.servers(); i++) {
            int row = i / spec.servers() * spec.size();
            distinct[
                            row
                                    + spec.serversAt()
                                    + i % spec.servers() * ObservationSpace.SERVER
                                    + ServerColumn.GPUS.index()] +=
                    i * 1e-4f;
        }
        OUT.printf("%s, %d rows, %d threads of the engine%n", topology, BATCH, 1);
        race("rows as agents see them", rows, spec);
        race("rows in which no two servers are equal", distinct, spec);
        race("the same with every window full", full(distinct, spec), spec);
    }

    /** The last job of every queue stands in all slots behind it too, a little longer in each. */
    private static float[] full(float[] rows, ObservationSpace spec) {
        float[] full = rows.clone();
        for (int row = 0; row < BATCH; row++) {
            int jobs = row * spec.size() + spec.jobsAt();
            for (int at = jobs + ObservationSpace.JOB;
                    at < row * spec.size() + spec.focusAt();
                    at += ObservationSpace.JOB) {
                if (full[at] == 0) {
                    System.arraycopy(full, at - ObservationSpace.JOB, full, at, ObservationSpace.JOB);
                    full[at + JobColumn.REMAINING_TIME.index()] += 1e-3f;
                }
            }
        }
        return full;
    }

    private static float[] shuffled(float[] rows, int size) {
        RandomGenerator random = RandomStreams.stream(3, "test/shuffle");
        int count = rows.length / size;
        float[] drawn = new float[BATCH * size];
        int[] order = new int[count];
        Arrays.setAll(order, i -> i);
        for (int i = 0; i < BATCH; i++) {
            int other = i + random.nextInt(count - i);
            int kept = order[other];
            order[other] = order[i];
            System.arraycopy(rows, kept * size, drawn, i * size, size);
        }
        return drawn;
    }

    private static void race(String name, float[] rows, ObservationSpace spec)
            throws IOException, InterruptedException {
        String python = Objects.requireNonNull(TorchReference.python(), "no python3 with torch");
        Path batch = Files.createTempFile("batch", ".npz");
        try (Parameters parameters = new Parameters(4);
                NDManager scope = parameters.newScope()) {
            HierarchicalEncoder encoder = new HierarchicalEncoder(parameters, HIDDEN, ROUNDS);
            NDArray tensor = scope.create(rows).reshape(BATCH, -1).duplicate();
            Sections sections = Sections.of(tensor, spec);
            TorchReference.write(batch, parameters, sections, ROUNDS);
            OUT.printf(
                    "%s: %d of %d servers distinct, at most %d of %d jobs%n",
                    name, distinct(sections), BATCH * spec.servers(), longest(sections), spec.window());
            Process process =
                    TorchReference.program(python, "time", batch.toString()).start();
            try (PrintWriter to = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
                    BufferedReader from = process.inputReader(StandardCharsets.UTF_8)) {
                double[][] times = new double[3][TURNS];
                for (int turn = -WARM_UP; turn < TURNS; turn++) {
                    to.println(PASSES);
                    double theirs = Double.parseDouble(from.readLine()) / PASSES;
                    double ours = passes(encoder, parameters, tensor, spec) / PASSES;
                    if (turn >= 0) {
                        times[0][turn] = ours;
                        times[1][turn] = theirs;
                        times[2][turn] = ours / theirs;
                    }
                }
                OUT.printf(
                        "  ours %.2f ms, PyTorch %.2f ms, ratio %.2f (%.2f to %.2f): median and quartiles of %d turns%n",
                        1e3 * quantile(times[0], 0.5),
                        1e3 * quantile(times[1], 0.5),
                        quantile(times[2], 0.5),
                        quantile(times[2], 0.25),
                        quantile(times[2], 0.75),
                        TURNS);
            }
            process.waitFor();
        } finally {
            Files.delete(batch);
        }
    }

    private static double quantile(double[] values, double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.round(q * (sorted.length - 1))];
    }

    private static int distinct(Sections sections) {
        NDArray columns = sections.serverColumns();
        int width = Math.toIntExact(columns.getShape().get(1));
        ServerStates states = new ServerStates(width);
        float[] all = columns.toFloatArray();
        for (int i = 0; i < all.length; i += width) {
            states.number(all, i);
        }
        return states.count();
    }

    /** Jobs in the longest queue. */
    private static int longest(Sections sections) {
        return Math.round(
                Tensors.exists(sections.jobs()).sum(new int[] {1}).max().getFloat());
    }

    /** Forward and backward from the sections of the rows on, and all memory freed. */
    private static double passes(
            HierarchicalEncoder encoder, Parameters parameters, NDArray rows, ObservationSpace spec) {
        double spent = 0;
        for (int i = 0; i < PASSES; i++) {
            NDManager scope = parameters.newScope();
            NDArray batch = rows.duplicate();
            batch.attach(scope);
            Sections sections = Sections.of(batch, spec);
            double start = seconds();
            try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
                Embeddings seen = encoder.encode(sections);
                collector.backward(seen.servers()
                        .sum()
                        .add(seen.domains().sum())
                        .add(seen.jobs().sum())
                        .add(seen.focus().sum())
                        .add(seen.context().sum()));
            }
            scope.close();
            spent += seconds() - start;
        }
        return spent;
    }

    private static void share(String cluster, int agents) {
        Topology topology = Objects.requireNonNull(Topologies.parse(cluster));
        PlayedRows played = new PlayedRows(topology, Domains.even(topology, agents));
        ObservationSpace spec = played.spec();
        try (Parameters parameters = new Parameters(4)) {
            HierarchicalEncoder encoder = new HierarchicalEncoder(parameters, HIDDEN, ROUNDS);
            Level1 level1 = new Level1(parameters);
            HierarchicalEncoder frozen = new HierarchicalEncoder(new Parameters(4), HIDDEN, ROUNDS);
            frozen.cacheEmbeddings(true);
            double[][] times = new double[5][400];
            double servers = 0;
            double distinct = 0;
            for (int i = -200; i < times[0].length; i++) {
                float[] rows = active(played);
                try (NDManager scope = parameters.newScope()) {
                    NDArray batch = scope.create(rows).reshape(-1, spec.size()).duplicate();
                    Sections sections = Sections.of(batch, spec);
                    NDArray columns = sections.serverColumns();
                    int at = Math.max(0, i);
                    times[0][at] = time(() -> level1.plain.encode(columns, spec.sockets(), spec.gpusPerSocket()));
                    times[1][at] = time(() -> level1.open.encode(columns, spec.sockets(), spec.gpusPerSocket()));
                    times[2][at] = time(() -> level1.frozen.encode(columns, spec.sockets(), spec.gpusPerSocket()));
                    times[3][at] = time(() -> encoder.encode(sections).context().toFloatArray());
                    times[4][at] = time(() -> frozen.encode(sections).context().toFloatArray());
                    if (i >= 0) {
                        servers += columns.getShape().get(0);
                        distinct += distinct(sections);
                    }
                }
                played.step();
            }
            OUT.printf(
                    "%s, %d agents: %.1f servers a batch, %.1f distinct%n",
                    topology, agents, servers / times[0].length, distinct / times[0].length);
            String[] names = {
                "level 1 per server", "level 1 per state", "level 1 kept", "whole pass", "whole pass, kept"
            };
            for (int k = 0; k < names.length; k++) {
                OUT.printf(
                        "  %-20s mean %.3f ms, median %.3f, p99 %.3f%n",
                        names[k],
                        1e3 * Arrays.stream(times[k]).average().orElseThrow(),
                        1e3 * quantile(times[k], 0.5),
                        1e3 * quantile(times[k], 0.99));
            }
        }
    }

    /** Three ways to level 1. */
    private static final class Level1 {
        final ServerEncoder plain;
        final DeduplicatingServerEncoder open;
        final DeduplicatingServerEncoder frozen;

        Level1(Parameters parameters) {
            plain = new ServerEncoder(new Parameters(parameters.count()), HIDDEN);
            open = new DeduplicatingServerEncoder(plain, HIDDEN);
            frozen = new DeduplicatingServerEncoder(plain, HIDDEN);
            frozen.cacheEmbeddings(true);
        }
    }

    private static double time(Runnable work) {
        double start = seconds();
        work.run();
        return seconds() - start;
    }

    /** The rows of the agents that have a choice, at least one. */
    private static float[] active(PlayedRows played) {
        int size = played.spec().size();
        float[] rows = new float[played.agents() * size];
        int count = 0;
        while (count == 0) {
            for (int agent = 0; agent < played.agents(); agent++) {
                if (played.isActive(agent)) {
                    played.observe(agent, rows, count++ * size);
                }
            }
            if (count == 0) {
                played.step();
            }
        }
        return Arrays.copyOf(rows, count * size);
    }
}
