package org.trainyard.experiments.advice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.LeftOut;
import org.trainyard.experiments.blocks.BlockBootstrap;
import org.trainyard.experiments.metrics.RankingMetric;
import org.trainyard.experiments.simulation.FreeWait;
import org.trainyard.experiments.simulation.LogAccount;
import org.trainyard.experiments.simulation.LoggedCluster;

/**
 * An answer to a log of four jobs of thirty days, of which each waited for an hour, as in the replay of FIFO; other
 * schedulers are added with the wait of each job in minutes. As a test changes it.
 */
final class AnswerOfFour {
    static final LogOutcome PAST = waiting(LogOutcome.PAST, 0, 60);
    static final LogOutcome FIFO = waiting("fifo", 0, 60);

    private final List<RankedScheduler> ranking = new ArrayList<>();
    private final Map<String, BlockBootstrap.Bounds> savings = new HashMap<>();
    final List<RestartAnswer> restarts = new ArrayList<>(List.of(new RestartAnswer(30, List.of("fifo"), 3600)));
    int jobs = 4;
    double days = 30;

    @Nullable Reproduction reproduction = new Reproduction(PAST, FIFO, List.of(), 1, FIFO, FIFO, FIFO, null);

    List<LeftOut> leftOut = List.of();
    WhoPays pays = WhoPays.UNKNOWN;
    LoggedCluster.Limits limits = LoggedCluster.Limits.NONE;
    ResourceManager manager = ResourceManager.UNKNOWN;
    Advice.@Nullable Held held;
    String unequal = "";

    static LogOutcome waiting(String name, long preemptions, double minutes) {
        double wait = 60 * minutes;
        return LogOutcomeTest.outcome(name, preemptions, wait, wait, wait, wait);
    }

    /** Adds a scheduler at the end of the ranking, which saves what the interval says. */
    AnswerOfFour with(LogOutcome log, double savedLowMinutes, double savedHighMinutes) {
        savings.put(log.name(), new BlockBootstrap.Bounds(60 * savedLowMinutes, 60 * savedHighMinutes));
        return with(log, false);
    }

    AnswerOfFour with(LogOutcome log, boolean isLevel) {
        double value = log.value(RankingMetric.MEAN_WAIT);
        ranking.add(new RankedScheduler(log, value, new BlockBootstrap.Bounds(value - 60, value + 60), isLevel));
        return this;
    }

    AnswerOfFour restart(double seconds, double value, String... first) {
        restarts.add(new RestartAnswer(seconds, List.of(first), value));
        return this;
    }

    /** Waits in hours of the four jobs in all, while GPUs were free, and as far as no replay has them. */
    AnswerOfFour held(double free, double delaySeconds, double unexplained, double byOthers, boolean isReckoned) {
        held = new Advice.Held(
                new FreeWait(4 * 3600, free * 3600, free * 3600, delaySeconds), unexplained, byOthers, isReckoned);
        return this;
    }

    Advice advice() {
        return new Advice(
                jobs,
                days,
                reproduction,
                RankingMetric.MEAN_WAIT,
                ranking,
                List.of("A note."),
                100,
                new LogAccount(List.of(), leftOut, List.of()),
                restarts,
                pays,
                limits,
                manager,
                held,
                unequal,
                savings);
    }

    String text() {
        return AdviceText.of(advice()).console().replaceAll(" {2,}", "  ");
    }

    /** The line that begins with a subject, without it. */
    String line(String subject) {
        return text().lines()
                .filter(line -> line.startsWith(subject + ": "))
                .map(line -> line.substring(subject.length() + 2))
                .findFirst()
                .orElse("");
    }

    Reproduction reproduced() {
        return Objects.requireNonNull(reproduction);
    }
}
