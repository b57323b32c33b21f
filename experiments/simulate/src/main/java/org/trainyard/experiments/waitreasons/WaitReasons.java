package org.trainyard.experiments.waitreasons;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.experiments.io.Durations;

/**
 * Why a job does not run now, in the words that Slurm has for pending jobs: Dependency, BeginTime, JobArrayTaskLimit,
 * Quota, Limit, Priority, Resources, Topology, Reservation.
 *
 * @param reasons each a word, a colon and a sentence without its full stop; none for a job that runs or has ended
 * @param ahead waiting jobs that the scheduler considers before it, and that may hold GPUs of its types; for one that
 *     names no order, those that came before
 */
public record WaitReasons(List<String> reasons, List<Integer> ahead) {
    /** Jobs ahead that a sentence names. */
    private static final int NAMED = 5;

    private static final String RESERVATION = "Reservation";

    public WaitReasons {
        reasons = List.copyOf(reasons);
        ahead = List.copyOf(ahead);
    }

    /**
     * The reasons as a scheduler has left the state: after it has decided to wait. O(waiting jobs + servers).
     *
     * @param scheduler that decides; one that ranks jobs gives the jobs ahead and other reasons of a wait
     */
    public static WaitReasons of(SimView view, Scheduler scheduler, int job) {
        return of(view, scheduler, job, Integer.MAX_VALUE);
    }

    /** The reasons of a job, by a look at no more than {@code most} waiting jobs. */
    public static WaitReasons of(SimView view, Scheduler scheduler, int job, int most) {
        OrderedScheduler ranked = scheduler instanceof OrderedScheduler ordered ? ordered : null;
        return new WaitReasons(
                find(view, ranked, job, most).stream().map(Reason::text).toList(),
                view.state(job) == JobState.WAITING ? ahead(view, ranked, job, most) : List.of());
    }

    /** The {@link #words} alone, at a fraction of the cost. */
    public static String words(SimView view, Scheduler scheduler, int job, int most) {
        OrderedScheduler ranked = scheduler instanceof OrderedScheduler ordered ? ordered : null;
        return find(view, ranked, job, most).stream().map(Reason::word).collect(Collectors.joining(", "));
    }

    /** A word and a sentence, which is made when it is asked for. */
    private record Reason(String word, Supplier<String> sentence) {
        /** The reason in a text with both. */
        static Reason of(String text) {
            int colon = text.indexOf(':');
            return new Reason(text.substring(0, colon), () -> text.substring(colon + 2));
        }

        String text() {
            return word + ": " + sentence.get();
        }
    }

    private static List<Reason> find(SimView view, @Nullable OrderedScheduler ranked, int job, int most) {
        if (view.state(job) == JobState.HELD) {
            return List.of(Reason.of(held(view, job)));
        }
        if (view.state(job) != JobState.WAITING) {
            return List.of();
        }
        List<Reason> reasons = new ArrayList<>(3);
        JobSpec spec = view.job(job);
        if (!view.isWithinQuota(job, spec.gpus())) {
            reasons.add(
                    view.hasLimits() && spec.virtualCluster() == null
                            ? Reason.of(
                                    "Limit: of its account, user, QOS or licences (AssocGrp..., QOSMax..., Licenses)")
                            : new Reason(
                                    "Quota",
                                    () -> "%s has fewer than %s left"
                                            .formatted(
                                                    spec.virtualCluster() == null
                                                            ? "its virtual cluster"
                                                            : "virtual cluster " + spec.virtualCluster(),
                                                    gpus(spec.gpus()))));
        }
        String own = ranked == null ? null : ranked.hindrance(view, job);
        if (own != null && !own.startsWith(RESERVATION)) {
            reasons.add(Reason.of(own));
        }
        if (isBehind(view, ranked, job, most)) {
            reasons.add(new Reason("Priority", () -> priority(view, ranked, ahead(view, ranked, job, most))));
        }
        Reason room = room(view, spec);
        if (room != null) {
            reasons.add(room);
        } else if (own != null && own.startsWith(RESERVATION)) {
            reasons.add(Reason.of(own));
        } else if (reasons.isEmpty()) {
            reasons.add(new Reason(
                    RESERVATION,
                    () -> "%s free, but kept for jobs ahead of it, or on servers on which the scheduler does"
                                    .formatted(are(view.cluster().free()))
                            + " not start it"));
        }
        return reasons;
    }

