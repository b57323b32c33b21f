package org.trainyard.experiments.gym;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.JournalCursor;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.experiments.io.JsonText;

/**
 * The message of an instant to a scheduler of another language: jobs that it has not heard of, jobs whose state has
 * changed, how the running ones fare, and the owners of GPUs on servers whose jobs have changed.
 */
final class InstantMessage {
    private static final int LIVE_VALUES = 5;

    private final JournalCursor journal = new JournalCursor();
    private final BitSet described = new BitSet();
    /** By server, {@code Cluster.changes} when its owners were last sent, and -1 before. */
    private final int[] sentChanges;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 14).order(ByteOrder.LITTLE_ENDIAN);
    private int[] touched = new int[16];
    private int touchedCount;

    InstantMessage(Topology topology) {
        sentChanges = new int[topology.servers()];
        Arrays.fill(sentChanges, -1);
    }

    /** The cluster that a run is on. */
    static String hello(Topology topology, long seed) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("seed", seed);
        ArrayNode servers = node.putArray("servers");
        for (int server = 0; server < topology.servers(); server++) {
            servers.addArray()
                    .add(topology.gpusOn(server))
                    .add(topology.rackOf(server))
                    .add(topology.server(server).gpuType().name());
        }
        return JsonText.compact(node);
    }

    /** News since the last message; valid until the next one. */
    ByteBuffer of(SimView view) {
        boolean isAnew = collect(view);
        byte[] text = describe(view);
        int servers = changedServers(view);
        int most = 64
                + text.length
                + touchedCount * 40
                + view.runningCount() * (LIVE_VALUES * Double.BYTES + Integer.BYTES)
                + servers * Integer.BYTES
                + view.topology().gpus() * Integer.BYTES;
        if (buffer.capacity() < most) {
            buffer = ByteBuffer.allocateDirect(2 * most).order(ByteOrder.LITTLE_ENDIAN);
        }
        buffer.clear();
        buffer.putLong(view.nowNanos())
                .putInt(isAnew ? 1 : 0)
                .putInt(touchedCount)
                .putInt(servers)
                .putInt(view.runningCount())
                .putInt(text.length)
                .putInt(view.cluster().free());
        buffer.put(text);
        for (int pad = text.length; pad % Long.BYTES != 0; pad++) {
            buffer.put((byte) 0);
        }
        putTouched(view);
        putRunning(view);
        putOwners(view);
        return buffer.flip();
    }

    /** The jobs whose state may have changed, in the order of their last events; whether these are all there are. */
    private boolean collect(SimView view) {
        touchedCount = 0;
        boolean isAnew = journal.advance(view);
        if (isAnew) {
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                touch(job);
            }
            for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
                touch(job);
            }
        } else {
            for (int entry = journal.first(); entry < journal.end(); entry++) {
                EventKind kind = view.journalKind(entry);
                if (kind.isOfJob() && !kind.changesRateOnly()) {
                    touch(view.journalJob(entry));
                }
            }
        }
        return isAnew;
    }

    private void touch(int job) {
        if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, 2 * touchedCount);
        }
        touched[touchedCount++] = job;
    }

    private byte[] describe(SimView view) {
        ArrayNode jobs = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < touchedCount; i++) {
            int job = touched[i];
            if (!described.get(job)) {
                described.set(job);
                describe(view, view.job(job), jobs.addObject());
            }
        }
        return jobs.isEmpty() ? new byte[0] : JsonText.compact(jobs).getBytes(StandardCharsets.UTF_8);
    }

    private static void describe(SimView view, JobSpec job, ObjectNode said) {
        SubmissionTerms terms = job.terms();
        said.put("id", job.id())
                .put("name", job.name())
                .put("user", job.user())
                .put("group", job.group())
                .put("virtual_cluster", job.virtualCluster())
                .put("account", terms.account())
                .put("qos", terms.qos())
                .put("partition", terms.partition())
                .put("time_limit_seconds", terms.limitNanos() == 0 ? null : terms.limitNanos() / 1e9)
                .put("model", job.model().name())
                .put("gpus", job.gpus())
                .put("submit_seconds", job.submitNanos() / 1e9)
                .put("predicted_seconds", view.predictedSeconds(job.id()));
    }

    private void putTouched(SimView view) {
        for (int i = 0; i < touchedCount; i++) {
            int job = touched[i];
            buffer.putInt(job)
                    .putInt(code(view.state(job)))
                    .putInt(view.preemptions(job))
                    .putInt(0)
                    .putDouble(view.queuedSinceNanos(job) / 1e9)
                    .putDouble(view.progressSeconds(job))
                    .putDouble(view.runNanos(job) / 1e9);
        }
    }

    private static int code(JobState state) {
        return switch (state) {
            case WAITING -> 1;
            case RUNNING -> 2;
            case DONE -> 3;
            case FUTURE, HELD -> 0;
        };
    }

    private void putRunning(SimView view) {
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            buffer.putDouble(view.progressSeconds(job))
                    .putDouble(view.runNanos(job) / 1e9)
                    .putDouble(view.rate(job))
                    .putDouble(view.slowdown(job))
                    .putDouble(view.mayPreempt(job) ? 1 : 0);
        }
        for (int job = view.firstRunning(); job != SimView.NONE; job = view.nextRunning(job)) {
            buffer.putInt(job);
        }
    }

    private int changedServers(SimView view) {
        int count = 0;
        for (int server = 0; server < sentChanges.length; server++) {
            count += sentChanges[server] == view.cluster().changes(server) ? 0 : 1;
        }
        return count;
    }

    private void putOwners(SimView view) {
        for (int server = 0; server < sentChanges.length; server++) {
            if (sentChanges[server] != view.cluster().changes(server)) {
                sentChanges[server] = view.cluster().changes(server);
                buffer.putInt(server);
                int first = view.topology().firstGpu(server);
                for (int gpu = first; gpu < first + view.topology().gpusOn(server); gpu++) {
                    buffer.putInt(view.cluster().owner(gpu));
                }
            }
        }
    }
}
