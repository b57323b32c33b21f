package org.trainyard.experiments.drive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.experiments.drive.LiveJob.Stage;
import org.trainyard.experiments.service.live.ClusterView;
import org.trainyard.experiments.service.live.FreeGpus;
import org.trainyard.experiments.service.live.LiveEvent;
import org.trainyard.experiments.service.live.PlacementAnswer.ProposedDecision;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/**
 * Events that make the mirror of a live cluster equal to a new snapshot. They come from a comparison of states, so none
 * that matters is missed after an interruption of the driver or the manager.
 */
final class LiveEvents {
    private static final long SECOND = 1_000_000_000L;
    private static final String CANCELLED = "cancelled";
    /** Model of every job: the manager does not know the models of jobs. */
    private static final String NEUTRAL = "neutral";

    /**
     * New events.
     *
     * @param events in the order of their times, without numbers
     * @param started jobs that run now and did not before, by number
     * @param surprises changes that the plan did not ask for
     */
    record News(List<LiveEvent> events, List<String> started, int surprises) {}

    /** One event in the making; GPUs are looked for when all earlier ones are known. */
    private record Step(long nanos, int order, int tie, LongFunction<@Nullable LiveEvent> event) {}

    private final LiveSnapshot snapshot;
    private final ClusterView view;
    private final Mirror mirror;
    private final DriveLog log;
    private final Set<String> drivable;
    private final Set<String> reused;
    private final List<ProposedDecision> plan;
    private final Map<String, Integer> lost;
    private final long nowNanos;
    private final FreeGpus free;
    private final List<Step> steps = new ArrayList<>();
    private final List<String> started = new ArrayList<>();
    private int surprises;
    private int arrivals;

    /**
     * @param drivable numbers of the pending jobs that belong into the mirror
     * @param reused numbers that other jobs had when the mirror was right
     * @param plan decisions that were asked for and have not been seen yet
     * @param lost by node, GPUs that the manager counts as held and no job has
     */
    LiveEvents(
            LiveSnapshot snapshot,
            Mirror mirror,
            ClusterView view,
            DriveLog log,
            Set<String> drivable,
            Set<String> reused,
            List<ProposedDecision> plan,
            Map<String, Integer> lost,
            long nowNanos) {
        this.snapshot = snapshot;
        this.mirror = mirror;
        this.view = view;
        this.log = log;
        this.drivable = drivable;
        this.reused = reused;
        this.plan = plan;
        this.lost = lost;
        this.nowNanos = nowNanos;
        free = mirror.free(view);
    }

    News since() {
        Map<String, String> waiting = Mirror.waiting(view);
        Map<String, String> running = new TreeMap<>();
        for (ClusterView.RunningJob job : view.running()) {
            String number = Mirror.number(job.job());
            running.put(number, job.job());
            ran(job, number, same(number));
        }
        waiting.forEach((number, name) -> waited(number, name, same(number)));
        for (LiveJob job : snapshot.jobs().values()) {
            if (reused.contains(job.id()) || !(waiting.containsKey(job.id()) || running.containsKey(job.id()))) {
                appeared(job);
            }
        }
        nodes();
        steps.sort(Comparator.comparingLong(Step::nanos)
                .thenComparingInt(Step::order)
                .thenComparingInt(Step::tie));
        List<LiveEvent> events = new ArrayList<>();
        for (Step step : steps) {
            LiveEvent event = step.event().apply(step.nanos());
            if (event != null) {
                events.add(event);
            }
        }
        return new News(events, started, surprises);
    }

    private @Nullable LiveJob same(String number) {
        return reused.contains(number) ? null : snapshot.jobs().get(number);
    }

    /** A time of the manager, between the last event and now. */
    private long at(long seconds) {
        long nanos = seconds <= 0 || seconds > nowNanos / SECOND ? nowNanos : seconds * SECOND;
        return Math.min(nowNanos, Math.max(view.nowNanos(), nanos));
    }

    private void step(long nanos, int order, int tie, LongFunction<@Nullable LiveEvent> event) {
        steps.add(new Step(nanos, order, tie, event));
    }

    private void ran(ClusterView.RunningJob job, String number, @Nullable LiveJob now) {
        if (now == null || now.stage() == Stage.ENDED) {
            surprises++;
            step(now == null ? nowNanos : at(now.end()), 0, 0, at -> {
                free.give(job.placement());
                return new LiveEvent.OfJob("ended", job.job(), at);
            });
        } else if (now.stage() == Stage.PENDING) {
            boolean isOurs = log.of(number).wasRequeued();
            surprises += isOurs && drivable.contains(number) ? 0 : 1;
            step(nowNanos, 0, 0, at -> {
                free.give(job.placement());
                return new LiveEvent.OfJob(isOurs ? "preempted" : "requeued", job.job(), at);
            });
            if (!drivable.contains(number)) {
                step(nowNanos, 1, 0, at -> new LiveEvent.OfJob(CANCELLED, job.job(), at));
            }
        } else if (now.stage() == Stage.RUNNING && !isThere(job.placement(), now.allocated())) {
            surprises++;
            step(nowNanos, 0, 0, at -> {
                free.give(job.placement());
                return new LiveEvent.OfJob("requeued", job.job(), at);
            });
            start(job.job(), now, nowNanos);
        }
    }

