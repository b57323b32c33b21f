package org.trainyard.agents.heuristic.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trainyard.agents.heuristic.placing.FirstFit;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;

/** Where queueing theory has an exact answer, the simulator comes to it: mean response times within 99 % confidence. */
class QueueingTheoryTest {
    /** At the greatest of them means converge so slowly that ten times as many jobs are simulated. */
    private static final List<Double> LOADS = List.of(0.5, 0.7, 0.9);

    private static Topology cluster(int servers, int gpus) {
        return Topology.uniform("queue", Fabric.DEFAULT, 1, servers, ServerSpec.ofV100(gpus), 1);
    }

    private static Scheduler fifo() {
        return new Fifo(false, new FirstFit());
    }

    private static Scheduler srtf() {
        return new Srtf(new FirstFit(), 0);
    }

    private static void expect(double theory, Replications simulated) {
        assertThat(simulated.halfWidth() / theory)
                .as("the interval is narrow enough to tell")
                .isLessThan(0.1);
        assertThat(simulated.mean()).isCloseTo(theory, within(simulated.halfWidth()));
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 0.5", "2, 8, 0.7"})
    void several_servers_in_order_of_arrival_follow_erlang_c(int servers, int gpus, double load) {
        Topology cluster = cluster(servers, gpus);
        double theory = 1 + erlangC(cluster.gpus(), load) / (cluster.gpus() * (1 - load));

        expect(theory, Replications.of(cluster, ServiceTime.EXPONENTIAL, load, QueueingTheoryTest::fifo));
    }

    @ParameterizedTest
    @CsvSource({"UNIFORM, 0.5", "DETERMINISTIC, 0.7", "LOGNORMAL, 0.7"})
    void one_server_in_order_of_arrival_follows_pollaczek_and_khinchine(ServiceTime service, double load) {
        expect(service.fifoResponse(load), Replications.of(cluster(1, 1), service, load, QueueingTheoryTest::fifo));
    }

    @ParameterizedTest
    @CsvSource({"EXPONENTIAL, 0.7", "UNIFORM, 0.5", "LOGNORMAL, 0.7"})
    void one_server_by_shortest_remaining_time_follows_schrage_and_miller(ServiceTime service, double load) {
        expect(service.srptResponse(load), Replications.of(cluster(1, 1), service, load, QueueingTheoryTest::srtf));
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"1, 4", "2, 8"})
    void several_servers_under_every_load_follow_erlang_c(int servers, int gpus) {
        LOADS.forEach(load -> several_servers_in_order_of_arrival_follow_erlang_c(servers, gpus, load));
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource
    void one_server_under_every_load_follows_pollaczek_and_khinchine(ServiceTime service) {
        LOADS.forEach(load -> one_server_in_order_of_arrival_follows_pollaczek_and_khinchine(service, load));
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(names = "DETERMINISTIC", mode = EnumSource.Mode.EXCLUDE)
    void one_server_under_every_load_follows_schrage_and_miller(ServiceTime service) {
        LOADS.forEach(load -> one_server_by_shortest_remaining_time_follows_schrage_and_miller(service, load));
    }

    @Test
    void the_formulas_come_to_values_known_from_elsewhere() {
        assertThat(erlangC(1, 0.7)).isCloseTo(0.7, within(1e-12));
        assertThat(erlangC(2, 0.5)).isCloseTo(1.0 / 3, within(1e-12));
        assertThat(ServiceTime.EXPONENTIAL.fifoResponse(0.9)).isCloseTo(10, within(1e-9));
        // Hardly anybody waits: one job in service for one mean service time.
        assertThat(ServiceTime.LOGNORMAL.srptResponse(1e-6)).isCloseTo(1, within(1e-3));
    }

    /** The probability that all servers are busy on arrival (A. K. Erlang, 1917), by the recurrence of Erlang's B. */
    private static double erlangC(int servers, double load) {
        double blocked = 1;
        for (int k = 1; k <= servers; k++) {
            blocked = load * servers * blocked / (k + load * servers * blocked);
        }
        return blocked / (1 - load * (1 - blocked));
    }
}
