package org.trainyard.experiments.service.live;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveCluster;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.service.live.EventReader.Change;
import org.trainyard.experiments.service.live.PlacementAnswer.DecidedAuction;

/**
 * The served scheduler with a state of the cluster of its own, on a thread of its own: nobody has to wait for it.
 *
 * <p>It follows all events, but of the questions that wait it knows the newest only. A question that is dropped is not
 * begun, or ends at the next decision.
 */
final class Planner implements AutoCloseable {
    /** Changes that may wait for a scheduler that is busy; with more it is given up. */
    private static final int MOST_WAITING = 100_000;

    private final LiveCluster cluster;
    private final LiveScheduler scheduler;
    private final AuctionRecorder recorder;
    private final ServiceClock clock;
    private final ThreadPoolExecutor thread;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean isLost;
    /** Whether nobody waited for the end of the last question that it thought about. */
    private boolean isLate;

    private volatile long renewals;
    private volatile @Nullable Task present;
    private @Nullable Asked newest;

    Planner(String id, ServiceSettings settings, Topology topology) {
        cluster = new LiveCluster(settings.world(topology));
        recorder = new AuctionRecorder(cluster.view());
        scheduler = new LiveScheduler(cluster, () -> settings.served().maker().scheduler(topology, recorder));
        clock = settings.clock();
        thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread worker = new Thread(task, "planner " + id);
            worker.setDaemon(true);
            return worker;
        });
    }

    /** Something to do for the thread. */
    private final class Task implements Runnable {
        private final long sinceNanos = clock.nanos();
        private final Runnable work;

        Task(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            present = this;
            try {
                work.run();
            } finally {
                present = null;
            }
        }
    }

    /** A question and the task that answers it. */
    private record Asked(Question question, Task task) {}

    /** Whether it has fallen so far behind, or failed so badly, that it decides no more. */
    boolean isLost() {
        return isLost;
    }

    /** Number of times a new scheduler took over because the cluster did not do as proposed. */
    long renewals() {
        return renewals;
    }

    /** Number of changes that it has not seen yet. */
    int backlog() {
        return waiting.get();
    }

    /** How long the oldest task that is not done has been there, seconds; 0 when there is none. */
    double ageSeconds() {
        Task oldest = present;
        if (oldest == null && thread.getQueue().peek() instanceof Task next) {
            oldest = next;
        }
        return oldest == null ? 0 : (clock.nanos() - oldest.sinceNanos) / 1e9;
    }

    /** Hands it changes that the cluster has accepted. */
    void follow(List<Change> changes) {
        if (isLost || waiting.addAndGet(changes.size()) > MOST_WAITING) {
            isLost = true;
            return;
        }
        thread.execute(new Task(() -> {
            try {
                changes.forEach(change -> change.applyTo(cluster));
            } catch (RuntimeException | Error e) {
                // Its state is no longer that of the cluster.
                isLost = true;
                throw e;
            } finally {
                waiting.addAndGet(-changes.size());
            }
        }));
    }

    /** Hands over changes that the cluster has accepted, and blocks until they are applied when many changes wait. */
    void catchUp(List<Change> changes) throws InterruptedException {
        follow(changes);
        if (waiting.get() > MOST_WAITING / 2) {
            CompletableFuture<Void> caughtUp = new CompletableFuture<>();
            thread.execute(new Task(() -> caughtUp.complete(null)));
            try {
                caughtUp.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /**
     * Asks it, in place of the question before. The answer comes when it has followed all changes so far.
     *
     * @param stopNanos time of the service's clock at which it is to end with the decisions it has
     * @return null when it is lost
     */
    @Nullable Question ask(long nowNanos, long stopNanos) {
        return ask(
                nowNanos,
                (question, made) -> !question.offer(made, recorder.soFar()) || clock.nanos() - stopNanos >= 0);
    }

    /** Asks it for its first decisions, or all, without limit of time. */
    @Nullable Question askAgain(long nowNanos, int decisions, boolean isComplete) {
        return ask(nowNanos, (question, made) -> !isComplete && made.size() >= decisions);
    }

    private interface Stop {
        boolean at(Question question, List<Decision> made);
    }

    private synchronized @Nullable Question ask(long nowNanos, Stop stop) {
        if (isLost) {
            return null;
        }
        if (newest != null && newest.question.dropUnlessBegun()) {
            thread.remove(newest.task);
        }
        Question question = new Question(nowNanos);
        newest = new Asked(question, new Task(() -> think(question, stop)));
        thread.execute(newest.task);
        return question;
    }

    /** Nobody waits for this question any more; returns whether the scheduler thinks about it all the same. */
    synchronized boolean drop(Question question) {
        boolean isBegun = question.drop();
        if (newest != null && newest.question == question) {
            thread.remove(newest.task);
            newest = null;
        }
        return isBegun;
    }

    /** Lets a new scheduler take over. */
    void renew() {
        thread.execute(new Task(() -> {
            scheduler.renew();
            renewals = scheduler.renewals();
        }));
    }

    private void think(Question question, Stop stop) {
        if (!question.begin()) {
            return;
        }
        recorder.take();
        try {
            Question.Plan plan = cluster.asOf(question.nowNanos(), () -> plan(question, stop));
            isLate = !question.answer(plan);
        } catch (RuntimeException | Error e) {
            question.fail(e);
        }
        renewals = scheduler.renewals();
    }

    /** A plan that came too late is the answer to the next question, as far as it still stands. */
    private Question.Plan plan(Question question, Stop stop) {
        List<Decision> late = isLate ? scheduler.outstanding() : List.of();
        if (!late.isEmpty()) {
            return Question.Plan.beginning(late, List.of(), question.nowNanos(), scheduler.isKept());
        }
        List<Decision> decisions = scheduler.propose(made -> stop.at(question, made));
        List<DecidedAuction> why = recorder.take();
        return new Question.Plan(
                decisions,
                why,
                scheduler.isComplete(),
                scheduler.turn() == LiveScheduler.Turn.FIRST,
                scheduler.turn() == LiveScheduler.Turn.REPEATED,
                scheduler.isKept());
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
