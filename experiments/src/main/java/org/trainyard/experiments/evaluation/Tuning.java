package org.trainyard.experiments.evaluation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.trainyard.agents.heuristic.composed.ComposedSettings;
import org.trainyard.agents.heuristic.composed.Knob;
import org.trainyard.env.scheduling.inside.GpuRule;
import org.trainyard.experiments.io.Durations;
import org.trainyard.experiments.io.Progress;
import org.trainyard.experiments.run.EpisodeSet;
import org.trainyard.experiments.run.Experiment;

/**
 * Searches the tuned family, and {@code patient} beside it, for the scheduler with the least mean JCT on validation
 * episodes.
 *
 * <p>Successive halving (K. Jamieson, A. Talwalkar: Non-stochastic best arm identification and hyperparameter
 * optimization, AISTATS 2016): all combinations of order, placement and delay, and of order and packing limit where
 * GPUs are shared, run one episode, the better half runs twice as many, and so on up to all episodes. The best few
 * then compete in the same way with variants that choose GPUs by their links, where these differ, then with variants
 * that migrate jobs and keep gangs to one rack, and the best of these
 * with variants that limit interference or the share of long jobs, and with {@code patient} with moves, and with
 * and without preemption, where it can place all jobs. Ties go to the member listed first, so the choice does not
 * depend on threads.
 */
public final class Tuning {
    /** Delays to try, in predicted run times of the job. */
    private static final List<Double> DELAYS = List.of(0.0, 0.5, 2.0, 6.0, Double.POSITIVE_INFINITY);
    /**
     * Limits on predicted interference to try, and for how many predicted run times a job waits for a place within
     * the limit.
     */
    private static final List<Double> LIMITS = List.of(1.25, 1.5, 2.0);

    private static final double PATIENCE = 2;
    /**
     * Limits on predicted interference to try where two jobs may share a GPU: whether a job waits or starts beside
     * a bad neighbour is the first thing to choose there.
     */
    private static final List<Double> PACKING_LIMITS = List.of(1.25, 1.5, 2.0, 3.0);

    private static final double PACKING_PATIENCE = 100;
    /** Shares of all GPUs that long jobs may hold, and the predicted hours from which a job is long. */
    private static final List<Double> SHARES = List.of(0.5, 0.75);

    private static final double LONG_HOURS = 4;
    /** The least time that a move must save to try, for orders by remaining time, minutes. */
    private static final double MOVE_MINUTES = 10;

    /** Greatest costs of a plan that preempts and migrates to try, for orders by remaining time. */
    private static final List<Double> MIGRATE = List.of(0.5, 1.0, 2.0);

    /**
     * Exponents of a job's GPUs in the order to try, for orders by Gittins ranks, beside 0: between the least time
     * and the least work first.
     */
    private static final List<Double> WIDTHS = List.of(0.5, 1.0);

    /** Factors on restarts and lost work to try, where these cost more than the plans count anyhow. */
    private static final List<Double> CHARGES = List.of(1.0, 3.0);

    /**
     * Slowdowns by the ring of its GPUs above which a placement is slow, and waits for one that is not, in predicted run
     * times, to try where the links inside servers differ.
     */
    private static final List<Double> SLOW = List.of(1.15, 1.3, 1.6);

    private static final List<Double> HOLDS = List.of(0.25, 1.0);

    /** Members that are left at the end of a search. */
    private static final int FINALISTS = 4;
    /** Heuristics that are no members of the family and have the same tools. */
    private static final List<String> OTHERS = List.of("patient", "patient-moves", "patient-no-preemption");

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
    public record Outcome(List<Candidate> finalists, int members, int runs, int episodes) {
        public Outcome {
            finalists = List.copyOf(finalists);
        }

        public Candidate best() {
            return finalists.get(0);
        }

        /** A sentence for notes. */
        public String remark() {
            return "tuned is %s, the best of %,d heuristics with the tools of the gym on %d validation episode%s (mean JCT %s there)"
                    .formatted(
                            best().name(),
                            members,
                            episodes,
                            episodes == 1 ? "" : "s",
                            Durations.human(best().meanJctSeconds()));
        }

        /** For {@code tuning.json}. */
        public ObjectNode json() {
            ObjectNode node = JsonNodeFactory.instance.objectNode();
            node.put("member", best().name());
            node.put("members_tried", members);
            node.put("episodes_run", runs);
            node.put("validation_episodes", episodes);
            ArrayNode list = node.putArray("finalists");
            for (Candidate finalist : finalists) {
                list.addObject().put("name", finalist.name()).putObject("jct_s").put("mean", finalist.meanJctSeconds());
            }
            return node;
        }
    }

    private final Experiment experiment;
    private final EpisodeSet episodes;
    private final Set<String> tried = new HashSet<>();
    private int runs;

    private Tuning(Experiment experiment, EpisodeSet episodes) {
        this.experiment = experiment;
        this.episodes = episodes;
    }

