package org.trainyard.agents.heuristic.provisioning;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topology;

/**
 * The rules for host CPU and memory that can stand beside any scheduler, by name: {@code cores=tune:fifo} and so on.
 */
public final class ProvisioningRules {
    /** How the names of schedulers with such a rule begin. */
    public static final String PREFIX = "cores=";

    private static final String POOL = "pool";
    private static final String TRIM = "trim";
    private static final String TUNE = "tune";

    private ProvisioningRules() {}

    /** The names of the rules. */
    public static List<String> names() {
        return List.of(POOL, TRIM, TUNE);
    }

    public static String description(String rule) {
        return switch (rule) {
            case POOL -> "running jobs hold no cores and divide those that nobody holds";
            case TRIM -> "running jobs give up cores and memory without which they are as fast";
            case TUNE ->
                "running jobs give up cores and memory without which they are as fast, and those that gain most get what is left (after Synergy)";
            default ->
                throw InputException.at("scheduler, rule for cores", rule, "one of " + String.join(", ", names()));
        };
    }

    public static Scheduler beside(String rule, Topology topology, Scheduler placing) {
        return new ProvisioningScheduler(placing, new CoreAllocation(topology, rule.equals(POOL)), rule.equals(TUNE));
    }

    /**
     * Decisions about host CPU and memory beside any scheduler: while jobs wait, running jobs first go back to no more
     * than they asked for, then the scheduler places jobs among them, and last the rule divides what is left.
     *
     * <p>So the scheduler sees the free cores and memory of a cluster without extra grants. Changes are free, so that
     * going back costs nothing.
     */
    private static final class ProvisioningScheduler implements Scheduler {
        private final Scheduler placing;
        private final CoreAllocation allocation;
        private final boolean extendsJobs;
        private final Queue<Decision> changes = new ArrayDeque<>();
        /** Whether running jobs have gone back at this instant. */
        private boolean isRoomMade;
        /** The wait of the scheduler, to be handed on after the changes. */
        private Decision.@Nullable Wait held;

        /** @param extendsJobs whether jobs may get more than they asked for */
        ProvisioningScheduler(Scheduler placing, CoreAllocation allocation, boolean extendsJobs) {
            this.placing = placing;
            this.allocation = allocation;
            this.extendsJobs = extendsJobs;
        }

        @Override
        public Decision decide(SimView view) {
            if (held == null && changes.isEmpty() && !isRoomMade) {
                isRoomMade = true;
                if (view.waitingCount() > 0) {
                    changes.addAll(allocation.changes(view, false));
                }
            }
            if (held == null && changes.isEmpty()) {
                Decision decision = placing.decide(view);
                if (!(decision instanceof Decision.Wait wait)) {
                    return decision;
                }
                held = wait;
                changes.addAll(allocation.changes(view, extendsJobs));
            }
            Decision change = changes.poll();
            if (change != null) {
                return change;
            }
            Decision.Wait wait = held;
            held = null;
            isRoomMade = false;
            return wait == null ? Decision.WAIT : wait;
        }
    }
}
