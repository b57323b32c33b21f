package org.trainyard.env.gym;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.Observer;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.PlacementPool;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.Workload;

/**
 * The multi-agent environment: several agents, each the owner of a domain, schedule the jobs of one episode. A step
 * takes one action of each agent and applies them in order of the agents; an agent without a choice gives
 * {@link ActionSpace#WAIT}.
 *
 * <p>When all agents wait, time passes to the next instant at which some agent has a choice; the reward's rate is
 * integrated exactly over that time. An episode is {@code terminated} when all jobs are done and {@code truncated}
 * at the horizon, to the nanosecond. An illegal action never throws: it does nothing, costs the penalty and is
 * marked in the {@link StepResult}. Equal episodes and actions give equal event logs, byte for byte.
 */
public final class ClusterEnv {
    /**
     * @param domains the servers of each agent
     * @param window waiting jobs that an agent observes
     * @param maxHops how often a job may be forwarded
     * @param preemption whether agents may preempt running jobs
     * @param horizonHours simulated hours after which an episode is truncated; infinite for never
     * @param teamShare part of the reward that all agents share equally, 0..1
     * @param illegalPenalty subtracted from the reward of an agent that takes a masked action, 0 or more
     */
    public record Settings(
            Domains domains,
            int window,
            int maxHops,
            boolean preemption,
            double horizonHours,
            double teamShare,
            double illegalPenalty) {
        public Settings {
            if (window < 1 || maxHops < 0 || !(horizonHours > 0) || !(teamShare >= 0 && teamShare <= 1)) {
                throw new IllegalArgumentException(
                        "window (%d) and horizon (%s h) must be above zero, hops (%d) not negative, team share (%s) in 0..1"
                                .formatted(window, horizonHours, maxHops, teamShare));
            }
            if (!(illegalPenalty >= 0)) {
                throw new IllegalArgumentException("penalty (%s) must not be negative".formatted(illegalPenalty));
            }
        }
    }

    private final ClusterScenario scenario;
    private final Settings settings;
    private final EpisodeSource episodes;
    private final Reward reward;
    private final Observer observer;
    private final StepResult start;
    private final StepResult step;
    private final double[] perHour;
    private final long horizonNanos;
    private final Decision untilHorizon;
    private final PlacementPool pool;

    private @Nullable Simulator simulator;
    private @Nullable ActionExecutor executor;
    private boolean over = true;
    private double rateIntegral;

    public ClusterEnv(ClusterScenario scenario, Settings settings, EpisodeSource episodes, Reward reward) {
        this.scenario = scenario;
        this.settings = settings;
        this.episodes = episodes;
        this.reward = reward;
        observer = new Observer(
                scenario.topology(), settings.domains(), settings.window(), settings.preemption(), scenario.belief());
        start = new StepResult(agents());
        step = new StepResult(agents());
        perHour = new double[agents()];
        horizonNanos = Math.round(settings.horizonHours() * 3600e9);
        untilHorizon = Decision.waitUntil(horizonNanos);
        pool = new PlacementPool(scenario.topology(), true);
    }

    public int agents() {
        return settings.domains().count();
    }

    public ObservationSpace spec() {
        return observer.spec();
    }

    /** Starts the episode with this number, like {@link #reset(Workload)}. */
    public StepResult reset(long episode) {
        return reset(episodes.episode(episode));
    }

    /**
     * Starts an episode and lets time pass to the first choice of an agent.
     *
     * @return the rewards of the time before that, and whether the episode is over because no agent ever has a
     *     choice; overwritten by the next reset, while the result of the last {@link #step} stays as it is
     */
    public StepResult reset(Workload workload) {
        for (int job = 0; job < workload.size(); job++) {
            requirePlaceable(
                    "job " + workload.job(job).name(), workload.job(job).demand());
        }
        Simulator fresh = scenario.simulator(workload);
        simulator = fresh;
        executor = new ActionExecutor(
                fresh.view(), settings.domains(), spec().actions(), observer.preview(), settings.maxHops(), pool);
        start.clear();
        rateIntegral = 0;
        over = false;
        if (workload.size() > 0 && workload.job(0).submitNanos() >= horizonNanos) {
            truncate(start, false);
        } else {
            passTime(start);
        }
        return start;
    }

