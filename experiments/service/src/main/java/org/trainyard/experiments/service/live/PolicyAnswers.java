package org.trainyard.experiments.service.live;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.simulation.Decision;
import org.trainyard.experiments.service.journal.AskedQuestion;
import org.trainyard.experiments.service.live.Question.Plan;

/**
 * Answers of the served scheduler within a budget, or else of the fallback.
 *
 * <p>The scheduler ends with the decisions it has when a part of the budget is used; that is an answer too, and it goes
 * on from there at the next question. A scheduler without a single decision by then has the rest of the budget, while
 * the fallback prepares its answer. A late decision is the answer to the next question, unless other events have
 * arrived by then.
 */
final class PolicyAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyAnswers.class);
    /** Parts of the budget after which the scheduler ends, and after which the fallback begins. */
    private static final double STOP = 0.6;

    private static final double PREPARE = 0.7;

    private final String id;
    private final ServiceSettings settings;
    private final ServiceClock clock;
    private final ClusterLedger ledger;
    private final AnswerWriter writer;
    private final Planner planner;
    private final Fallback fallback;
    private final AtomicInteger missed = new AtomicInteger();
    /** A question that its scheduler thought about when time was up, and after which event it came. */
    private @Nullable Question late;

    private int lateAfter;

    PolicyAnswers(
            String id,
            ServiceSettings settings,
            ClusterLedger ledger,
            AnswerWriter writer,
            Planner planner,
            Fallback fallback) {
        this.id = id;
        this.settings = settings;
        clock = settings.clock();
        this.ledger = ledger;
        this.writer = writer;
        this.planner = planner;
        this.fallback = fallback;
    }

    /** Number of answers in a row, up to the last, that its scheduler should have given and did not. */
    int missedInARow() {
        return missed.get();
    }

    /**
     * Decisions of the served scheduler at this time, or of the fallback.
     *
     * @param fromNanos arrival of the question, by the clock of the service
     */
    PlacementAnswer answer(long nowNanos, long fromNanos) {
        long budget = settings.budgetNanos();
        Question question = planner.ask(nowNanos, fromNanos + (long) (STOP * budget));
        if (question == null) {
            return ledger.cluster().asOf(nowNanos, () -> byFallback("behind", null));
        }
        Plan spare = null;
        try {
            clock.await(question.end(), fromNanos + (long) (PREPARE * budget) - clock.nanos());
            if (!question.end().isDone()) {
                spare = question.hasDecisions() ? null : ledger.cluster().asOf(nowNanos, fallback::plan);
                clock.await(question.end(), fromNanos + budget - clock.nanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        boolean isLate = planner.drop(question);
        rememberLate();
        if (isLate) {
            late = question;
            lateAfter = ledger.sequence();
        }
        Plan prepared = spare;
        return ledger.cluster().asOf(nowNanos, () -> answer(question, prepared));
    }

    private PlacementAnswer answer(Question question, @Nullable Plan prepared) {
        Plan plan;
        try {
            plan = question.end().getNow(null);
        } catch (CompletionException e) {
            LOG.warn(
                    "{}: {} failed at {} ns: {}",
                    id,
                    settings.served().name(),
                    question.nowNanos(),
                    String.valueOf(e.getCause()));
            ledger.forgetQuestions();
            return byFallback("failed", prepared);
        }
        if (plan == null) {
            plan = question.partly();
        } else {
            remember(question, plan, ledger.sequence());
        }
        if (plan == null) {
            return byFallback("deadline", prepared);
        }
        try {
            PlacementAnswer answer = writer.answer(
                    new AnswerWriter.Source("policy", settings.served().name(), null), ledger.sequence(), plan);
            missed.set(0);
            return answer;
        } catch (IllegalArgumentException | IllegalStateException e) {
            LOG.warn(
                    "{}: {} proposed what is impossible: {}",
                    id,
                    settings.served().name(),
                    e.getMessage());
            return byFallback("illegal", prepared);
        }
    }

    /**
     * Records the question of a late plan, which the scheduler keeps; the next question gets the plan, if still valid.
     */
    private void rememberLate() {
        Question before = late;
        Plan plan = before == null ? null : before.late();
        if (before != null && plan != null) {
            late = null;
            remember(before, plan, lateAfter);
        }
    }

    private void remember(Question question, Plan plan, int after) {
        if (plan.isFirst() || !plan.isKept()) {
            ledger.forgetQuestions();
        }
        if (plan.isKept() && !plan.isRepeated()) {
            ledger.asked(new AskedQuestion(
                    after,
                    question.nowNanos(),
                    settings.served().name(),
                    plan.decisions().size() - 1,
                    plan.isComplete()));
            if (ledger.isFull()) {
                ledger.forgetQuestions();
                planner.renew();
            }
        }
    }

    private PlacementAnswer byFallback(String reason, @Nullable Plan prepared) {
        missed.incrementAndGet();
        Plan plan = prepared == null ? fallback.plan() : prepared;
        try {
            return writer.answer(new AnswerWriter.Source("fallback", fallback.name(), reason), ledger.sequence(), plan);
        } catch (IllegalArgumentException | IllegalStateException e) {
            LOG.error("{}: the fallback {} proposed what is impossible: {}", id, fallback.name(), e.toString());
            Plan nothing = new Plan(List.of(Decision.WAIT), List.of(), true, true, false, false);
            return writer.answer(new AnswerWriter.Source("nobody", "none", reason), ledger.sequence(), nothing);
        }
    }

    /**
     * Repeats a question from before a restart, without limit of time, so that the scheduler regains the memory of its
     * decisions.
     */
    void askAgain(AskedQuestion asked) throws InterruptedException {
        if (!asked.scheduler().equals(settings.served().name())) {
            return;
        }
        Question question = planner.askAgain(asked.nowNanos(), asked.decisions(), asked.isComplete());
        try {
            if (question != null) {
                question.end().get();
            }
        } catch (ExecutionException e) {
            LOG.warn("{}: a scheduler failed at {} ns as the state was made again: {}", id, asked.nowNanos(), e);
        }
    }
}
