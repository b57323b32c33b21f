package org.trainyard.env.gym.action;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.gym.observation.Observer;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.scheduling.placement.ServersByFreeGpus;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.DecisionQueue;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.PlacementPool;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.Pressure;
import org.trainyard.env.workload.RuntimePredictor;
import org.trainyard.env.workload.TrainingPlan;
import org.trainyard.env.workload.Workload;

/**
 * Rounds that leave out agents whose windows have no job with a consolidated place, on three racks on which jobs of
 * up to ten GPUs queue.
 */
class ConsolidatedRoundsTest {
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("3x2x4"));
    private static final Domains DOMAINS = Domains.racks(TOPOLOGY);
    private static final int[] SIZES = {1, 1, 2, 3, 4, 6, 8, 10};

    private final Simulator simulator = simulator();
    private final SimView view = simulator.view();
    private final ActionExecutor executor = executor();
    private int leftOut;
    private int consolidated;

    private static Simulator simulator() {
        RandomGenerator random = RandomStreams.stream(1, "rounds");
        Pressure none = new Pressure(0, 0, 0);
        ModelProfile model = new ModelProfile("model", 1, 0, 1, none, none);
        JobSpec[] jobs = new JobSpec[200];
        double[] seconds = new double[jobs.length];
        for (int i = 0; i < jobs.length; i++) {
            seconds[i] = 10 + random.nextInt(300);
            jobs[i] = new JobSpec(
                    i,
                    "job" + i,
                    20_000_000_000L * i,
                    SIZES[random.nextInt(SIZES.length)],
                    model,
                    TrainingPlan.RingAllReduce.INSTANCE,
                    1,
                    null,
                    null,
                    null);
        }
        Workload workload = new Workload(Arrays.asList(jobs), seconds);
        return new Simulator(
                TOPOLOGY,
                workload,
                new RatedPerformance(),
                RuntimePredictor.oracle(workload),
                new Simulator.Options(0, true));
    }

    private ActionExecutor executor() {
        Observer observer = new Observer(TOPOLOGY, DOMAINS, 8, false, AnalyticInterference.DEFAULT);
        return new ActionExecutor(
                view, DOMAINS, observer.spec().actions(), observer.preview(), 2, new PlacementPool(TOPOLOGY, false));
    }

    @Test
    void agents_are_left_out_that_could_select_no_consolidated_job() {
        DecisionQueue decided = new DecisionQueue();
        while (simulator.advance()) {
            boolean acts = true;
            while (acts) {
                executor.beginRoundOfActive(true);
                int[] actions = choose();
                acts = Arrays.stream(actions).anyMatch(action -> action != ActionSpace.WAIT);
                executor.announce(actions, 0);
                for (int agent = 0; agent < actions.length; agent++) {
                    if (actions[agent] != ActionSpace.WAIT) {
                        executor.act(agent, actions[agent], decided);
                    }
                    while (!decided.isEmpty()) {
                        simulator.apply(decided.remove());
                    }
                }
            }
            simulator.apply(Decision.WAIT);
        }
        assertThat(leftOut).isGreaterThan(100);
        assertThat(consolidated).isGreaterThan(100);
    }

    private int[] choose() {
        boolean isPlacing = false;
        for (int agent = 0; agent < DOMAINS.count(); agent++) {
            isPlacing |= executor.focus(agent) != SimView.NONE;
        }
        int[] chosen = new int[DOMAINS.count()];
        for (int agent = 0; agent < chosen.length; agent++) {
            if (!isPlacing) {
                assertWindow(agent);
            }
            chosen[agent] = executor.isActive(agent) ? choose(agent) : ActionSpace.WAIT;
        }
        return chosen;
    }

    private int choose(int agent) {
        ActionSpace actions = executor.actions();
        if (executor.focus(agent) == SimView.NONE) {
            for (int slot = 0; slot < executor.windowSize(agent); slot++) {
                boolean mustStart = view.runningCount() == 0;
                if (executor.isLegal(agent, actions.slot(slot))
                        && (mustStart || executor.masker().isConsolidated(executor.windowJob(agent, slot)))) {
                    return actions.slot(slot);
                }
            }
            return ActionSpace.WAIT;
        }
        for (int domain = 0; domain < DOMAINS.count(); domain++) {
            if (executor.isLegal(agent, actions.borrow(domain))) {
                return actions.borrow(domain);
            }
        }
        for (int server = 0; server < DOMAINS.servers(agent); server++) {
            if (executor.isLegal(agent, actions.server(server))) {
                return actions.server(server);
            }
        }
        return actions.hold();
    }

    /**
     * What is kept of the agent's window and of the cluster equals what is computed anew, and no agent is left out
     * that might act.
     */
    private void assertWindow(int agent) {
        ActionMask mask = new ActionMask(executor.actions());
        executor.masker().fill(agent, false, true, mask);
        ServersByFreeGpus anew = new ServersByFreeGpus(view, 1, server -> 0);
        long sizes = 0;
        boolean mayAct = false;
        for (int slot = 0; slot < executor.windowSize(agent); slot++) {
            int job = executor.windowJob(agent, slot);
            int gpus = view.job(job).gpus();
            sizes |= executor.queues().sizes().bit(gpus);
            boolean isConsolidated = anew.fewestServers(gpus) == (gpus + 3) / 4;
            assertThat(executor.masker().isConsolidated(job)).isEqualTo(isConsolidated);
            assertThat(executor.masker().serversAnywhere(job)).isEqualTo(anew.fewestServers(gpus));
            assertThat(executor.queues().gpus(job)).isEqualTo(gpus);
            mayAct |= isConsolidated && mask.isLegal(executor.actions().slot(slot));
        }
        assertThat(executor.masker().windows().sizes(agent)).isEqualTo(sizes);
        if (mayAct) {
            assertThat(executor.isActive(agent)).isTrue();
            consolidated++;
        } else if (executor.windowSize(agent) > 0 && !executor.isActive(agent)) {
            leftOut++;
        }
    }
}
