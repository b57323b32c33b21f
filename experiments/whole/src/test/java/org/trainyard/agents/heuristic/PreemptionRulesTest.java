package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.RegisteredSchedulers;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.performance.AnalyticInterference;
import org.trainyard.env.performance.WorkloadBuilder;
import org.trainyard.env.performance.ring.RingPerformance;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.EventKind;
import org.trainyard.env.simulation.EventSink;
import org.trainyard.env.simulation.PreemptionRules;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.simulation.World;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.generator.GeneratorSettings;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.env.workload.generator.TraceGenerator;

class PreemptionRulesTest {
    private static final long SECOND = 1_000_000_000L;

    /** Notes every start and preemption that the rules do not allow. */
    private static final class Watch implements EventSink {
        private final PreemptionRules rules;
        private final long[] started;
        private final long[] mayStart;
        private final int[] preemptions;
        private final List<String> broken = new ArrayList<>();
        private int preempted;

        Watch(PreemptionRules rules, int jobs) {
            this.rules = rules;
            started = new long[jobs];
            mayStart = new long[jobs];
            preemptions = new int[jobs];
        }

        @Override
        public void event(long timeNanos, EventKind kind, int job, int argument, @Nullable Placement placement) {
            if (kind == EventKind.START) {
                started[job] = timeNanos;
                expect(timeNanos >= mayStart[job], "job %d starts at %d".formatted(job, timeNanos));
            } else if (kind == EventKind.PREEMPT) {
                preempted++;
                expect(
                        ++preemptions[job] <= rules.mostPerJob() && timeNanos - started[job] >= rules.leastRunNanos(),
                        "job %d is preempted at %d".formatted(job, timeNanos));
                mayStart[job] = timeNanos + rules.requeueNanos();
            }
        }

        private void expect(boolean isTrue, String otherwise) {
            if (!isTrue) {
                broken.add(otherwise);
            }
        }
    }

    private static Workload workload(Topology topology) {
        GeneratorSettings settings = GeneratorSettings.DEFAULT.with(1.1, GeneratorSettings.DEFAULT.maxGpus());
        return new WorkloadBuilder(
                        topology,
                        ModelCatalog.standard(),
                        new WorkloadBuilder.Options(WorkloadBuilder.Models.MIX, 1, false, true))
                .build(
                        new TraceGenerator(settings, 80, ModelCatalog.standard()).generate(1, topology.gpus()),
                        new RingPerformance(topology, AnalyticInterference.DEFAULT))
                .workload();
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(RegisteredSchedulers.ours().stream()
                .map(SchedulerRegistry.Entry::name)
                .toList());
        names.add("tuned:gittins+sets+delay=never+migrate=0.5+move=10+racks=1");
        names.add("tuned:las+best-fit+delay=0");
        return names;
    }

    /** Times in seconds; the greatest number of preemptions of a job is that of no limit. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0, 2147483647", "1800, 600, 0, 1", "0, 0, 120, 2147483647", "0, 3600, 60, 2", "0, 0, 0, 0"})
    void no_scheduler_breaks_the_rules_or_asks_to(long savedEvery, long leastRun, long requeue, int most) {
        Topology topology = Topologies.small();
        Workload workload = workload(topology);
        PreemptionRules rules = new PreemptionRules(savedEvery * SECOND, leastRun * SECOND, requeue * SECOND, most);
        int preempting = 0;
        for (String name : names()) {
            Watch watch = new Watch(rules, workload.size());
            Simulator simulator = new World(
                            topology,
                            new RingPerformance(topology, AnalyticInterference.DEFAULT),
                            new Simulator.Options(30 * SECOND, true).with(rules).withEvents(watch))
                    .simulator(workload);
            int finished;
            try {
                finished = simulator
                        .run(SchedulerRegistry.named(name).create(topology, AnalyticInterference.DEFAULT, 1))
                        .submitted()
                        .size();
            } catch (RuntimeException e) {
                throw new AssertionError(name + ": " + e, e);
            }
            assertThat(finished).as(name).isEqualTo(workload.size());
            assertThat(watch.broken).as(name).isEmpty();
            assertThat(simulator.refusedPreemptions()).as(name).isZero();
            preempting += watch.preempted > 0 ? 1 : 0;
        }
        assertThat(preempting).isBetween(most == 0 ? 0 : 8, most == 0 ? 0 : Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void a_preemption_against_the_rules_is_refused_and_ends_the_turn(int most, long refused) {
        Topology topology = Topologies.small();
        Workload workload = workload(topology);
        Simulator simulator = new World(
                        topology,
                        new RingPerformance(topology, AnalyticInterference.DEFAULT),
                        new Simulator.Options(30 * SECOND, true).with(new PreemptionRules(0, 0, 0, most)))
                .simulator(workload);
        boolean[] asked = new boolean[1];
        Scheduler fifo = SchedulerRegistry.named("fifo").create(topology, AnalyticInterference.DEFAULT, 1);
        simulator.run(view -> {
            if (!asked[0] && view.runningCount() > 0) {
                asked[0] = true;
                return new Decision.Preempt(view.firstRunning());
            }
            return fifo.decide(view);
        });

        assertThat(simulator.refusedPreemptions()).isEqualTo(refused);
    }
}
