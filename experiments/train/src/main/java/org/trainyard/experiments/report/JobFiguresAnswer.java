package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.AnswerTable.shortened;
import static org.trainyard.experiments.io.CellFormat.number;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.trainyard.env.Counted;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.SchedulerRuns;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.io.Answer;
import org.trainyard.experiments.io.AnswerTable;
import org.trainyard.experiments.io.CellFormat;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.metrics.Entitlement;
import org.trainyard.experiments.metrics.FreezingFigures;
import org.trainyard.experiments.metrics.Grouping;
import org.trainyard.experiments.metrics.JobGroup;
import org.trainyard.experiments.metrics.UtilityFigures;

/**
 * Tables of attributes that only some jobs have: utilities, accounts, frozen layers. Each is empty where no job has it.
 */
public final class JobFiguresAnswer {
    private static final int NAME_WIDTH = 24;
    private static final int PARTY_WIDTH = 32;
    private static final CellFormat PENALTY = CellFormat.percent(3);

    private final Evaluation evaluation;
    private final List<SchedulerScore> ranked;

    public JobFiguresAnswer(Evaluation evaluation, List<SchedulerScore> ranked) {
        this.evaluation = evaluation;
        this.ranked = ranked;
    }

    /** The utilities, the largest total first. */
    public Answer utilities() {
        List<SchedulerScore> scores = evaluation.scores().stream()
                .filter(score -> score.figures().utility() != null)
                .sorted(Comparator.comparingDouble(score -> -utility(score).total()))
                .toList();
        if (scores.isEmpty()) {
            return new Answer();
        }
        return new Answer()
                .table(AnswerTable.of(scores)
                        .text("scheduler", score -> shortened(score.name(), NAME_WIDTH))
                        .number("total utility", "%.2f", score -> utility(score).total())
                        .text("95 % interval", score -> interval(utility(score)))
                        .percent("regret", score -> utility(score).regret())
                        .percent("admitted", score -> utility(score).admitted())
                        .percent("gaining", score -> utility(score).gaining()))
                .say("Total utility: mean over episodes of the sum over jobs; that of a rejected job is 0.")
                .say("A gaining job has a utility above 0.")
                .say("Regret: what the total lacks of an upper bound for any schedule that sees all jobs beforehand.")
                .gap();
    }

    private static UtilityFigures utility(SchedulerScore score) {
        return Objects.requireNonNull(score.figures().utility());
    }

    private static String interval(UtilityFigures utility) {
        Double width = utility.interval();
        return width == null ? "undefined" : number("%.2f .. %.2f", utility.total() - width, utility.total() + width);
    }

    /** A sentence on each scheduler that rejected jobs, or under which jobs were killed at their time limits. */
    public List<String> rejections() {
        Stream<String> rejected = evaluation.runs().stream()
                .filter(run -> run.rejected() > 0)
                .map(run -> Counted.say(
                        "%s rejected %d jobs; its times are those of the others, and do not compare.",
                        shortened(run.name(), NAME_WIDTH), run.rejected()));
        Stream<String> killed = evaluation.runs().stream()
                .filter(run -> run.timedOut() > 0)
                .map(run -> Counted.say(
                        "%s: %d of %d jobs were killed at their time limits, and count with their times until then.",
                        shortened(run.name(), NAME_WIDTH),
                        run.timedOut(),
                        run.jobs().size()));
        return Stream.concat(rejected, killed).toList();
    }

    /** The accuracy penalties beside the mean JCTs, the least mean JCT first. */
    public Answer freezing() {
        List<SchedulerScore> scores = evaluation.scores().stream()
                .filter(score -> score.figures().freezing() != null)
                .sorted(Comparator.comparingDouble(score -> score.jct().mean()))
                .toList();
        if (scores.isEmpty()) {
            return new Answer();
        }
        return new Answer()
                .table(AnswerTable.of(scores)
                        .text("scheduler", score -> shortened(score.name(), NAME_WIDTH))
                        .duration("mean JCT", score -> score.jct().mean())
                        .column(
                                "accuracy penalty",
                                PENALTY,
                                score -> freezing(score).mean())
                        .column("most", PENALTY, score -> freezing(score).most())
                        .percent("with frozen layers", score -> freezing(score).frozen())
                        .count("of jobs", score -> freezing(score).jobs()))
                .say(
                        "Accuracy penalty: the mean over a job's time of the gradient energy in its frozen layers; mean over"
                                + " the jobs that")
                .say("allow frozen layers, and the greatest of them. A shorter JCT at a greater penalty is no better"
                        + " schedule.")
                .gap();
    }

    private static FreezingFigures freezing(SchedulerScore score) {
        return Objects.requireNonNull(score.figures().freezing());
    }

    /** Tables of waits, entitlements and kills at limits by account and QOS; where there are any, by user, too. */
    public Answer parties() {
        Answer answer = new Answer().add(parties(Grouping.ACCOUNT)).add(parties(Grouping.QOS));
        return answer.isEmpty() ? answer : answer.add(parties(Grouping.USER));
    }

    private record Parties(SchedulerRuns runs, List<JobGroup> groups) {
        String wait(boolean isLongest) {
            Comparator<JobGroup> byWait =
                    Comparator.comparingDouble(group -> group.waiting().mean());
            JobGroup group =
                    groups.stream().min(isLongest ? byWait.reversed() : byWait).orElseThrow();
            return Durations.human(group.waiting().mean()) + " " + group.name();
        }

        String least(Grouping parties) {
            return Entitlement.of(parties, runs.episodes()).entrySet().stream()
                    .min(Map.Entry.comparingByValue())
                    .map(one -> number("%.2f", one.getValue()) + " " + one.getKey())
                    .orElse("");
        }

        String killed() {
            return groups.stream()
                    .filter(group -> group.timedOut() > 0)
                    .max(Comparator.comparingInt(JobGroup::timedOut))
                    .map(group -> "%,d of %,d %s".formatted(group.timedOut(), group.jobs(), group.name()))
                    .orElse("none");
        }
    }

    private Answer parties(Grouping parties) {
        List<Parties> rows = ranked.stream()
                .map(score -> evaluation.runs(score.name()))
                .map(runs -> new Parties(runs, parties.of(runs.jobs())))
                .filter(row -> row.groups().size() > 1)
                .toList();
        if (rows.isEmpty()) {
            return new Answer();
        }
        String party = parties == Grouping.QOS ? "QOS" : parties.label();
        return new Answer()
                .table(AnswerTable.of(rows)
                        .text("scheduler", row -> shortened(row.runs().name(), PARTY_WIDTH))
                        .text("shortest wait, " + party, row -> row.wait(false))
                        .text("longest wait", row -> row.wait(true))
                        .text("least of its part", row -> row.least(parties))
                        .text("most killed at limits", Parties::killed))
                .say("Mean wait of the jobs of each %s. Least of its part: GPUs held over an equal part of the cluster"
                                .formatted(party)
                        + " while its jobs wait.")
                .gap();
    }
}
