package org.trainyard.experiments.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.Counted;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.experiments.waitreasons.WaitReasons;

/**
 * Writes the decisions of a scheduler with their candidates.
 *
 * <p>The candidates of a policy are its bids with their scores. Those of a heuristic are waiting jobs: by rank for a
 * {@link OrderedScheduler}, else in the order of the queue, without scores. Only the first jobs of the queue are looked
 * at, so that a decision costs the same in a long queue.
 */
final class RecordedScheduler implements Scheduler {
    private final DecisionsJsonl log;
    private final DecisionsJsonl.Run run;
    private final Scheduler scheduler;
    private final QueueHead head;
    private List<ChoiceListener.Option> options = List.of();
    private int count;
    /** By job, the words of why it waits that were written last. */
    private final Map<Integer, String> waits = new HashMap<>();
    /** Whether the last decision came from a choice of several. */
    private boolean isChosen;

    /** @param fresh makes the scheduler, which may tell the listener of its choices */
    RecordedScheduler(DecisionsJsonl log, DecisionsJsonl.Run run, Function<ChoiceListener, Scheduler> fresh) {
        this.log = log;
        this.run = run;
        scheduler = fresh.apply((best, all) -> {
            options = best;
            count = all;
        });
        head = new QueueHead(scheduler instanceof OrderedScheduler ranked ? ranked : null);
    }

    @Override
    public Decision decide(SimView view) {
        options = List.of();
        Decision decision = scheduler.decide(view);
        waits.remove(decision.job());
        if (!options.isEmpty()) {
            isChosen = true;
            write(view, decision, choice(), options, count);
        } else if (!(decision instanceof Decision.Wait)) {
            consider(view, decision);
        } else {
            explain(view);
        }
        return decision;
    }

    /** Writes why the first jobs of the queue wait, as far as the words have changed. */
    private void explain(SimView view) {
        head.look(view);
        for (ChoiceListener.Option first : head.best(SimView.NONE, List.of())) {
            String words = WaitReasons.words(view, scheduler, first.job(), QueueHead.LOOKED_AT);
            if (!words.equals(waits.put(first.job(), words))) {
                List<String> why = WaitReasons.of(view, scheduler, first.job(), QueueHead.LOOKED_AT)
                        .reasons();
                log.write(run, view.nowNanos(), "WAIT", first.job(), String.join("; ", why), List.of(first), 1);
            }
        }
    }

    private String choice() {
        return options.size() < 2
                ? "the only bid"
                : Counted.say(
                        "highest score of %d bids, %.3f above the next",
                        count, options.get(0).score() - options.get(1).score());
    }

    private void consider(SimView view, Decision decision) {
        if (isChosen) {
            write(view, decision, "follows from the choice before, or had no alternative", List.of(), 0);
            return;
        }
        head.look(view);
        int place = head.placeOf(decision.job());
        String order = scheduler instanceof OrderedScheduler ranked ? "by " + ranked.rankName() : "in the queue";
        if (decision instanceof Decision.Reject) {
            write(view, decision, "turned away for good", List.of(), view.waitingCount());
            return;
        }
        String reason = decision instanceof Decision.Start
                ? place == 0
                        ? "first " + order
                        : place < head.size()
                                ? "number " + (place + 1) + " " + order + "; those before it do not start now"
                                : "beyond the first %d of the queue".formatted(QueueHead.LOOKED_AT)
                : "makes way; the candidates are the jobs that wait, %s".formatted(order);
        List<Integer> servers = decision instanceof Decision.Start start ? servers(start.placement()) : List.of();
        write(view, decision, reason, head.best(decision.job(), servers), view.waitingCount());
    }

    private static List<Integer> servers(Placement placement) {
        List<Integer> servers = new ArrayList<>();
        for (int i = 0; i < placement.serverCount(); i++) {
            servers.add(placement.server(i));
        }
        return servers;
    }

    private void write(
            SimView view, Decision decision, String reason, List<ChoiceListener.Option> candidates, int all) {
        String kind = decision.getClass().getSimpleName().toUpperCase(Locale.ROOT);
        log.write(run, view.nowNanos(), kind, decision.job(), reason, candidates, all);
    }
}
