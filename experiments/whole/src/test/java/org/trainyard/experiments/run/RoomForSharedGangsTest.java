package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.order.Rank;
import org.trainyard.env.scheduling.preemption.PreemptionCharge;
import org.trainyard.env.scheduling.preemption.PreemptionPlan;
import org.trainyard.env.scheduling.preemption.SharedGpuPreemption;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topology;
import org.trainyard.experiments.config.ConfigReader;

/** Room for gangs wider than a server on a cluster of shared GPUs: who is preempted for them, and that it is enough. */
class RoomForSharedGangsTest {
    private static final Path CONFIG = Path.of(
            System.getProperty("trainyard.root", ".."), "experiments", "configs", "auction", "philly-like-shared.yaml");
    private static final Rank REMAINING = SimView::predictedRemainingSeconds;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_plan_for_a_gang_wider_than_a_server_clears_the_fewest_servers_of_longer_jobs_or_of_those_that_find_room(
            boolean moves) {
        int[] plans = {0};
        int[] migrated = {0};
        play("{gpus: 8, weight: 0.15}, {gpus: 16, weight: 0.05}", (view, job) -> {
            PreemptionPlan plan = planner(view, REMAINING, moves).plan(job);
            plans[0] += plan == null ? 0 : 1;
            check(view, job, plan, REMAINING);
            migrated[0] += plan == null ? 0 : checkTargets(view, plan);
        });
        assertThat(plans[0]).isPositive();
        assertThat(migrated[0] > 0).isEqualTo(moves);
    }

    /**
     * Racks have 16 GPUs. Where two racks cannot be cleared, a plan spans more, as one that need not keep to racks
     * mostly does.
     */
    @Test
    void a_plan_that_keeps_to_racks_clears_a_gang_wider_than_a_rack_on_two_of_them() {
        Rank narrowLast =
                (view, job) -> REMAINING.of(view, job) / Math.pow(view.job(job).gpus(), 3);
        int[] onRacks = new int[5];
        int[] otherOnRacks = new int[5];
        play("{gpus: 24, weight: 0.05}", (view, job) -> {
            PreemptionPlan plan = planner(view, narrowLast, true).plan(job);
            check(view, job, plan, narrowLast);
            if (plan != null) {
                checkTargets(view, plan);
                onRacks[plan.racks(view.topology())]++;
            }
            PreemptionPlan anywhere = planner(view, narrowLast, false).plan(job);
            if (anywhere != null) {
                otherOnRacks[anywhere.racks(view.topology())]++;
            }
        });
        assertThat(onRacks[2]).isGreaterThan(10 * (onRacks[3] + onRacks[4]));
        assertThat(otherOnRacks[3] + otherOnRacks[4]).isGreaterThan(otherOnRacks[2]);
    }

    private static SharedGpuPreemption planner(SimView view, Rank rank, boolean moves) {
        return new SharedGpuPreemption(view, InterferenceModel.NONE, rank, moves, PreemptionCharge.NONE);
    }

    private interface GangCheck {
        void at(SimView view, int job);
    }

    /**
     * Plays an episode with such demands beside single GPUs; checks every waiting gang wider than a server at every
     * instant.
     */
    private static void play(String demands, GangCheck check) {
        try (Experiment experiment = new Experiment(ConfigReader.read(
                CONFIG,
                List.of(
                        "episodes.jobs=160",
                        "episodes.test=1",
                        "belief=none",
                        "workload.generator.offered_load=4",
                        "workload.generator.max_gpus=24",
                        "workload.generator.demands=[{gpus: 1, weight: 0.8}, " + demands + "]")))) {
            Scheduler scheduler = experiment.scheduler("tuned:sjf+sets", 0);
            Simulator simulator = experiment.world().simulator(experiment.test().get(0));
            while (simulator.advance()) {
                SimView view = simulator.view();
                for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                    if (view.job(job).gpus() > view.topology().widestServer()) {
                        check.at(view, job);
                    }
                }
                simulator.decide(scheduler);
            }
        }
    }

    private static void check(SimView view, int job, @Nullable PreemptionPlan plan, Rank rank) {
        if (plan == null) {
            return;
        }
        int gpus = view.job(job).gpus();
        int[] cleared = clearedByServer(view, plan);
        Arrays.sort(cleared);
        int fewest = view.topology().fewestServers(gpus);
        int roomThere =
                Arrays.stream(cleared, cleared.length - fewest, cleared.length).sum();
        assertThat(roomThere).isGreaterThanOrEqualTo(gpus);
        for (int v = 0; v < plan.size(); v++) {
            boolean isLonger = rank.of(view, plan.victim(v)) > rank.of(view, job);
            assertThat(isLonger || plan.target(v) != SimView.NONE).isTrue();
        }
    }

    /** Each migrated job has a server of its own, with room for it, that is not cleared; returns their number. */
    private static int checkTargets(SimView view, PreemptionPlan plan) {
        Set<Integer> cleared = new HashSet<>();
        Set<Integer> targets = new HashSet<>();
        int migrated = 0;
        for (int v = 0; v < plan.size(); v++) {
            int target = plan.target(v);
            Placement place = view.placement(plan.victim(v));
            cleared.add(place.server(0));
            if (target != SimView.NONE) {
                migrated++;
                assertThat(targets.add(target)).isTrue();
                assertThat(view.cluster().freeOn(target)).isGreaterThanOrEqualTo(place.gpuCount());
            }
        }
        assertThat(Collections.disjoint(cleared, targets)).isTrue();
        return migrated;
    }

    /** By server, the GPUs that nobody holds once the victims are gone. */
    private static int[] clearedByServer(SimView view, PreemptionPlan plan) {
        Topology topology = view.topology();
        int[] cleared = new int[topology.servers()];
        for (int server = 0; server < cleared.length; server++) {
            long held = 0;
            for (int n = 0; n < view.cluster().jobsOn(server); n++) {
                int holder = view.cluster().jobOn(server, n);
                Placement place = view.placement(holder);
                held |= contains(plan, holder) ? 0 : place.maskOn(place.indexOf(server));
            }
            for (int i = 0; i < topology.gpusOn(server); i++) {
                boolean isDown = view.cluster().owner(topology.firstGpu(server) + i) == Cluster.DOWN;
                cleared[server] += isDown || (held & (1L << i)) != 0 ? 0 : 1;
            }
        }
        return cleared;
    }

    private static boolean contains(PreemptionPlan plan, int job) {
        for (int v = 0; v < plan.size(); v++) {
            if (plan.victim(v) == job) {
                return true;
            }
        }
        return false;
    }
}
