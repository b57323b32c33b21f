package org.trainyard.experiments.gym;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.env.InputException;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;

/**
 * A scheduler that a Python process decides for, in one run. It is asked once an instant with what has changed since,
 * and answers with all its decisions; more often only where it matters to it which GPUs they have taken.
 */
final class PythonScheduler implements Scheduler {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int BEST_FIT = 0;
    private static final int FIRST_FIT = 1;
    private static final int ON_GPUS = 2;
    private static final int PREEMPT = 3;

    private final String name;
    private final GymFrames frames;
    private final InstantMessage message;
    private final Placer bestFit = new BestFit();
    private final Placer firstFit = new FirstFit();
    /** The decisions of the last answer that are not made yet. */
    private @Nullable ByteBuffer answer;

    private int left;
    private boolean isLast;
    private long wakeNanos;

    /** @param channel closed when nobody has this scheduler any more */
    PythonScheduler(String name, SocketChannel channel, Topology topology, long seed) {
        this.name = name;
        frames = new GymFrames(channel);
        frames.trust();
        message = new InstantMessage(topology);
        CLEANER.register(this, () -> close(channel));
        try {
            frames.ask(
                    GymFrames.HELLO,
                    ByteBuffer.wrap(InstantMessage.hello(topology, seed).getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The run is over.
        }
    }

    @Override
    public Decision decide(SimView view) {
        ByteBuffer decisions = answer;
        while (decisions == null || (left == 0 && !isLast)) {
            decisions = ask(view);
        }
        if (left > 0) {
            left--;
            return next(view, decisions);
        }
        answer = null;
        return wakeNanos == Long.MAX_VALUE ? Decision.WAIT : Decision.waitUntil(wakeNanos);
    }

    private ByteBuffer ask(SimView view) {
        try {
            frames.ask(GymFrames.SCHEDULE, message.of(view));
            ByteBuffer payload = frames.read();
            if (payload == null) {
                throw new InputException("%s: the Python process of the run has ended".formatted(name));
            }
            if (frames.type() != GymFrames.DECISIONS) {
                throw new InputException("%s: %s".formatted(name, said(payload)));
            }
            left = payload.getInt();
            isLast = payload.getInt() != 0;
            wakeNanos = payload.getLong();
            answer = payload;
            return payload;
        } catch (IOException e) {
            throw new InputException(
                    "%s: the Python process of the run has ended (%s)".formatted(name, e.getMessage()));
        }
    }

    private static String said(ByteBuffer payload) throws JsonProcessingException {
        String text = StandardCharsets.UTF_8.decode(payload).toString();
        return new ObjectMapper().readTree(text).path("message").asText();
    }

    private Decision next(SimView view, ByteBuffer decisions) {
        int kind = decisions.getInt();
        int job = decisions.getInt();
        int[] gpus = new int[decisions.getInt()];
        for (int i = 0; i < gpus.length; i++) {
            gpus[i] = decisions.getInt();
        }
        if (kind == PREEMPT) {
            require(view.state(job) == JobState.RUNNING && view.mayPreempt(job), view, job, "be preempted");
            return new Decision.Preempt(job);
        }
        require(view.state(job) == JobState.WAITING, view, job, "start");
        Placement placement = switch (kind) {
            case BEST_FIT -> bestFit.place(view, view.job(job));
            case FIRST_FIT -> firstFit.place(view, view.job(job));
            case ON_GPUS -> Placement.of(view.topology(), gpus);
            default -> throw new InputException("%s: decision of kind %d".formatted(name, kind));
        };
        if (placement == null || !view.cluster().fits(view.job(job).demand(), placement)) {
            require(false, view, job, "start where it was put");
            throw new IllegalStateException("refused before");
        }
        return new Decision.Start(job, placement);
    }

    private void require(boolean isPossible, SimView view, int job, String what) {
        if (!isPossible) {
            throw new InputException("%s: job %s cannot %s at %.3f s"
                    .formatted(name, view.job(job).name(), what, view.nowNanos() / 1e9));
        }
    }
}
