package org.trainyard.experiments.config;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;
import static org.trainyard.env.InvalidFieldException.within;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.Counted;
import org.trainyard.env.FormerKey;
import org.trainyard.env.binding.OptionalKey;
import org.trainyard.env.simulation.PreemptionRules;

/** Preemptible jobs, and the work that a preempted job loses of its run beside the cost of its restart. */
public sealed interface PreemptionConfig {
    /** The rules of the simulator. */
    PreemptionRules rules();

    /** The rules where they differ from free preemption, each in words. */
    default List<String> describe() {
        return describe(rules());
    }

    /**
     * Limits on preemptions of every kind; null for no limit.
     *
     * @param limit most preemptions of a job
     * @param leastRunMinutes least run time of a job before it may be preempted
     * @param requeueSeconds time until a preempted job is back in the queue
     */
    record Limits(
            @OptionalKey @Nullable Integer limit,
            @OptionalKey @Nullable Double leastRunMinutes,
            @OptionalKey @Nullable Double requeueSeconds) {
        public Limits {
            if (limit != null) {
                atLeast(1, "limit", limit);
            }
            if (leastRunMinutes != null) {
                within(0, 1e7, "leastRunMinutes", leastRunMinutes);
            }
            if (requeueSeconds != null) {
                within(0, 1e7, "requeueSeconds", requeueSeconds);
            }
        }

        PreemptionRules rules(long savedEveryNanos) {
            return new PreemptionRules(
                    savedEveryNanos,
                    leastRunMinutes == null ? 0 : Math.round(leastRunMinutes * 60e9),
                    requeueSeconds == null ? 0 : Math.round(requeueSeconds * 1e9),
                    limit == null ? PreemptionRules.NO_LIMIT : limit);
        }
    }

    /** A preempted job keeps its work: it saves a checkpoint as it is preempted. */
    @FormerKey("Saved")
    record Checkpointed(@JsonUnwrapped Limits limits) implements PreemptionConfig {
        @Override
        public PreemptionRules rules() {
            return limits.rules(0);
        }
    }

    /** A preempted job loses the work since its last checkpoint. */
    record Checkpoints(double minutes, @JsonUnwrapped Limits limits) implements PreemptionConfig {
        public Checkpoints {
            above(0, "minutes", minutes);
        }

        @Override
        public PreemptionRules rules() {
            return limits.rules(Math.max(1, Math.round(minutes * 60e9)));
        }
    }

    /** A preempted job loses all work of its run: it has no checkpoints. */
    record Lost(@JsonUnwrapped Limits limits) implements PreemptionConfig {
        @Override
        public PreemptionRules rules() {
            return limits.rules(PreemptionRules.SAVES_NOTHING);
        }
    }

    /** No job may be preempted. */
    record Forbidden() implements PreemptionConfig {
        @Override
        public PreemptionRules rules() {
            return new PreemptionRules(0, 0, 0, 0);
        }
    }

    /** Differences from free preemption, each in words. */
    static List<String> describe(PreemptionRules rules) {
        if (!rules.allowsAny()) {
            return List.of("no preemption");
        }
        List<String> said = new ArrayList<>();
        if (rules.savedEveryNanos() == PreemptionRules.SAVES_NOTHING) {
            said.add("a preempted job loses all its work");
        } else if (rules.savedEveryNanos() > 0) {
            said.add("a preempted job loses its work since the last of its checkpoints, one every %s min"
                    .formatted(rules.savedEveryNanos() / 60e9));
        }
        if (rules.leastRunNanos() > 0) {
            said.add("it has run %s min or more".formatted(rules.leastRunNanos() / 60e9));
        }
        if (rules.mostPerJob() < PreemptionRules.NO_LIMIT) {
            said.add(
                    rules.mostPerJob() == 1
                            ? "a job is preempted once at most"
                            : Counted.say("a job is preempted %d times at most", rules.mostPerJob()));
        }
        if (rules.requeueNanos() > 0) {
            said.add("it waits again after %s s".formatted(rules.requeueNanos() / 1e9));
        }
        return said;
    }
}
