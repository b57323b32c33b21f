package org.trainyard.experiments.report;

import static org.trainyard.experiments.io.AnswerTable.shortened;
import static org.trainyard.experiments.report.RankedSchedulers.NAME_WIDTH;
import static org.trainyard.experiments.report.RankedSchedulers.change;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trainyard.env.Counted;
import org.trainyard.experiments.evaluation.Evaluation;
import org.trainyard.experiments.evaluation.OppositeMeans;
import org.trainyard.experiments.evaluation.PairedComparison;
import org.trainyard.experiments.evaluation.SchedulerScore;
import org.trainyard.experiments.evaluation.SeedPool;
import org.trainyard.experiments.io.Answer;

/** The notes below tables of episodes: what rows and differences are, and the statistical basis of the verdicts. */
final class ComparisonNotes {
    private final RankedSchedulers ranked;
    private final Evaluation evaluation;

    /** Whether the comparisons of all schedulers are in the tables, not those of the policy alone. */
    private final boolean isWide;

    ComparisonNotes(RankedSchedulers ranked, boolean isWide) {
        this.ranked = ranked;
        evaluation = ranked.evaluation();
        this.isWide = isWide;
    }

    Answer answer() {
        Answer notes = new Answer()
                .tell(
                        "%d episodes, %d jobs in all; queueing and slowdown are means over jobs.",
                        evaluation.episodes(), evaluation.jobs())
                .say("Rows are sorted by the %s over all jobs; differences are means over episodes."
                        .formatted(ranked.metric().words()));
        String reference = evaluation.reference();
        if (!ranked.isMeanJct() && reference != null) {
            notes.say("--metric changes the order alone: differences and verdicts are those of the mean JCT.");
        }
        SeedPool pool = evaluation.pool();
        if (pool != null) {
            notes.say("%s: the mean over seeds, no policy that can run; its intervals are over seeds and episodes."
                    .formatted(pool.name()));
        }
        if (reference == null) {
            return notes.say("No heuristic took part, so nothing is compared.");
        }
        if (shown().anyMatch(one -> one.conclusion().equals(PairedComparison.NOT_SHOWN))) {
            notes.say("Not shown: the interval excludes zero, but not once corrected for the comparisons.");
        }
        notes.say("* %s; differences of the mean JCT per episode, paired."
                .formatted(evaluation.isAgainstBest() ? "best heuristic" : "reference asked for"));
        opposites(reference, notes);
        basis(notes);
        return notes;
    }

    /** The comparisons whose verdicts are in the tables and in the sentences above them. */
    private Stream<PairedComparison> shown() {
        if (isWide) {
            return Stream.concat(evaluation.comparisons().stream(), evaluation.duels().stream());
        }
        String policy = ranked.policy();
        return policy == null
                ? evaluation.comparisons().stream()
                : evaluation.duels().stream()
                        .filter(duel ->
                                duel.name().equals(policy) || duel.reference().equals(evaluation.reference()));
    }

    /** The comparisons, with the reference or a rival, whose two means differ in sign. */
    private void opposites(String reference, Answer notes) {
        for (SchedulerScore score : evaluation.scores()) {
            PairedComparison comparison = evaluation.comparison(score.name());
            if (comparison != null) {
                opposite(shortened(score.name(), NAME_WIDTH), comparison, notes);
            }
        }
        for (PairedComparison duel : evaluation.duels()) {
            if (!duel.reference().equals(reference)) {
                String pair =
                        shortened(duel.name(), NAME_WIDTH) + " against " + shortened(duel.reference(), NAME_WIDTH);
                opposite(pair, duel, notes);
            }
        }
    }

    private void opposite(String subject, PairedComparison comparison, Answer notes) {
        double ofMeans = evaluation.score(comparison.name()).jct().mean()
                / evaluation.score(comparison.reference()).jct().mean();
        String words = new OppositeMeans(comparison.mean(), 100 * (ofMeans - 1)).words("%+.1f %%");
        if (!words.isEmpty()) {
            notes.wrap("%s: %s%s.".formatted(subject, change(comparison.mean()), words));
        }
    }

    /** Statistical basis of the verdicts, or the reason for their absence. */
    private void basis(Answer notes) {
        if (evaluation.episodes() < PairedComparison.ENOUGH_EPISODES) {
            notes.say((evaluation.episodes() == 1 ? "One episode has no interval; a" : "A")
                    + Counted.say(" verdict needs at least %d episodes.", PairedComparison.ENOUGH_EPISODES));
        } else if (evaluation.sample().overlapping()) {
            notes.say("Windows overlap: no verdict. Test episodes share jobs, so intervals are too narrow.");
        } else {
            List<String> families = families();
            if (!families.isEmpty()) {
                notes.wrap("Verdicts corrected by Holm at 5 %%: %s.".formatted(String.join(", ", families)))
                        .say("Intervals are 95 % each, not corrected.");
            }
        }
    }

    /** The comparisons that are shown, as they are corrected together. */
    private List<String> families() {
        String policy = ranked.policy();
        long duels = policy == null ? 0 : evaluation.duels(policy);
        long others = isWide || policy == null ? evaluation.comparisonsOfOthers() : 0;
        List<String> families = new ArrayList<>();
        if (duels > 1) {
            families.add(Counted.say("a policy's for its %,d comparisons", duels));
        }
        if (others > 1) {
            families.add(Counted.say(
                    policy == null ? "those against %s for %,d comparisons" : "others against %s for %,d",
                    String.valueOf(evaluation.reference()),
                    others));
        }
        return families;
    }
}
