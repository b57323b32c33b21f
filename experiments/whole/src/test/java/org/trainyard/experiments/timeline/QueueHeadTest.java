package org.trainyard.experiments.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.trainyard.agents.learned.policy.ChoiceListener;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.RatedPerformance;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.scheduling.order.OrderedScheduler;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;
import org.trainyard.interference.runtime.HistoryRuntimePredictor;

/** The head of the queue of a crowded run, against a full sort. */
class QueueHeadTest {
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("2x8"));

    private int looks;

    @Test
    void the_first_by_rank_are_those_of_a_full_sort() {
        OrderedScheduler sjf = (OrderedScheduler) SchedulerRegistry.named("sjf").create(TOPOLOGY, 1);
        QueueHead head = new QueueHead(sjf);
        run(sjf, view -> {
            List<Integer> sorted = waiting(view);
            sorted.sort(Comparator.<Integer>comparingDouble(job -> sjf.rank(view, job))
                    .thenComparingInt(job -> job));
            check(head, view, sorted);
        });
    }

    @Test
    void without_ranks_they_stand_as_they_wait() {
        QueueHead head = new QueueHead(null);
        run(SchedulerRegistry.named("fifo").create(TOPOLOGY, 1), view -> check(head, view, waiting(view)));
    }

    private void check(QueueHead head, SimView view, List<Integer> order) {
        looks += order.size() > 5 ? 1 : 0;
        head.look(view);
        assertThat(head.size()).isEqualTo(order.size());
        assertThat(head.best(SimView.NONE, List.of()))
                .extracting(ChoiceListener.Option::job)
                .isEqualTo(order.subList(0, Math.min(5, order.size())));
        for (int place = 0; place < order.size(); place++) {
            assertThat(head.placeOf(order.get(place))).isEqualTo(place);
        }
        assertThat(head.placeOf(-7)).isEqualTo(order.size());
        if (order.size() > 7) {
            ChoiceListener.Option first = head.best(order.get(7), List.of(1)).get(0);
            assertThat(first.job()).isEqualTo(order.get(7));
            assertThat(first.servers()).containsExactly(1);
            assertThat(head.best(order.get(7), List.of())).hasSize(6);
            assertThat(head.best(order.get(2), List.of())).hasSize(5);
        }
    }

    private static List<Integer> waiting(SimView view) {
        List<Integer> jobs = new ArrayList<>();
        for (int job = view.firstWaiting(); job != SimView.NONE && jobs.size() < QueueHead.LOOKED_AT; ) {
            jobs.add(job);
            job = view.nextWaiting(job);
        }
        return jobs;
    }

    private void run(Scheduler scheduler, Consumer<SimView> look) {
        Workload workload = new WorkloadBuilder(
                        TOPOLOGY,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, true, true))
                .rated(new TraceGenerator(GeneratorSettings.DEFAULT, 120, ModelCatalog.standard())
                        .generate(1, TOPOLOGY.gpus()).stream()
                                .map(job -> job.submittedAt(job.submitNanos() / 8))
                                .toList())
                .workload();
        new World(TOPOLOGY, new RatedPerformance(), new Simulator.Options(0, false))
                .telling(told -> new HistoryRuntimePredictor())
                .simulator(workload)
                .run(view -> {
                    look.accept(view);
                    return scheduler.decide(view);
                });
        assertThat(looks).isGreaterThan(50);
    }
}
