package org.trainyard.env.gym.decentralised;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntLinkedOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.workload.Demand;

/**
 * A run divided among agents: the view of each domain and of the coordinator, kept up to date from the journal of the
 * run, and who owns which waiting job.
 *
 * <p>A job that fits in no domain is the coordinator's. Every other job is in the queue of the agent that received it
 * or to which it was forwarded, or of all agents whose domains it fits in. A job that stops waits where it ran.
 */
final class ClusterDivision {
    private static final int NOBODY = -1;

    private final SimView whole;
    private final DecentralisedSettings settings;
    private final Domains domains;
    private final List<DomainView> parts;
    private @Nullable CoordinatorView coordinator;
    private int[] home = {};
    /** By forwarded job, the domains that it has left. */
    private final Int2ObjectOpenHashMap<IntArrayList> left = new Int2ObjectOpenHashMap<>();
    /** By running job, its placement in the whole cluster. */
    private final Int2ObjectOpenHashMap<Placement> placed = new Int2ObjectOpenHashMap<>();
    /** The jobs that run in several domains. */
    private final IntLinkedOpenHashSet across = new IntLinkedOpenHashSet();

    private final IntLinkedOpenHashSet changed = new IntLinkedOpenHashSet();
    private final IntOpenHashSet finished = new IntOpenHashSet();
    private int journalRead;
    private boolean hasQuotas;

    ClusterDivision(SimView whole, Domains domains, DecentralisedSettings settings) {
        this.whole = whole;
        this.domains = domains;
        this.settings = settings;
        parts = IntStream.range(0, domains.count())
                .mapToObj(domain -> new DomainView(
                        whole, domains.firstServer(domain), domains.endServer(domain), "domain " + domain))
                .toList();
    }

    DomainView part(int domain) {
        return parts.get(domain);
    }

    int count() {
        return parts.size();
    }

    /** Null while no job has come that fits in no domain. */
    @Nullable CoordinatorView coordinator() {
        return coordinator;
    }

    /** Whether a virtual cluster has a quota, so that what happens in one domain may let a job start in another. */
    boolean hasQuotas() {
        return hasQuotas;
    }

    /** Reads what has happened since the last call. O(changed jobs and their servers). */
    void update() {
        changed.clear();
        finished.clear();
        boolean hasOutage = false;
        for (; journalRead < whole.journalSize(); journalRead++) {
            EventKind kind = whole.journalKind(journalRead);
            if (!kind.isOfJob()) {
                hasOutage = true;
            } else if (kind != EventKind.FORWARD) {
                int job = whole.journalJob(journalRead);
                changed.add(job);
                hasQuotas |= whole.tenant(job) != SimView.NONE;
                if (kind == EventKind.FINISH || kind == EventKind.TIMEOUT) {
                    finished.add(job);
                }
            }
        }
        changed.forEach(this::lift);
        if (hasOutage) {
            across.forEach(job -> unblock(job));
            parts.forEach(DomainView::copyOutages);
            across.forEach(job -> block(job));
            if (coordinator != null) {
                coordinator.note(EventKind.DOWN, SimView.NONE);
            }
        }
        changed.forEach(this::put);
    }

    /** The domain that holds all of a placement; {@link #NOBODY} for one across domains. */
    private int domainOf(Placement placement) {
        int first = domains.domainOf(placement.server(0));
        return first == domains.domainOf(placement.server(placement.serverCount() - 1)) ? first : NOBODY;
    }

    /** Takes a job that has stopped or moved off its GPUs. */
    private void lift(int job) {
        Placement before = placed.get(job);
        JobState now = whole.state(job);
        if (before == null || (now == JobState.RUNNING && before.equals(whole.placement(job)))) {
            return;
        }
        int domain = domainOf(before);
        if (domain == NOBODY) {
            unblock(job);
            across.remove(job);
        } else {
            DomainView part = part(domain);
            part.stop(job);
            if (now == JobState.WAITING) {
                part.queue(EventKind.PREEMPT, job);
            } else {
                part.note(now == JobState.DONE ? EventKind.FINISH : EventKind.RESIZE, job);
            }
        }
        placed.remove(job);
    }

    private void block(int job) {
        Placement there = placed.get(job);
        forEachDomain(there, domain -> part(domain).block(job, part(domain).within(there)));
    }