    private static boolean isThere(List<ServerGpus> placement, Map<String, Integer> allocated) {
        Map<String, Integer> held = counts(placement);
        return allocated.isEmpty() || held.keySet().equals(allocated.keySet());
    }

    private static Map<String, Integer> counts(List<ServerGpus> placement) {
        Map<String, Integer> counts = new TreeMap<>();
        placement.forEach(one -> counts.put(one.server(), one.gpus().size()));
        return counts;
    }

    private void waited(String number, String name, @Nullable LiveJob now) {
        if (now != null && now.stage() == Stage.RUNNING) {
            start(name, now, at(now.start()));
        } else if (now == null
                || now.stage() == Stage.ENDED
                || (now.stage() == Stage.PENDING && !drivable.contains(number))) {
            surprises++;
            step(nowNanos, 1, 0, at -> new LiveEvent.OfJob(CANCELLED, name, at));
        }
    }

    private void appeared(LiveJob job) {
        boolean runs = job.stage() == Stage.RUNNING && !job.allocated().isEmpty();
        if (runs ? !job.allocated().keySet().stream().allMatch(free::knows) : !drivable.contains(job.id())) {
            return;
        }
        surprises++;
        String name = "%s.%d".formatted(job.id(), view.sequence() + ++arrivals);
        List<String> types = mirror.types(job.needs().gpuType());
        boolean isOnOne = job.isOnOneNode() && job.gpus() > 1 && mirror.servesOneServer();
        step(
                at(job.submit()),
                3,
                arrivals,
                at -> new LiveEvent.Arrival(
                        "arrival",
                        name,
                        job.gpus(),
                        NEUTRAL,
                        orNull(job.user()),
                        orNull(job.account()),
                        orNull(job.partition()),
                        isOnOne ? true : null,
                        types.isEmpty() ? null : types,
                        at));
        if (runs) {
            start(name, job, Math.max(at(job.submit()), at(job.start())));
        }
    }

    private static @Nullable String orNull(String text) {
        return text.isBlank() ? null : text;
    }

    private void start(String name, LiveJob job, long nanos) {
        int planned = planned(name);
        if (planned < 0) {
            surprises++;
        }
        step(nanos, 4, planned < 0 ? plan.size() : planned, at -> {
            List<ServerGpus> placement = placement(job, planned);
            if (placement == null) {
                surprises++;
                return null;
            }
            free.take(placement);
            started.add(job.id());
            return new LiveEvent.Started("started", name, placement, at);
        });
    }

    private int planned(String name) {
        for (int i = 0; i < plan.size(); i++) {
            if (plan.get(i).kind().equals("start") && plan.get(i).job().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Which of the GPUs of a node a job has is the mirror's own account: managers count them. */
    private @Nullable List<ServerGpus> placement(LiveJob job, int planned) {
        if (planned >= 0) {
            List<ServerGpus> wanted = plan.get(planned).placement();
            if (wanted != null && counts(wanted).equals(job.allocated()) && free.has(wanted)) {
                return wanted;
            }
        }
        List<ServerGpus> some = free.some(job.allocated());
        return some == null || some.isEmpty() ? null : some;
    }

    /**
     * A node that takes no jobs loses its free GPUs, and those of its jobs as they end; one of which the manager has
     * lost count loses as many free ones as the manager will not give.
     */
    private void nodes() {
        Map<String, Integer> down = new TreeMap<>();
        for (ServerGpus one : mirror.down()) {
            LiveSnapshot.Node node = snapshot.nodes().get(one.server());
            int stays = node == null || node.isOut() ? one.gpus().size() : lost.getOrDefault(one.server(), 0);
            down.put(one.server(), Math.min(stays, one.gpus().size()));
            one.gpus().stream().skip(stays).forEach(gpu -> outage("node_up", 2, one.server(), gpu));
        }
        for (LiveSnapshot.Node node : snapshot.nodes().values()) {
            if (!free.knows(node.name())) {
                continue;
            }
            if (node.isOut()) {
                IntStream.range(0, node.gpus()).forEach(gpu -> outage("node_down", 5, node.name(), gpu));
            } else {
                int more = lost.getOrDefault(node.name(), 0) - down.getOrDefault(node.name(), 0);
                free.of(node.name()).stream()
                        .sorted(Comparator.reverseOrder())
                        .limit(Math.max(0, more))
                        .forEach(gpu -> outage("node_down", 5, node.name(), gpu));
            }
        }
    }

    private void outage(String type, int order, String server, int gpu) {
        boolean isUp = type.equals("node_up");
        List<ServerGpus> one = List.of(new ServerGpus(server, List.of(gpu)));
        step(nowNanos, order, gpu, at -> {
            if (!isUp && !free.has(one)) {
                return null;
            }
            surprises++;
            if (isUp) {
                free.give(one);
            } else {
                free.take(one);
            }
            return new LiveEvent.OfNode(type, server, gpu, at);
        });
    }
}