    /**
     * Refuses a demand that agents cannot place.
     *
     * @param job how messages call the job
     * @throws InputException when it is more than a fixed number of whole GPUs
     */
    public static void requirePlaceable(String job, Demand demand) {
        String other = demand.notWholeGpus();
        if (other != null) {
            throw InputException.at(
                    job, other, "a fixed number of whole GPUs of any type, for agents place nothing else");
        }
    }

    Settings settings() {
        return settings;
    }

    /** Writes the present rate of every domain's reward. */
    void rates(double[] out) {
        reward.rate(simulator().view(), executor().queues(), out);
    }

    /** The integral of all domains' rates since the reset. */
    double rateIntegral() {
        return rateIntegral;
    }

    /** The simulator of the current episode, to be read only. */
    public Simulator simulator() {
        if (simulator == null) {
            throw new IllegalStateException("reset first");
        }
        return simulator;
    }

    private ActionExecutor executor() {
        if (executor == null) {
            throw new IllegalStateException("reset first");
        }
        return executor;
    }

    /** Whether the agent has a choice now. */
    public boolean isActive(int agent) {
        return !over && executor().isActive(agent);
    }

    /** Writes the agent's observation from {@code out[at]} on. */
    public void observe(int agent, float[] out, int at) {
        observer.write(simulator().view(), executor(), agent, out, at);
    }

    /** Takes one action of each agent, {@code actions[from + agent]}; the result is overwritten by the next step. */
    public StepResult step(int[] actions, int from) {
        if (over) {
            throw new IllegalStateException("the episode is over: reset first");
        }
        step.clear();
        executor().announce(actions, from);
        for (int agent = 0; agent < agents(); agent++) {
            act(agent, actions[from + agent]);
        }
        executor().beginRound();
        if (!executor().anyActive()) {
            passTime(step);
        }
        return step;
    }

    private void act(int agent, int action) {
        ActionExecutor executor = executor();
        if (!executor.isActive(agent) && action == ActionSpace.WAIT) {
            return;
        }
        executor.act(agent, action, simulator());
        step.outcome(agent, executor.outcome());
        if (executor.outcome() == ActionExecutor.Outcome.ILLEGAL) {
            step.addReward(agent, -settings.illegalPenalty());
        }
    }

    /** Lets time pass until some agent has a choice or the episode is over. */
    private void passTime(StepResult into) {
        Simulator sim = simulator();
        ActionExecutor executor = executor();
        do {
            if (sim.isStuck()) {
                truncate(into, true);
                return;
            }
            reward.rate(sim.view(), executor.queues(), perHour);
            long before = sim.view().nowNanos();
            if (sim.isAsking()) {
                sim.apply(untilHorizon);
            }
            boolean goesOn = sim.advance();
            integrate(into, (sim.view().nowNanos() - before) / 3600e9);
            executor.beginRound();
            if (!goesOn) {
                over = true;
                into.terminate();
                return;
            }
            if (sim.view().nowNanos() >= horizonNanos) {
                truncate(into, false);
                return;
            }
        } while (!executor.anyActive());
    }

    private void truncate(StepResult into, boolean becauseStuck) {
        over = true;
        into.truncate(becauseStuck);
    }

    /** Adds the rewards of so many hours at the present rate. */
    private void integrate(StepResult into, double hours) {
        double sum = 0;
        for (double rate : perHour) {
            sum += rate;
        }
        rateIntegral += hours * sum;
        double shared = settings.teamShare() * sum / agents();
        for (int agent = 0; agent < agents(); agent++) {
            into.addReward(agent, hours * (shared + (1 - settings.teamShare()) * perHour[agent]));
        }
        into.elapse(hours);
    }
}
