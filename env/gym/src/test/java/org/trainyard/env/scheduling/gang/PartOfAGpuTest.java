package org.trainyard.env.scheduling.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.SharedPlay;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.scheduling.fragmentation.FragmentationCost;
import org.trainyard.env.scheduling.order.ResidualTimeFloor;
import org.trainyard.env.simulation.Cluster;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;

/** The GPUs for a job for a part of one against all that have room, in states that random play leads to. */
class PartOfAGpuTest {
    private static final InterferenceModel BELIEF = new AnalyticInterference(0.1, 0.3, 0.2, 0.4);

    private record OnGpu(int gpu, double cost, double own, double harm) {}

    private static double slowdown(SimView view, int victim, int server, long mask, int extraJob, long extraMask) {
        Colocation row = new Colocation();
        int gpus = 1;
        boolean spans = false;
        if (victim != extraJob) {
            Placement place = view.placement(victim);
            gpus = place.gpusOn(place.indexOf(server));
            spans = place.serverCount() > 1;
        }
        row.reset(view.topology().gpusOn(server), gpus, spans);
        row.addAllOn(server, victim, mask, view);
        if (extraJob != victim && extraJob != SimView.NONE) {
            row.add(view.job(extraJob).model(), 1, false, true, (mask & extraMask) != 0);
        }
        return BELIEF.slowdown(view.job(victim).model(), row);
    }

    private static OnGpu priced(SimView view, int job, int gpu, FragmentationCost fragmentation) {
        Topology topology = view.topology();
        int server = topology.serverOf(gpu);
        long bit = 1L << (gpu - topology.firstGpu(server));
        double own = slowdown(view, job, server, bit, job, bit);
        double harm = 0;
        for (int n = 0; n < view.cluster().jobsOn(server); n++) {
            int neighbour = view.cluster().jobOn(server, n);
            Placement place = view.placement(neighbour);
            long theirs = place.maskOn(place.indexOf(server));
            double extra = slowdown(view, neighbour, server, theirs, job, bit)
                    - slowdown(view, neighbour, server, theirs, SimView.NONE, 0);
            double stays = ResidualTimeFloor.seconds(view, neighbour) / ResidualTimeFloor.seconds(view, job);
            harm += extra > 0 ? extra * Math.min(1, stays) : 0;
        }
        double cost = own - 1 + harm + fragmentation.onGpu(view, view.job(job).demand(), gpu);
        return new OnGpu(gpu, cost, own, harm);
    }

    /** Every held GPU with room, and the cheapest free one, which comes last of equals. */
    private static List<OnGpu> expected(SimView view, int job) {
        Demand demand = view.job(job).demand();
        FragmentationCost fragmentation = new FragmentationCost(view.topology());
        List<OnGpu> held = new ArrayList<>();
        List<OnGpu> free = new ArrayList<>();
        Set<List<Object>> seen = new HashSet<>();
        for (int gpu = 0; gpu < view.topology().gpus(); gpu++) {
            int server = view.topology().serverOf(gpu);
            if (view.cluster().room(demand, server) == 0 || !view.cluster().fitsOn(gpu, demand)) {
                continue;
            }
            OnGpu priced = priced(view, job, gpu, fragmentation);
            if (view.cluster().owner(gpu) == Cluster.FREE) {
                free.add(priced);
            } else if (!fragmentation.counts()
                    || seen.add(List.of(server, priced.cost, view.cluster().freeMilli(gpu)))) {
                held.add(priced);
            }
        }
        free.stream().min(Comparator.comparingDouble(OnGpu::cost)).ifPresent(held::add);
        held.sort(Comparator.comparingDouble(OnGpu::cost));
        return held;
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, false", "4, false"})
    void every_gpu_with_room_is_priced_by_its_sharers_and_the_neighbours(long seed, boolean isHostLimited) {
        ServerSpec server = ServerSpec.ofV100(4);
        SharedPlay play = new SharedPlay(seed, isHostLimited ? server.withHost(2_500, 1 << 20) : server);
        GangCandidates sets = new GangCandidates(play.topology(), BELIEF, 100);
        int[] seen = new int[3];
        play.play(60, 3, new Simulator.Options(0, true), view -> {
            for (int job = view.firstWaiting(); job != SimView.NONE; job = view.nextWaiting(job)) {
                if (view.job(job).demand().gpuMilli() == Demand.WHOLE) {
                    continue;
                }
                int found = sets.find(view, job);
                List<OnGpu> all = new ArrayList<>();
                for (int set = 0; set < found; set++) {
                    all.add(new OnGpu(sets.gpu(set), sets.cost(set), sets.own(set), sets.harm(set)));
                    boolean isFree = view.cluster().owner(sets.gpu(set)) == Cluster.FREE;
                    assertThat(sets.freeGpusTaken(view, set)).isEqualTo(isFree ? 1 : 0);
                    seen[isFree ? 0 : 1]++;
                }
                assertThat(all).isEqualTo(expected(view, job));
                seen[2] += found == 0 ? 1 : 0;
            }
        });
        assertThat(seen).doesNotContain(0);
    }
}
