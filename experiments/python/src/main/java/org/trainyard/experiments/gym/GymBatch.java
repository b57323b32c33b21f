package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.trainyard.agents.learned.training.WorkerPool;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.experiments.gym.GymArray.Dimension;
import org.trainyard.experiments.gym.GymEpisodes.Split;

/** The environments of one connection, stepped side by side, and their answers in one block of bytes. */
final class GymBatch {
    /** Fewest environments in a call for which other threads are faster than stepping them in turn. */
    private static final int LEAST_FOR_THREADS = 4;
    /** Pieces of a parallel call: more than threads, because episodes that begin take longer than steps. */
    private static final int PIECES = 8;

    private static final int HEADER_BYTES = 16;

    private final List<VectorEnvWorker> slots;
    /** By environment, its part of the answer. */
    private final List<GymPart> parts;

    private final List<GymArray> arrays;
    private final WorkerPool workers;
    /** Integers of the actions of one environment. */
    private final int actionSize;

    private final int[] actions;
    private final int[] sizes = new int[Dimension.COUNT];
    private ByteBuffer out = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

    GymBatch(AuctionEnvironment environment, GymHandshake hello, GymEpisodes episodes, WorkerPool workers) {
        int agents = environment.agents();
        actionSize = agents * environment.actionSize();
        arrays = environment.arrays();
        this.workers = workers;
        slots = Stream.generate(() ->
                        new VectorEnvWorker(environment.game(), episodes, agents, hello.following(), hello.stride()))
                .limit(hello.environments())
                .toList();
        parts = Stream.generate(() -> new GymPart(arrays))
                .limit(hello.environments())
                .toList();
        actions = new int[hello.environments() * actionSize];
    }

    /** The arrays of every answer, for the handshake. */
    ArrayNode describe() {
        ArrayNode described = JsonNodeFactory.instance.arrayNode();
        arrays.forEach(array -> described.add(array.json()));
        return described;
    }

    /**
     * Begins episodes in some environments.
     *
     * @param request their number, and for each its index, the split and the number of the episode
     */
    ByteBuffer reset(ByteBuffer request) {
        int count = request.remaining() < 4 ? -1 : request.getInt();
        if (count < 1 || count > slots.size() || request.remaining() != 16 * count) {
            throw new InputException("reset: (%d) environments in (%d) more bytes: expected 1 to %d of 16 bytes each"
                    .formatted(count, request.remaining(), slots.size()));
        }
        int[] which = new int[count];
        Split[] splits = new Split[count];
        long[] episodes = new long[count];
        for (int i = 0; i < count; i++) {
            which[i] = request.getInt();
            requireSlot("reset, environment", which[i]);
            for (int before = 0; before < i; before++) {
                if (which[before] == which[i]) {
                    throw InputException.at("reset, environment", which[i], "each environment once");
                }
            }
            splits[i] = Split.of(request.getInt());
            episodes[i] = request.getLong();
            if (episodes[i] < 0) {
                throw InputException.at("reset, episode", episodes[i], "a number of at least 0");
            }
        }
        each(count, i -> {
            slots.get(which[i]).reset(splits[i], episodes[i]);
            parts.get(which[i]).write(slots.get(which[i]));
        });
        return answer(Arrays.stream(which).mapToObj(parts::get).toList());
    }

    /**
     * Steps all environments.
     *
     * @param request the actions of all agents of all environments
     */
    ByteBuffer step(ByteBuffer request) {
        if (request.remaining() != Integer.BYTES * actions.length) {
            throw new InputException("step: (%d) bytes: expected %d actions of 4 bytes each"
                    .formatted(request.remaining(), actions.length));
        }
        for (int environment = 0; environment < slots.size(); environment++) {
            if (!slots.get(environment).isPlaying()) {
                throw new InputException(
                        "step: environment %d is at the end of an episode, or has begun none: reset it first"
                                .formatted(environment));
            }
        }
        for (int i = 0; i < actions.length; i++) {
            actions[i] = request.getInt();
        }
        each(slots.size(), i -> {
            slots.get(i).step(actions, i * actionSize);
            parts.get(i).write(slots.get(i));
        });
        return answer(parts);
    }