    private static String priority(SimView view, @Nullable OrderedScheduler ranked, List<Integer> ahead) {
        int wanted = ahead.stream().mapToInt(one -> view.job(one).gpus()).sum();
        return "%s for %s %s before it%s (%s)"
                .formatted(
                        Counted.of(ahead.size(), "waiting job"),
                        gpus(wanted),
                        Counted.verb(ahead.size(), "come"),
                        ranked == null ? " in the queue" : " by " + ranked.rankName(),
                        ahead.stream()
                                        .limit(NAMED)
                                        .map(one -> view.job(one).name())
                                        .collect(Collectors.joining(", "))
                                + (ahead.size() > NAMED ? ", ..." : ""));
    }

    /** The words before the colons, which say whether anything has changed. */
    public String words() {
        return reasons.stream()
                .map(reason -> reason.substring(0, reason.indexOf(':')))
                .collect(Collectors.joining(", "));
    }

    private static String held(SimView view, int job) {
        SubmissionTerms terms = view.job(job).terms();
        if (view.firstStartNanos(job) >= 0) {
            return "BeginTime: it was preempted and may not start again yet";
        }
        long begin = view.job(job).submitNanos() + terms.delayNanos();
        if (begin > view.nowNanos()) {
            return "BeginTime: not before %s after the first submission".formatted(Durations.human(begin / 1e9));
        }
        if (terms.dependency() != null) {
            return "Dependency: " + terms.dependency();
        }
        SubmissionTerms.ArrayTask array = terms.array();
        return array == null
                ? "Dependency: on a job that has not ended"
                : "JobArrayTaskLimit: at most %s of array %s at once"
                        .formatted(Counted.of(array.atOnce(), "task"), array.job());
    }

    /** Whether any of the first waiting jobs comes before a job. */
    private static boolean isBehind(SimView view, @Nullable OrderedScheduler ranked, int job, int most) {
        double own = ranked == null ? 0 : ranked.rank(view, job);
        int looked = 0;
        for (int other = view.firstWaiting(); other != SimView.NONE; other = view.nextWaiting(other)) {
            if (looked++ == most || (ranked == null && other == job)) {
                return false;
            }
            if (compete(view, other, job) && (ranked == null || isBefore(other, ranked.rank(view, other), job, own))) {
                return true;
            }
        }
        return false;
    }

    /** Whether two jobs may hold GPUs of one type. */
    public static boolean compete(SimView view, int one, int other) {
        Demand demand = view.job(one).demand();
        Demand with = view.job(other).demand();
        return one == other
                || demand.gpuTypes().isEmpty()
                || with.gpuTypes().isEmpty()
                || demand.gpuTypes().stream().anyMatch(with::allows);
    }

    private static boolean isBefore(int other, double rank, int job, double own) {
        return rank < own || (rank == own && other < job);
    }

    /** Jobs ahead of a job among the first waiting ones, by rank under a scheduler that ranks jobs. */
    private static List<Integer> ahead(SimView view, @Nullable OrderedScheduler ranked, int job, int most) {
        record Ranked(int job, double rank) {}
        List<Ranked> before = new ArrayList<>();
        double own = ranked == null ? 0 : ranked.rank(view, job);
        int looked = 0;
        for (int other = view.firstWaiting(); other != SimView.NONE; other = view.nextWaiting(other)) {
            if (looked++ == most || (ranked == null && other == job)) {
                break;
            }
            double rank = ranked == null ? looked : ranked.rank(view, other);
            if (compete(view, other, job) && (ranked == null || isBefore(other, rank, job, own))) {
                before.add(new Ranked(other, rank));
            }
        }
        before.sort(Comparator.comparingDouble(Ranked::rank).thenComparingInt(Ranked::job));
        return before.stream().map(Ranked::job).toList();
    }

    /** Reason why a job does not fit on the free GPUs, or null when it fits. */
    private static @Nullable Reason room(SimView view, JobSpec spec) {
        Demand demand = spec.demand();
        int free = view.cluster().free();
        int fitting = view.cluster().mostWorkers(demand);
        if (fitting < Math.max(1, spec.gpus())) {
            return new Reason(
                    "Resources",
                    () -> free < spec.gpus()
                            ? "it asks for %s and %s free".formatted(gpus(spec.gpus()), are(free))
                            : "%s free, %s of them as it asks (type, CPU, memory, parts)"
                                    .formatted(are(free), fitting == 0 ? "none" : String.format("%,d", fitting)));
        }
        int most = 0;
        for (int server = 0; demand.oneServer() && server < view.topology().servers(); server++) {
            most = Math.max(most, view.cluster().room(demand, server));
        }
        int widest = most;
        return demand.oneServer() && most < spec.gpus()
                ? new Reason("Topology", () -> "%s free, at most %,d on one server".formatted(are(free), widest))
                : null;
    }

    private static String gpus(int count) {
        return Counted.of(count, "GPU");
    }

    private static String are(int count) {
        return gpus(count) + (count == 1 ? " is" : " are");
    }
}
