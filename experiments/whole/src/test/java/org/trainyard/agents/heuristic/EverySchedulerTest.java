package org.trainyard.agents.heuristic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.heuristic.scenario.RegisteredSchedulers;
import org.trainyard.agents.heuristic.scenario.SchedulerObligations;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.TraceJob;
import org.trainyard.env.workload.Workload;
import org.trainyard.env.workload.log.TraceReader;

/** Every scheduler in the catalogue has the obligations of one, on traces, too. */
class EverySchedulerTest extends SchedulerObligations {
    EverySchedulerTest() {
        super(RegisteredSchedulers.all());
    }

    /** The first jobs of some clusters on 128 GPUs; jobs of 04 far exceed the capacity. */
    @ParameterizedTest
    @CsvSource({"01, 50", "04, 40", "10, 50"})
    void the_first_jobs_of_the_itp_clusters_finish(String cluster, int jobs) {
        finish(cluster, jobs);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(strings = {"01", "04", "10"})
    void more_jobs_of_the_itp_clusters_finish(String cluster) {
        finish(cluster, 250);
    }

    private static void finish(String cluster, int most) {
        Path file = Path.of(System.getProperty("trainyard.root", "."))
                .resolve("../shared/data/elasticflow_itp/cluster%s.csv.gz".formatted(cluster));
        assumeThat(Files.exists(file))
                .as("the data pack with the traces is not beside this checkout")
                .isTrue();
        Topology topology = Topologies.medium();
        List<TraceJob> jobs =
                TraceReader.read(file, TraceReader.Options.DEFAULT).jobs();
        Workload workload = workload(topology, jobs.subList(0, Math.min(most, jobs.size())));
        for (SchedulerRegistry.Entry entry : RegisteredSchedulers.all()) {
            assertThat(run(entry, topology, workload, Simulator.Options.DEFAULT).submitted())
                    .as(entry.name())
                    .hasSize(workload.size());
        }
    }
}
