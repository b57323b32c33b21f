package org.trainyard.env.gym;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.observation.ObservationSpace;

/**
 * Checks that an environment keeps the contract that learners rely on, for those who bring a reward, topology or
 * episodes of their own; as Gymnasium's {@code check_env} and PettingZoo's {@code parallel_api_test} do (M. Towers
 * et al.: Gymnasium, 2024; J. Terry et al.: PettingZoo, NeurIPS 2021).
 *
 * <p>It plays whole episodes by random legal actions, in two environments at once. Of each rule only the first
 * violation of an episode is reported.
 */
public final class EnvChecker {
    /** What is checked. */
    public enum Rule {
        /**
         * Equal episodes and actions give equal results, in a new environment and in one that has left an episode
         * half played.
         */
        DETERMINISM,
        /**
         * While the episode goes on some agent has a choice, every agent has a legal action, and a legal action is
         * never illegal.
         */
        MASK,
        /**
         * The mask is 0 or 1, and every other number is finite and at most 16 in size; a parent at most one plus
         * the switches.
         */
        OBSERVATION,
        /** Rates are finite and a function of the state alone, and rewards add up to the integral of the rates. */
        REWARD,
        /** Elapsed times are not negative, add up to the simulated time, and do not pass the horizon. */
        TIME,
        /** An episode ends in the steps allowed, either terminated or truncated, and takes no step afterwards. */
        END
    }

    /**
     * A rule that was broken.
     *
     * @param step of the episode, 0 for the reset
     * @param what the numbers, expected and found
     */
    public record Violation(Rule rule, long episode, int step, String what) {
        @Override
        public String toString() {
            return "%s, episode %d, step %d: %s".formatted(rule, episode, step, what);
        }
    }

    private static final int LARGEST = 16;
    private static final double TOLERANCE = 1e-9;

    private final ClusterEnv env;
    private final ClusterEnv other;
    private final int mostSteps;
    private final List<Violation> violations = new ArrayList<>();
    private final Set<Rule> broken = EnumSet.noneOf(Rule.class);
    private final float[] row;
    private final float[] otherRow;
    private final int[] actions;
    private long episode;
    private int step;
    private double reward;
    private double hours;

    private EnvChecker(Supplier<ClusterEnv> envs, int mostSteps) {
        env = envs.get();
        other = envs.get();
        this.mostSteps = mostSteps;
        row = new float[env.spec().size()];
        otherRow = new float[row.length];
        actions = new int[env.agents()];
    }

    /**
     * Plays episodes and reports what is wrong.
     *
     * @param envs makes environments, each with a reward of its own
     * @param mostSteps steps in which an episode has to end
     * @return the violations in order; empty when there is none
     */
    public static List<Violation> check(Supplier<ClusterEnv> envs, long firstEpisode, int episodes, int mostSteps) {
        EnvChecker checker = new EnvChecker(envs, mostSteps);
        for (int i = 0; i < episodes; i++) {
            checker.play(firstEpisode + i);
        }
        return List.copyOf(checker.violations);
    }

    /**
     * Plays episodes as {@link #check} does, and throws when the environment breaks a rule.
     *
     * @throws IllegalStateException when a rule is broken, with a line for each violation
     */
    public static void require(Supplier<ClusterEnv> envs, long firstEpisode, int episodes, int mostSteps) {
        List<Violation> violations = check(envs, firstEpisode, episodes, mostSteps);
        if (!violations.isEmpty()) {
            throw new IllegalStateException(String.join(
                    "\n", violations.stream().map(Violation::toString).toList()));
        }
    }

    private void play(long number) {
        episode = number;
        step = 0;
        reward = 0;
        hours = 0;
        broken.clear();
        RandomGenerator random = RandomStreams.stream(number, "env checker");
        other.reset(number + 1);
        boolean isDone = take(env.reset(number), other.reset(number));
        while (!isDone && step < mostSteps) {
            look(random);
            step++;
            isDone = take(env.step(actions, 0), other.step(actions, 0));
        }
        require(isDone, Rule.END, "not over after %d steps", step);
        if (isDone && !broken.contains(Rule.DETERMINISM)) {
            end();
        }
    }

    private void require(boolean isKept, Rule rule, String what, Object... numbers) {
        if (!isKept && broken.add(rule)) {
            violations.add(new Violation(rule, episode, step, String.format(Locale.ROOT, what, numbers)));
        }
    }