    private void unblock(int job) {
        Placement there = placed.get(job);
        forEachDomain(there, domain -> part(domain).unblock(job, part(domain).within(there)));
    }

    private void forEachDomain(Placement placement, IntConsumer does) {
        int before = NOBODY;
        for (int i = 0; i < placement.serverCount(); i++) {
            int domain = domains.domainOf(placement.server(i));
            if (domain != before) {
                does.accept(domain);
                before = domain;
            }
        }
    }

    /** Puts a job where it is now: on its GPUs, or into the queues of its owners. */
    private void put(int job) {
        if (job >= home.length) {
            int before = home.length;
            home = Arrays.copyOf(home, Math.max(64, 2 * job));
            Arrays.fill(home, before, home.length, NOBODY);
        }
        boolean isNew = home[job] == NOBODY;
        if (isNew) {
            home[job] = receiver(job);
        }
        switch (whole.state(job)) {
            case RUNNING -> run(job);
            case WAITING -> queue(job, isNew ? EventKind.ARRIVE : EventKind.KILL);
            case DONE -> end(job, isNew);
            case FUTURE, HELD -> {}
        }
        CoordinatorView itsView = coordinator;
        if (itsView != null) {
            EventKind kind = finished.contains(job) ? EventKind.FINISH : isNew ? EventKind.ARRIVE : EventKind.PREEMPT;
            itsView.changed(kind, job, home[job] == count());
        }
    }

    /** The agent that receives a job: of those whose domains it fits in; the coordinator when it fits in none. */
    private int receiver(int job) {
        Demand demand = whole.job(job).demand();
        int first = settings.arrival().agent(whole.job(job), job, count());
        for (int i = 0; i < count(); i++) {
            int domain = (first + i) % count();
            if (part(domain).couldRun(demand)) {
                return domain;
            }
        }
        if (coordinator == null) {
            coordinator = new CoordinatorView(whole);
        }
        return count();
    }

    private void run(int job) {
        if (placed.containsKey(job)) {
            return;
        }
        Placement there = whole.placement(job);
        placed.put(job, there);
        int domain = domainOf(there);
        for (int other = 0; other < count(); other++) {
            if (other != domain && part(other).waiting.contains(job)) {
                part(other).leave(job);
            }
        }
        if (domain == NOBODY) {
            across.add(job);
            block(job);
        } else {
            part(domain).start(job, part(domain).within(there));
            home[job] = home[job] == count() ? count() : domain;
        }
    }

    private void queue(int job, EventKind kind) {
        if (home[job] == count()) {
            for (DomainView part : parts) {
                if (part.waiting.contains(job)) {
                    part.leave(job);
                }
            }
            return;
        }
        Demand demand = whole.job(job).demand();
        for (int domain = 0; domain < count(); domain++) {
            boolean isOwner =
                    settings.ownJobs() ? domain == home[job] : part(domain).couldRun(demand);
            if (isOwner && !part(domain).waiting.contains(job)) {
                part(domain).queue(kind, job);
            }
        }
    }

    /** A job that is done leaves the queues in which it is still: it started and ended at once, or was turned away. */
    private void end(int job, boolean isNew) {
        if (isNew && home[job] < count()) {
            part(home[job]).queue(EventKind.ARRIVE, job);
        }
        for (DomainView part : parts) {
            if (part.waiting.contains(job)) {
                part.leave(job);
                if (finished.contains(job)) {
                    part.note(EventKind.FINISH, job);
                }
            }
        }
    }

    /** Hands a waiting job from one agent to another. */
    void forward(int job, int from, int to) {
        part(from).leave(job);
        left.computeIfAbsent(job, any -> new IntArrayList()).add(from);
        home[job] = to;
        part(to).queue(EventKind.ARRIVE, job);
    }

    int hops(int job) {
        IntArrayList domainsLeft = left.get(job);
        return domainsLeft == null ? 0 : domainsLeft.size();
    }

    /** Whether the agent of a domain may forward a job of its queue to another. */
    boolean mayForward(int job, int from, int to) {
        IntArrayList before = left.get(job);
        return from != to
                && (before == null || (before.size() < settings.hops() && !before.contains(to)))
                && settings.hops() > 0
                && part(to).couldRun(whole.job(job).demand());
    }
}
