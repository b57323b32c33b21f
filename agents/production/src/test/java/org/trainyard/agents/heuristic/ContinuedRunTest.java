package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.kueue.KueueScheduler;
import org.trainyard.agents.heuristic.kueue.configuration.KueueFiles;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.agents.heuristic.volcano.VolcanoObjects;
import org.trainyard.agents.heuristic.volcano.VolcanoScheduler;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;

/** A scheduler that takes over a cluster on which jobs run and wait, as a service does, decides as the one before. */
class ContinuedRunTest {
    private static final Topology SERVERS = Objects.requireNonNull(Topologies.parse("3x8"));

    private static final String KUEUE = """
            kind: Topology
            metadata: {name: hosts}
            spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
            ---
            kind: ResourceFlavor
            metadata: {name: any}
            spec: {topologyName: hosts}
            """ + queue("red", 8) + queue("blue", 16);

    private static final String VOLCANO = """
            actions: "enqueue, allocate, backfill"
            tiers: [{plugins: [{name: proportion}]}]
            ---
            kind: Queue
            metadata: {name: red}
            spec: {weight: 1}
            ---
            kind: Queue
            metadata: {name: blue}
            spec: {weight: 2}
            """;

    private static String queue(String name, int gpus) {
        return """
                ---
                kind: ClusterQueue
                metadata: {name: %s}
                spec:
                  cohortName: lab
                  resourceGroups:
                  - coveredResources: ["nvidia.com/gpu"]
                    flavors:
                    - name: any
                      resources: [{name: "nvidia.com/gpu", nominalQuota: %d}]
                """.formatted(name, gpus);
    }

    private static Scheduler scheduler(String name) {
        return name.equals("kueue")
                ? new KueueScheduler(KueueFiles.parse("test", KUEUE))
                : new VolcanoScheduler(VolcanoObjects.parse("test", VOLCANO), SERVERS);
    }

    /** Hands over to a new scheduler at the first decision that is not before a second. */
    private static final class Relay implements Scheduler {
        private final Supplier<Scheduler> all;
        private final long second;
        private Scheduler now;
        private boolean hasChanged;

        Relay(Supplier<Scheduler> all, long second) {
            this.all = all;
            this.second = second;
            now = all.get();
        }

        @Override
        public Decision decide(SimView view) {
            if (!hasChanged && view.nowNanos() >= second * TimedJobs.SECOND) {
                hasChanged = true;
                now = all.get();
            }
            return now.decide(view);
        }
    }

    private static TimedJobs jobs() {
        SplittableRandom random = new SplittableRandom(5);
        TimedJobs jobs = TimedJobs.list();
        for (int job = 0; job < 40; job++) {
            String queue = random.nextInt(3) == 0 ? "red" : "blue";
            jobs.job(1 + random.nextInt(12), 5L * job, 20 + random.nextInt(100)).saying(terms -> terms.account(queue));
        }
        return jobs;
    }

    @ParameterizedTest
    @CsvSource({"kueue", "volcano"})
    void whoever_takes_over_decides_as_the_one_before(String name) {
        var expected = TimedJobs.endSeconds(jobs().run(SERVERS, scheduler(name), 0));

        for (long second = 15; second < 400; second += 35) {
            assertThat(TimedJobs.endSeconds(jobs().run(SERVERS, new Relay(() -> scheduler(name), second), 0)))
                    .as("from second %d", second)
                    .isEqualTo(expected);
        }
    }
}
