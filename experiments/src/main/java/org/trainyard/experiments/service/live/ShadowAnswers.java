package org.trainyard.experiments.service.live;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.LiveScheduler;
import org.trainyard.experiments.service.journal.AskedQuestion;
import org.trainyard.experiments.service.live.Question.Plan;

/** Answers of the fallback heuristic, with which those of the served scheduler are compared when they are there. */
final class ShadowAnswers implements Answering {
    private static final Logger LOG = LoggerFactory.getLogger(ShadowAnswers.class);

    private final String id;
    private final ServiceSettings settings;
    private final ServiceMetrics metrics;
    private final ClusterLedger ledger;
    private final AnswerWriter writer;
    private final Planner planner;
    private final Fallback heuristic;
    private final LiveScheduler deputy;
    private final ShadowReport report = new ShadowReport();
    private @Nullable Question last;
    private volatile @Nullable CompletableFuture<Plan> comparison;

    ShadowAnswers(
            String id,
            ServiceSettings settings,
            ServiceMetrics metrics,
            ClusterLedger ledger,
            AnswerWriter writer,
            Planner planner,
            Fallback heuristic) {
        this.id = id;
        this.settings = settings;
        this.metrics = metrics;
        this.ledger = ledger;
        this.writer = writer;
        this.planner = planner;
        this.heuristic = heuristic;
        deputy = new LiveScheduler(ledger.cluster(), heuristic::scheduler);
    }

    @Override
    public int missedInARow() {
        return 0;
    }

    @Override
    public PlacementAnswer answer(long nowNanos, long fromNanos) {
        return ledger.cluster().asOf(nowNanos, () -> answer(nowNanos));
    }

    private PlacementAnswer answer(long nowNanos) {
        List<Decision> decisions = decide(nowNanos);
        PlacementAnswer answer = writer.answer(
                new AnswerWriter.Source("fallback", heuristic.name(), "shadow"),
                ledger.sequence(),
                new Plan(decisions, List.of(), true, false, false, true));
        List<String> decided = writer.lines(decisions);
        int at = ledger.sequence();
        if (last != null && last.dropUnlessBegun()) {
            report.noteSkipped();
        }
        Question question = planner.ask(nowNanos, settings.clock().nanos() + Long.MAX_VALUE / 2);
        last = question;
        if (question == null) {
            report.noteFailure();
        } else {
            comparison = question.end().whenComplete((plan, failure) -> compare(nowNanos, at, decided, plan, failure));
        }
        return answer;
    }

    private List<Decision> decide(long nowNanos) {
        try {
            List<Decision> decisions = deputy.propose();
            if (deputy.turn() == LiveScheduler.Turn.FIRST) {
                ledger.forgetQuestions();
            }
            if (deputy.turn() != LiveScheduler.Turn.REPEATED) {
                ledger.asked(
                        new AskedQuestion(ledger.sequence(), nowNanos, heuristic.name(), decisions.size() - 1, true));
                if (ledger.isFull()) {
                    ledger.forgetQuestions();
                    deputy.renew();
                }
            }
            return decisions;
        } catch (IllegalArgumentException | IllegalStateException | InputException e) {
            LOG.error("{}: the heuristic {} failed: {}", id, heuristic.name(), e.toString());
            ledger.forgetQuestions();
            return List.of(Decision.WAIT);
        }
    }

    private void compare(
            long nowNanos, int at, List<String> decided, @Nullable Plan plan, @Nullable Throwable failure) {
        if (plan == null) {
            LOG.warn(
                    "{}: in shadow, {} failed at {} ns: {}",
                    id,
                    settings.served().name(),
                    nowNanos,
                    String.valueOf(failure));
            report.noteFailure();
            return;
        }
        List<String> policy = planner.lines(plan.decisions());
        boolean isEqual = report.note(nowNanos, at, decided, policy);
        metrics.compared(isEqual);
        LOG.info(
                "{}: in shadow at {} ns, {} would decide {}",
                id,
                nowNanos,
                settings.served().name(),
                policy);
    }

    @Override
    public void askAgain(AskedQuestion asked) {
        if (asked.scheduler().equals(heuristic.name())) {
            ledger.cluster().asOf(asked.nowNanos(), deputy::propose);
        }
    }

    /**
     * What the policy in shadow would have done otherwise, up to the last question where it has answered that
     * within a second.
     */
    ShadowReport.Summary summary() {
        CompletableFuture<Plan> pending = comparison;
        try {
            if (pending != null) {
                pending.get(1, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("{}: the last comparison is not there", id, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return report.summary();
    }
}