    /** Searches on the validation episodes of an experiment. */
    public static Outcome of(Experiment experiment) {
        Tuning tuning = new Tuning(experiment, EpisodeSet.validation(experiment));
        List<Candidate> plain =
                tuning.halve(names(plainMembers(experiment.hasSeveralGpuTypes(), experiment.sharesGpus())));
        if (!experiment.topology().inside().arePlain()) {
            plain = tuning.halve(each(plain, Tuning::linked));
        }
        List<Candidate> migrating = tuning.halve(each(plain, Tuning::migrating));
        List<String> last = new ArrayList<>(each(tuning.charging(migrating), Tuning::variants));
        OTHERS.stream().filter(experiment::serves).forEach(last::add);
        List<Candidate> finalists = tuning.halve(last);
        return new Outcome(finalists, tuning.tried.size(), tuning.runs, tuning.episodes.size());
    }

    private static List<String> names(List<ComposedSettings> members) {
        return members.stream().map(ComposedSettings::name).toList();
    }

    private static List<String> each(
            List<Candidate> candidates, Function<ComposedSettings, List<ComposedSettings>> variants) {
        return candidates.stream()
                .flatMap(candidate -> names(variants.apply(ComposedSettings.parse(candidate.name()))).stream())
                .distinct()
                .toList();
    }

    private static List<ComposedSettings> plainMembers(boolean hasSeveralTypes, boolean sharesGpus) {
        List<ComposedSettings> members = new ArrayList<>();
        if (sharesGpus) {
            for (ComposedSettings.Order order : ComposedSettings.Order.values()) {
                if (hasSeveralTypes || !order.isForTypes()) {
                    ComposedSettings sharer = ComposedSettings.of(order, ComposedSettings.Placement.SETS);
                    PACKING_LIMITS.forEach(
                            limit -> members.add(sharer.with(Knob.LIMIT, limit).with(Knob.PATIENCE, PACKING_PATIENCE)));
                }
            }
        }
        for (ComposedSettings.Order order : ComposedSettings.Order.values()) {
            for (ComposedSettings.Placement placement : ComposedSettings.Placement.values()) {
                if (hasSeveralTypes || !(order.isForTypes() || placement.isForTypes())) {
                    DELAYS.forEach(delay ->
                            members.add(ComposedSettings.of(order, placement).with(Knob.DELAY, delay)));
                }
            }
        }
        return members;
    }

    /** The member itself, then with each choice of GPUs, then each of these with each wait for a set that is not slow. */
    private static List<ComposedSettings> linked(ComposedSettings member) {
        List<ComposedSettings> variants = new ArrayList<>(List.of(member));
        for (GpuRule rule : List.of(GpuRule.WIDEST, GpuRule.PRESERVE)) {
            ComposedSettings chosen = member.with(Knob.GPUS, rule.number());
            variants.add(chosen);
            for (double slow : SLOW) {
                HOLDS.forEach(hold -> variants.add(chosen.with(Knob.SLOW, slow).with(Knob.HOLD, hold)));
            }
        }
        return variants;
    }

    /** The member itself, then with each cost of migrations where its order allows them. */
    private static List<ComposedSettings> migrating(ComposedSettings member) {
        List<ComposedSettings> variants = new ArrayList<>(List.of(member));
        if (member.order().isByRemainingTime()) {
            MIGRATE.forEach(cost -> variants.add(member.with(Knob.MIGRATE, cost)));
            List.copyOf(variants).forEach(variant -> variants.add(variant.with(Knob.MOVE, MOVE_MINUTES)));
        }
        if (member.order().isByGittinsIndex()) {
            List.copyOf(variants)
                    .forEach(variant -> WIDTHS.forEach(width -> variants.add(variant.with(Knob.WIDTH, width))));
        }
        variants.stream()
                .filter(ComposedSettings::canKeepToRack)
                .map(variant -> variant.with(Knob.RACKS, 1))
                .toList()
                .forEach(variants::add);
        return variants;
    }

    /** The members with each charge too, where preemption costs more than a short restart; the best of them. */
    private List<Candidate> charging(List<Candidate> members) {
        return experiment.config().physics().isPreemptionCostly() ? halve(each(members, Tuning::charged)) : members;
    }

    /** The member itself, then with each charge where its order preempts by remaining time. */
    private static List<ComposedSettings> charged(ComposedSettings member) {
        List<ComposedSettings> variants = new ArrayList<>(List.of(member));
        if (member.order().isByRemainingTime()) {
            CHARGES.forEach(charge -> variants.add(member.with(Knob.CHARGE, charge)));
        }
        return variants;
    }

    /** The member itself, then with each limit, then each of these with each share. */
    private static List<ComposedSettings> variants(ComposedSettings member) {
        List<ComposedSettings> limited = new ArrayList<>(List.of(member));
        if (member.value(Knob.LIMIT) == Double.POSITIVE_INFINITY) {
            LIMITS.forEach(limit -> limited.add(member.with(Knob.LIMIT, limit).with(Knob.PATIENCE, PATIENCE)));
        }
        List<ComposedSettings> variants = new ArrayList<>(limited);
        for (double share : SHARES) {
            limited.forEach(
                    settings -> variants.add(settings.with(Knob.SHARE, share).with(Knob.LONG, LONG_HOURS)));
        }
        return variants;
    }

    /** A member that is not yet eliminated, with its mean JCTs so far. */
    private record Member(String name, List<Double> jctSeconds) {
        double mean() {
            return jctSeconds.stream().mapToDouble(s -> s).sum() / jctSeconds.size();
        }
    }

    private List<Candidate> halve(List<String> all) {
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
                            () -> progress.to(++done[0], "%d members, %d episodes".formatted(field.size(), to)));
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
