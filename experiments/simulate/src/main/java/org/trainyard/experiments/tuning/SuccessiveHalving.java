package org.trainyard.experiments.tuning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.trainyard.env.Counted;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SearchSpace;
import org.trainyard.experiments.evaluation.EvaluationRunner;
import org.trainyard.experiments.evaluation.SchedulerFactory;
import org.trainyard.experiments.evaluation.Tuning;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * Searches the tuned family, and {@code patient} beside it, for the scheduler with the least mean JCT on validation
 * episodes.
 *
 * <p>Successive halving (K. Jamieson, A. Talwalkar: Non-stochastic best arm identification and hyperparameter
 * optimization, AISTATS 2016): the members of the first round of the {@link SearchSpace} run one episode, the better
 * half runs twice as many, and so on up to all episodes. The best few then compete in the same way with their variants,
 * round by round. Ties go to the member listed first, so the choice does not depend on threads.
 */
public final class SuccessiveHalving implements Tuning {
    /** Members that are left at the end of a search. */
    private static final int FINALISTS = 4;

    /** A scheduler of the registry and its mean over episodes of the mean JCT, seconds. */
    public record Candidate(String name, double meanJctSeconds) {}

    /**
     * The result of a search.
     *
     * @param finalists the last members, run on all episodes, the best first
     * @param members number of schedulers tried
     * @param runs number of runs of an episode
     * @param episodes number of validation episodes
     */
    public record Found(List<Candidate> finalists, int members, int runs, int episodes) implements Outcome {
        public Found {
            finalists = List.copyOf(finalists);
        }

        public Candidate best() {
            return finalists.get(0);
        }

        @Override
        public String member() {
            return best().name();
        }

        @Override
        public String remark() {
            return Counted.say(
                    "tuned is %s, the best of %,d heuristics with the tools of the gym on %d validation episodes (mean JCT %s there)",
                    best().name(), members, episodes, Durations.human(best().meanJctSeconds()));
        }

        /** {@code tuning.json}. */
        private record File(
                String member, int membersTried, int episodesRun, int validationEpisodes, List<Finalist> finalists) {}

        private record Finalist(String name, Map<String, Double> jctS) {}

        @Override
        public Object json() {
            return new File(
                    best().name(),
                    members,
                    runs,
                    episodes,
                    finalists.stream()
                            .map(one -> new Finalist(one.name(), Map.of("mean", one.meanJctSeconds())))
                            .toList());
        }
    }

    @Override
    public Outcome of(Experiment experiment) {
        SearchSpace space = SchedulerRegistry.searchSpaces().get(0);
        SearchSpace.Traits world = new SearchSpace.Traits(
                experiment.hasSeveralGpuTypes(),
                experiment.sharesGpus(),
                !experiment.topology().inside().arePlain(),
                experiment.config().physics().isPreemptionCostly());
        Search search = new Search(experiment, EpisodeSet.validation(experiment));
        List<Candidate> left = search.halve(space.first(world));
        List<Function<String, List<String>>> rounds = space.rounds(world);
        for (int i = 0; i < rounds.size(); i++) {
            List<String> next = new ArrayList<>(variants(left, rounds.get(i)));
            if (i == rounds.size() - 1) {
                space.others().stream().filter(experiment::serves).forEach(next::add);
            }
            left = search.halve(next);
        }
        return new Found(left, search.tried.size(), search.runs, search.episodes.size());
    }

    private static List<String> variants(List<Candidate> candidates, Function<String, List<String>> round) {
        return candidates.stream()
                .flatMap(candidate -> round.apply(candidate.name()).stream())
                .distinct()
                .toList();
    }

    /** A member that is not yet eliminated, with its mean JCTs so far. */
    private record Member(String name, List<Double> jctSeconds) {
        double mean() {
            return jctSeconds.stream().mapToDouble(s -> s).sum() / jctSeconds.size();
        }
    }

    /** A search that goes on. */
    private static final class Search {
        private final Experiment experiment;
        private final EpisodeSet episodes;
        private final Set<String> tried = new HashSet<>();
        private int runs;

        Search(Experiment experiment, EpisodeSet episodes) {
            this.experiment = experiment;
            this.episodes = episodes;
        }

        List<Candidate> halve(List<String> all) {
            List<Member> field =
                    all.stream().map(s -> new Member(s, new ArrayList<>())).toList();
            tried.addAll(all);
            int known = 0;
            int wanted = 1;
            while (known < episodes.size()) {
                wanted = Math.min(wanted, episodes.size());
                run(field, known, wanted);
                known = wanted;
                wanted *= 2;
                int keep = known == episodes.size() ? FINALISTS : Math.max(FINALISTS, (field.size() + 1) / 2);
                field = field.stream()
                        .sorted(Comparator.comparingDouble(Member::mean))
                        .limit(keep)
                        .toList();
            }
            return field.stream().map(r -> new Candidate(r.name(), r.mean())).toList();
        }

        private void run(List<Member> field, int from, int to) {
            List<SchedulerFactory> schedulers =
                    field.stream().map(member -> scheduler(member, from)).toList();
            int planned = field.size() * (to - from);
            long[] done = {0};
            try (Progress progress = Progress.start("tune", planned)) {
                List<List<Double>> seconds = new EvaluationRunner(experiment, episodes.subList(from, to))
                        .meanJctSeconds(
                                schedulers,
                                () -> progress.to(++done[0], Counted.say("%d members, %d episodes", field.size(), to)));
                for (int i = 0; i < field.size(); i++) {
                    field.get(i).jctSeconds().addAll(seconds.get(i));
                }
            }
            runs += planned;
        }

        private SchedulerFactory scheduler(Member member, int from) {
            return SchedulerFactory.registered(experiment, member.name(), from);
        }
    }
}
