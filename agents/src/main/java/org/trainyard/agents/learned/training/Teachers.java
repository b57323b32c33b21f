package org.trainyard.agents.learned.training;

import static org.trainyard.env.InvalidFieldException.above;
import static org.trainyard.env.InvalidFieldException.atLeast;

import java.util.List;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.gym.auction.BidRule;

/**
 * Policies and rules that a policy learns from beside the costs of its own decisions, each in a world of its own
 * (S. Schmitt et al.: Kickstarting deep reinforcement learning, 2018; A. Rusu et al.: Policy distillation, ICLR
 * 2016).
 *
 * @param weightStart coefficient of the cross-entropy with the teacher's bids at the first update
 * @param weightEnd that coefficient after the last update, linear in between
 * @param policies the teachers; a world without one is learned as ever
 */
public record Teachers(double weightStart, double weightEnd, List<Teacher> policies) {
    public Teachers {
        atLeast(0, "weightStart", weightStart);
        atLeast(0, "weightEnd", weightEnd);
        policies = List.copyOf(policies);
        if (policies.stream().map(Teacher::world).distinct().count() < Math.max(1, policies.size())) {
            throw new InvalidFieldException("policies", policies, "one or more teachers, at most one in each world");
        }
    }

    /** Who teaches in a world. */
    public sealed interface Teacher {
        /** The name of the config of the world. */
        String world();

        /** The checkpoints that it needs; none for a rule. */
        default List<String> from() {
            return List.of();
        }
    }

    /**
     * Trained policies.
     *
     * @param from the checkpoints of policies that bid; several teach the mean of their scores
     */
    public record Policies(String world, List<String> from) implements Teacher {
        public Policies {
            from = List.copyOf(from);
            if (from.isEmpty()) {
                throw new InvalidFieldException("from", from, "one checkpoint or more");
            }
        }
    }

    /**
     * The hand-written rule {@link BidRule}.
     *
     * @param loss predicted slowdown less 1 that a job which starts, and its neighbours, stay below
     * @param moveMinutes minutes that a move saves at least
     */
    public record Rule(String world, double loss, double moveMinutes) implements Teacher {
        public Rule {
            above(0, "loss", loss);
            atLeast(0, "moveMinutes", moveMinutes);
        }
    }

    /**
     * The coefficient of an update.
     *
     * @param progress part of the run that is done, 0..1
     */
    public double weight(double progress) {
        return weightStart + progress * (weightEnd - weightStart);
    }
}
