package org.trainyard.env.gym;

import org.jspecify.annotations.Nullable;
import org.trainyard.env.gym.action.ActionExecutor;
import org.trainyard.env.gym.action.ActionSpace;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.Observer;
import org.trainyard.env.gym.reward.Reward;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.PlacementPool;
import org.trainyard.env.workload.Workload;

/**
 * The gym: several agents, each owning a domain, place the jobs of one episode. Parallel semantics: every step takes one action of
 * each agent, made in order of the agents; an agent with nothing to choose gives {@link ActionSpace#WAIT}.
 *
 * <p>When all agents wait, time passes to the next instant at which some agent has a choice. {@code terminated} when all jobs are
 * done, {@code truncated} at the horizon. An illegal action never throws: it does nothing, costs the penalty and is marked in the
 * step. The same seed and actions give the same episode, byte for byte.
 */
public final class ClusterEnv {
    /**
     * @param domains who owns what
     * @param window waiting jobs an agent sees
     * @param maxHops how often a job may be forwarded
     * @param preemption whether agents may push out running jobs
     * @param horizonHours simulated hours after which an episode is cut; infinite for never
     * @param teamShare part of the pay that is shared equally by all agents, 0..1
     * @param illegalPenalty subtracted from the pay of an agent for an action not on offer, 0 or more
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

    private final ClusterScenario world;
    private final Settings settings;
    private final EpisodeSource episodes;
    private final Reward reward;
    private final Observer observer;
    private final StepResult step;
    private final double[] flow;
    private final PlacementPool pool;
    private final RecycledPlacements placements;
    private final ActionExecutor.Orders orders = new ActionExecutor.Orders() {
        @Override
        public void start(int job, Placement placement) {
            simulator().start(job, placement);
            placements.started(job, placement);
        }

        @Override
        public void forward(int job, int domain) {
            simulator().forward(job, domain);
        }

        @Override
        public void preempt(int job) {
            simulator().preempt(job);
            placements.sync(simulator().view());
        }
    };

    private @Nullable Simulator simulator;
    private @Nullable ActionExecutor dispatcher;
    private boolean over = true;

    public ClusterEnv(ClusterScenario world, Settings settings, EpisodeSource episodes, Reward reward) {
        this.world = world;
        this.settings = settings;
        this.episodes = episodes;
        this.reward = reward;
        observer = new Observer(
                world.topology(), settings.domains(), settings.window(), settings.preemption(), world.belief());
        step = new StepResult(agents());
        flow = new double[agents()];
        pool = new PlacementPool(world.topology());
        placements = new RecycledPlacements(pool);
    }

    public int agents() {
        return settings.domains().count();
    }

    public ObservationSpace spec() {
        return observer.spec();
    }

    /** Starts the episode with this number. */
    public void reset(long episode) {
        reset(episodes.episode(episode));
    }

    /** Starts an episode with this workload. */
    public void reset(Workload workload) {
        step.clear();
        begin(workload);
    }

    /** Starts an episode; the last step of the one before stays readable. */
    void resetKeepingStep(long episode) {
        begin(episodes.episode(episode));
    }

    private void begin(Workload workload) {
        for (int job = 0; job < workload.size(); job++) {
            if (!workload.job(job).demand().isPlain()) {
                throw new IllegalArgumentException(
                        "job %s demands more than whole GPUs of any type, which agents cannot place yet"
                                .formatted(workload.job(job).name()));
            }
        }
        Simulator fresh = world.simulator(workload);
        simulator = fresh;
        dispatcher = new ActionExecutor(fresh.view(), observer, settings.maxHops(), pool);
        placements.forget();
        over = false;
        sleepUntilChoice(new StepResult(agents()));
    }

    /** The simulator under the episode, for its results; to drive it is the environment's affair. */
    public Simulator simulator() {
        if (simulator == null) {
            throw new IllegalStateException("reset first");
        }
        return simulator;
    }

    private ActionExecutor dispatcher() {
        if (dispatcher == null) {
            throw new IllegalStateException("reset first");
        }
        return dispatcher;
    }

    /** Whether the agent has anything to choose now. */
    public boolean isActive(int agent) {
        return !over && dispatcher().isActive(agent);
    }

    /** Writes what the agent sees now. */
    public void observe(int agent, float[] out, int at) {
        observer.write(simulator().view(), dispatcher(), agent, out, at);
    }

    /** Makes one action of each agent, {@code actions[from + agent]}; the answer is overwritten by the next step. */
    public StepResult step(int[] actions, int from) {
        if (over) {
            throw new IllegalStateException("the episode is over: reset first");
        }
        step.clear();
        dispatcher().announce(actions, from);
        for (int agent = 0; agent < agents(); agent++) {
            act(agent, actions[from + agent]);
        }
        dispatcher().beginRound();
        if (!dispatcher().anyActive()) {
            sleepUntilChoice(step);
        }
        return step;
    }

    private void act(int agent, int action) {
        ActionExecutor desk = dispatcher();
        if (!desk.isActive(agent) && action == ActionSpace.WAIT) {
            return;
        }
        desk.act(agent, action, orders);
        step.outcome(agent, desk.outcome());
        if (desk.outcome() == ActionExecutor.Outcome.ILLEGAL) {
            step.pay(agent, -settings.illegalPenalty());
        }
    }

    /** Lets time pass until some agent has a choice or the episode is over. */
    private void sleepUntilChoice(StepResult into) {
        Simulator sim = simulator();
        ActionExecutor desk = dispatcher();
        do {
            if (sim.isStuck()) {
                over = true;
                into.truncate(true);
                return;
            }
            reward.flow(sim.view(), desk, flow);
            long before = sim.view().nowNanos();
            if (sim.isAsking()) {
                sim.apply(Decision.WAIT);
            }
            boolean goesOn = sim.advance();
            placements.sync(sim.view());
            pay(into, (sim.view().nowNanos() - before) / 3600e9);
            desk.beginRound();
            if (!goesOn) {
                over = true;
                into.terminate();
                return;
            }
            if (sim.view().nowNanos() >= settings.horizonHours() * 3600e9) {
                over = true;
                into.truncate(false);
                return;
            }
        } while (!desk.anyActive());
    }

    private void pay(StepResult into, double hours) {
        double sum = 0;
        for (double perHour : flow) {
            sum += perHour;
        }
        double shared = settings.teamShare() * sum / agents();
        for (int agent = 0; agent < agents(); agent++) {
            into.pay(agent, hours * (shared + (1 - settings.teamShare()) * flow[agent]));
        }
        into.elapse(hours);
    }
}