    /** Checks all observations, and draws a legal action of each agent. */
    private void look(RandomGenerator random) {
        boolean anyActive = false;
        for (int agent = 0; agent < actions.length; agent++) {
            env.observe(agent, row, 0);
            other.observe(agent, otherRow, 0);
            require(Arrays.equals(row, otherRow), Rule.DETERMINISM, "observations of agent %d differ", agent);
            observation(agent);
            anyActive |= env.isActive(agent);
            actions[agent] = env.isActive(agent) ? draw(agent, random) : ActionSpace.WAIT;
        }
        require(anyActive, Rule.MASK, "no agent has a choice");
        rates();
    }

    private int draw(int agent, RandomGenerator random) {
        int chosen = ActionSpace.WAIT;
        int legal = 0;
        for (int action = 0; action < env.spec().actions().size(); action++) {
            if (row[env.spec().maskAt() + action] != 0 && random.nextInt(++legal) == 0) {
                chosen = action;
            }
        }
        require(legal > 0, Rule.MASK, "agent %d has a choice but no legal action", agent);
        return chosen;
    }

    private void observation(int agent) {
        ObservationSpace space = env.spec();
        for (int i = 0; i < row.length; i++) {
            boolean isParent = i >= space.parentsAt() && i < space.globalAt();
            double largest = isParent ? 1 + space.leaves() + space.pods() : LARGEST;
            boolean isValid = i < space.maskAt() ? Math.abs(row[i]) <= largest : row[i] == 0 || row[i] == 1;
            require(isValid, Rule.OBSERVATION, "agent %d observes %s at %d of %d", agent, row[i], i, row.length);
        }
    }

    /** Asks for the rates twice, over different leftovers. */
    private void rates() {
        double[] once = new double[actions.length];
        double[] again = new double[actions.length];
        Arrays.fill(again, 1);
        env.rates(once);
        env.rates(again);
        for (int agent = 0; agent < actions.length; agent++) {
            require(Double.isFinite(once[agent]), Rule.REWARD, "rate of agent %d is %s", agent, once[agent]);
            require(
                    once[agent] == again[agent],
                    Rule.REWARD,
                    "rate of agent %d is %s, and %s when asked again",
                    agent,
                    once[agent],
                    again[agent]);
        }
    }

    /** Checks the result of a step or reset; whether the episode is over in one of the environments. */
    private boolean take(StepResult result, StepResult same) {
        for (int agent = 0; agent < actions.length; agent++) {
            double own = result.reward(agent);
            reward += own;
            require(Double.isFinite(own), Rule.REWARD, "reward of agent %d is %s", agent, own);
            require(
                    Double.compare(own, same.reward(agent)) == 0,
                    Rule.DETERMINISM,
                    "reward of agent %d is %s and %s",
                    agent,
                    own,
                    same.reward(agent));
            require(
                    result.outcome(agent) != ActionExecutor.Outcome.ILLEGAL,
                    Rule.MASK,
                    "action %d of agent %d was legal by the mask and is illegal",
                    actions[agent],
                    agent);
        }
        hours += result.elapsedHours();
        require(result.elapsedHours() >= 0, Rule.TIME, "%s h passed", result.elapsedHours());
        require(
                result.elapsedHours() == same.elapsedHours() && result.done() == same.done(),
                Rule.DETERMINISM,
                "%s and %s h passed, over: %s and %s",
                result.elapsedHours(),
                same.elapsedHours(),
                result.done(),
                same.done());
        require(!(result.terminated() && result.truncated()), Rule.END, "both terminated and truncated");
        return result.done() || same.done();
    }

    private void end() {
        double simulated = env.simulator().view().nowNanos() / 3600e9;
        require(isClose(hours, simulated), Rule.TIME, "steps add up to %s h of %s h", hours, simulated);
        double horizon = env.settings().horizonHours();
        require(simulated <= horizon, Rule.TIME, "%s h are past the horizon of %s h", simulated, horizon);
        double integral = env.rateIntegral();
        require(isClose(reward, integral), Rule.REWARD, "rewards add up to %s, the rates to %s", reward, integral);
        String log = env.simulator().eventLog().sha256();
        String otherLog = other.simulator().eventLog().sha256();
        require(log.equals(otherLog), Rule.DETERMINISM, "event logs are %s and %s", log, otherLog);
        boolean isRefused = false;
        try {
            env.step(actions, 0);
        } catch (IllegalStateException expected) {
            isRefused = true;
        }
        require(isRefused, Rule.END, "a step after the end is taken");
    }

    private static boolean isClose(double a, double b) {
        return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
    }
}
