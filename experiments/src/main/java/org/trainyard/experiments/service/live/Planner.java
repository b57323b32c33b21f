package org.trainyard.experiments.service.live;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.service.live.PlacementAnswer.DecidedAuction;

/**
 * The served scheduler with a state of the cluster of its own, on a thread of its own: nobody has to wait for it, and it can still think about an
 * old question while the cluster goes on.
 */
final class Planner implements AutoCloseable {
    /** Changes that may wait for a scheduler that is busy; with more it is given up. */
    private static final int MOST_WAITING = 100_000;

    /** Decisions, the last of which is to wait, and the auctions that led to them. */
    record Plan(List<Decision> decisions, List<DecidedAuction> why) {}

    private final LiveCluster cluster;
    private final LiveScheduler scheduler;
    private final AuctionRecorder recorder;
    private final ExecutorService thread;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean isLost;
    private volatile long renewals;

    Planner(String id, ServiceSettings settings, Topology topology) {
        cluster = new LiveCluster(
                topology, settings.performance(topology), settings.predictor(), settings.options(topology));
        recorder = new AuctionRecorder(cluster.view());
        scheduler = new LiveScheduler(cluster, () -> settings.served().maker().scheduler(topology, recorder));
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread worker = new Thread(task, "planner " + id);
            worker.setDaemon(true);
            return worker;
        });
    }

    /** Whether it has fallen so far behind, or failed so badly, that it decides no more. */
    boolean isLost() {
        return isLost;
    }

    /** Number of times a new scheduler took over because the cluster did not do as proposed. */
    long renewals() {
        return renewals;
    }

    /** Hands it changes that the cluster has accepted. */
    void follow(List<Change> changes) {
        if (isLost || waiting.addAndGet(changes.size()) > MOST_WAITING) {
            isLost = true;
            return;
        }
        thread.execute(() -> {
            try {
                changes.forEach(change -> change.applyTo(cluster));
            } catch (RuntimeException | Error e) {
                // Its state is no longer that of the cluster.
                isLost = true;
                throw e;
            } finally {
                waiting.addAndGet(-changes.size());
            }
        });
    }

    /** Asks it; the answer comes when it has followed all changes so far. Null when it is lost. */
    @Nullable CompletableFuture<Plan> ask(long nowNanos) {
        return isLost
                ? null
                : CompletableFuture.supplyAsync(
                        () -> {
                            recorder.take();
                            cluster.moveTo(nowNanos);
                            List<Decision> decisions = scheduler.propose();
                            renewals = scheduler.renewals();
                            return new Plan(decisions, recorder.take());
                        },
                        thread);
    }

    /** Decisions without the wait, a line each; to be called when an answer is complete. */
    List<String> lines(List<Decision> decisions) {
        return AnswerWriter.lines(cluster.view(), decisions);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