    private void each(int count, IntConsumer work) {
        if (count < LEAST_FOR_THREADS) {
            for (int i = 0; i < count; i++) {
                work.accept(i);
            }
            return;
        }
        int pieces = Math.min(PIECES, count);
        workers.each(pieces, piece -> {
            for (int i = piece * count / pieces; i < (piece + 1) * count / pieces; i++) {
                work.accept(i);
            }
        });
    }

    /** The header: sizes of the dimensions; then all arrays, each at a multiple of {@link GymArray#ALIGNMENT}. */
    private ByteBuffer answer(List<GymPart> of) {
        Arrays.fill(sizes, 0);
        long most = HEADER_BYTES + (long) arrays.size() * GymArray.ALIGNMENT;
        for (GymPart part : of) {
            for (int dimension = 0; dimension < sizes.length; dimension++) {
                sizes[dimension] += part.size(dimension);
            }
            most += part.bytes();
        }
        if (most > out.capacity()) {
            out = ByteBuffer.allocateDirect(Math.toIntExact(most + most / 2)).order(ByteOrder.LITTLE_ENDIAN);
        }
        out.clear();
        for (int size : sizes) {
            out.putInt(size);
        }
        for (int array = 0; array < arrays.size(); array++) {
            while (out.position() % GymArray.ALIGNMENT != 0) {
                out.put((byte) 0);
            }
            for (GymPart part : of) {
                part.append(array, out);
            }
        }
        return out.flip();
    }

    private void requireSlot(String place, int environment) {
        if (environment < 0 || environment >= slots.size()) {
            throw InputException.at(place, environment, "0 to %d".formatted(slots.size() - 1));
        }
    }

    /** The jobs of the last episode that an environment finished, and the hash of its event log. */
    ObjectNode outcome(ByteBuffer request) {
        int environment = request.remaining() == 4 ? request.getInt() : -1;
        requireSlot("outcome, environment", environment);
        VectorEnvWorker slot = slots.get(environment);
        Simulator simulator = slot.finished();
        if (simulator == null) {
            throw new InputException("outcome: environment %d has finished no episode".formatted(environment));
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("split", slot.finishedSplit().title()).put("episode", slot.finishedEpisode());
        node.put("event_log_sha256", simulator.eventLog().sha256());
        node.put("mean_jct_seconds", simulator.jobSeconds() / simulator.view().arrived());
        ArrayNode jobs = node.putArray("jobs");
        simulator.result().jobs().forEach(outcome -> {
            JobSpec job = outcome.job();
            jobs.addObject()
                    .put("job", job.name())
                    .put("submit_nanos", job.submitNanos())
                    .put("first_start_nanos", outcome.firstStartNanos())
                    .put("end_nanos", outcome.endNanos())
                    .put("gpus", job.gpus())
                    .put("preemptions", outcome.preemptions());
        });
        return node;
    }

    /**
     * The arrays of one environment, array after array. The thread that steps the environment writes them, while its
     * cache has the auction; the answer of all environments then copies bytes.
     */
    private static final class GymPart {
        private final List<GymArray> arrays;
        private final int[] sizes = new int[Dimension.COUNT];
        private final int[] ends;
        private ByteBuffer bytes = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);

        GymPart(List<GymArray> arrays) {
            this.arrays = arrays;
            ends = new int[arrays.size()];
        }

        /** Writes the present arrays of the environment over the last ones. */
        void write(VectorEnvWorker slot) {
            long needed = 0;
            for (Dimension dimension : Dimension.values()) {
                sizes[dimension.index()] = slot.count(dimension);
            }
            for (GymArray array : arrays) {
                needed += array.bytes(sizes[array.first().index()]);
            }
            if (needed > bytes.capacity()) {
                bytes = ByteBuffer.allocate(Math.toIntExact(needed + needed / 2))
                        .order(ByteOrder.LITTLE_ENDIAN);
            }
            bytes.clear();
            for (int array = 0; array < ends.length; array++) {
                arrays.get(array).writer().write(slot, bytes);
                ends[array] = bytes.position();
            }
        }

        /** Elements of a dimension. */
        int size(int dimension) {
            return sizes[dimension];
        }

        /** Bytes of all arrays. */
        int bytes() {
            return ends[ends.length - 1];
        }

        /** Appends one of the arrays. */
        void append(int array, ByteBuffer out) {
            int from = array == 0 ? 0 : ends[array - 1];
            out.put(bytes.array(), from, ends[array] - from);
        }
    }
}
