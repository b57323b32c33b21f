package org.trainyard.env.gym.decentralised;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.heuristic.scenario.TimedJobs;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.gym.domain.Domains;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.JobState;
import org.trainyard.env.simulation.SimView;
import org.trainyard.env.simulation.Simulator;
import org.trainyard.env.topology.Placement;
import org.trainyard.env.topology.SwitchGraph;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Demand;
import org.trainyard.env.workload.JobSpec;

/** Who receives a job, when an agent is silent, and what of the data centre and its jobs is in a domain. */
class DomainPartsTest {
    private static final Topology TOPOLOGY = Objects.requireNonNull(Topologies.parse("leaf-spine:4x2x2x4@2"));

    private static JobSpec job(@Nullable String user) {
        return TimedJobs.list().job(1, 0, 1).workload().job(0).by(user, null, null);
    }

    private static int hash(String text, int agents) {
        return (int) Long.remainderUnsigned(RandomStreams.derive(0, text), agents);
    }

    @Test
    void jobs_arrive_by_number_by_turns_or_all_of_a_user_at_one_agent() {
        for (int number = 0; number < 50; number++) {
            assertThat(Arrival.ROUND_ROBIN.agent(job("ann"), number, 7)).isEqualTo(number % 7);
            assertThat(Arrival.HASH.agent(job("ann"), number, 7)).isEqualTo(hash("job " + number, 7));
            assertThat(Arrival.NEAREST.agent(job("ann"), number, 7)).isEqualTo(hash("user ann", 7));
            assertThat(Arrival.NEAREST.agent(job(null), number, 7)).isEqualTo(hash("job " + number, 7));
        }
        assertThat(IntStream.range(0, 200).map(number -> Arrival.HASH.agent(job("ann"), number, 4)))
                .contains(0, 1, 2, 3);
        assertThat(List.of(Arrival.of("Hash"), Arrival.of("RoundRobin"), Arrival.of("Nearest")))
                .containsExactly(Arrival.values());
        assertThatThrownBy(() -> Arrival.of("nearest")).hasMessageContaining("one of Hash, RoundRobin, Nearest");
    }

    @ParameterizedTest
    @CsvSource({"5399, false", "5400, true", "12599, true", "12600, false"})
    void a_silence_lasts_from_its_beginning_to_its_end_and_no_longer(long second, boolean lasts) {
        Silence silence = new Silence(0, 1.5, 2);

        assertThat(silence.lastsAt(second * 1_000_000_000L)).isEqualTo(lasts);
        assertThat(silence.endNanos()).isEqualTo(12_600_000_000_000L);
    }

    /**
     * The eight servers of four racks, without the first and the last two: racks of one, two and two, and both spines.
     */
    @Test
    void a_domain_has_its_servers_in_parts_of_racks_and_the_switches_that_they_reach() {
        Topology part = DomainTopology.of(TOPOLOGY, 1, 6, "domain");

        assertThat(part.servers()).isEqualTo(5);
        assertThat(IntStream.range(0, part.racks()).map(part::serversIn)).containsExactly(1, 2, 2);
        for (int server = 0; server < 5; server++) {
            assertThat(part.serverName(server)).isEqualTo(TOPOLOGY.serverName(server + 1));
            assertThat(part.nic(server)).isEqualTo(TOPOLOGY.nic(server + 1));
            assertThat(part.server(server)).isEqualTo(TOPOLOGY.server(server + 1));
        }
        SwitchGraph wiring = part.wiring();
        assertThat(IntStream.range(0, wiring.switches()).mapToObj(wiring::name))
                .containsExactlyElementsOf(IntStream.range(0, TOPOLOGY.wiring().switches())
                        .filter(of -> of != 3)
                        .mapToObj(TOPOLOGY.wiring()::name)
                        .toList());
        assertThat(wiring.cables()).hasSize(TOPOLOGY.wiring().cables().size() * 3 / 4);
        for (int rack = 0; rack < 3; rack++) {
            assertThat(part.links().bytesPerSecond(part.links().rackLink(rack)))
                    .isEqualTo(TOPOLOGY.links().bytesPerSecond(TOPOLOGY.links().rackLink(rack)));
        }
    }

    private static ClusterDivision division(SimView whole, int domains, int hops) {
        return new ClusterDivision(
                whole,
                Domains.even(whole.topology(), domains),
                new DecentralisedSettings(0, true, Arrival.ROUND_ROBIN, hops));
    }

    /** Two servers of four V100 are a domain, two of eight A100 the other; the first agent is the first to be asked. */
    @Test
    void a_job_arrives_at_the_first_agent_whose_domain_has_gpus_of_its_type() {
        Topology topology = Objects.requireNonNull(Topologies.parse("2x4:V100+2x8:A100"));
        Demand old = Demand.ofGpus(8).onTypes(List.of("V100"));
        Demand young = Demand.ofGpus(2).onTypes(List.of("A100"));
        Simulator simulator =
                TimedJobs.list().job(young, 0, 100).job(old, 0, 100).simulator(topology);
        ClusterDivision division = division(simulator.view(), 2, 0);
        simulator.advance();
        division.update();

        assertThat(division.part(0).firstWaiting()).isEqualTo(1);
        assertThat(division.part(1).firstWaiting()).isZero();
        for (int asked = 0; asked < 2; asked++) {
            assertThat(division.part(0).couldRun(old)).isTrue();
            assertThat(division.part(1).couldRun(old)).isFalse();
            assertThat(division.part(0).couldRun(Demand.ofGpus(9).onTypes(List.of("V100"))))
                    .isFalse();
            assertThat(division.part(0).couldRun(young)).isFalse();
            assertThat(division.part(1).couldRun(young)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false, false", "1, true, false", "2, true, true"})
    void a_job_is_forwarded_so_often_and_never_back(int hops, boolean once, boolean twice) {
        Simulator simulator = TimedJobs.list().job(4, 0, 100).job(9, 0, 100).simulator(TOPOLOGY);
        ClusterDivision division = division(simulator.view(), 4, hops);
        simulator.advance();
        division.update();

        assertThat(division.mayForward(0, 0, 1)).isEqualTo(once);
        assertThat(division.mayForward(0, 0, 0)).isFalse();
        assertThat(division.mayForward(1, 0, 1))
                .as("nine GPUs in a domain of eight")
                .isFalse();
        division.forward(0, 0, 1);
        assertThat(division.hops(0)).isOne();
        assertThat(division.part(0).waitingCount()).isZero();
        assertThat(division.part(1).firstWaiting()).isZero();
        assertThat(division.mayForward(0, 1, 2)).isEqualTo(twice);
        assertThat(division.mayForward(0, 1, 0)).isFalse();
    }

    private static List<String> journal(SimView view) {
        return IntStream.range(0, view.journalSize())
                .mapToObj(entry -> view.journalKind(entry)
                        + (view.journalJob(entry) == SimView.NONE ? "" : " " + view.journalJob(entry)))
                .toList();
    }

    /**
     * Job 0 runs across the first two domains; job 3 in the last, stops, and runs to its end before that domain is
     * told.
     */
    @Test
    void each_domain_is_told_what_happens_to_its_jobs() {
        Simulator simulator = TimedJobs.list()
                .job(4, 0, 100)
                .job(1, 0, 100)
                .job(20, 0, 9)
                .job(1, 0, 10)
                .simulator(TOPOLOGY);
        ClusterDivision division = division(simulator.view(), 4, 0);
        simulator.advance();
        division.update();
        CoordinatorView coordinator = Objects.requireNonNull(division.coordinator());
        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 6, 7, 8, 9)));
        simulator.apply(new Decision.Start(3, Placement.of(TOPOLOGY, 24)));
        division.update();
        simulator.preempt(3);
        division.update();
        simulator.apply(new Decision.Start(3, Placement.of(TOPOLOGY, 25)));
        simulator.apply(Decision.WAIT);
        simulator.advance();
        division.update();

        assertThat(journal(division.part(0))).containsExactly("ARRIVE 0", "REJECT 0", "DOWN");
        assertThat(journal(division.part(1))).containsExactly("ARRIVE 1", "DOWN");
        assertThat(journal(division.part(2))).isEmpty();
        assertThat(journal(division.part(3)))
                .containsExactly("ARRIVE 3", "START 3", "PREEMPT 3", "REJECT 3", "FINISH 3");
        assertThat(journal(coordinator))
                .as("its own job, what runs anywhere, and changes")
                .containsExactly(
                        "ARRIVE 2", "RESIZE 3", "ARRIVE 0", "START 0", "ARRIVE 3", "START 3", "RESIZE 3", "RESIZE 3");
        assertThat(division.part(3).waitingCount()).isZero();
        assertThat(division.part(3).state(3)).isEqualTo(JobState.DONE);
    }

    /** Job 0 runs on the last two GPUs of the first domain and the first two of the second, and then nowhere. */
    @Test
    void of_a_job_across_domains_each_sees_that_its_gpus_are_taken_until_it_stops() {
        Simulator simulator =
                TimedJobs.list().job(4, 0, 100).job(1, 0, 100).job(20, 0, 9).simulator(TOPOLOGY);
        SimView whole = simulator.view();
        Domains domains = Domains.even(TOPOLOGY, 4);
        ClusterDivision division =
                new ClusterDivision(whole, domains, new DecentralisedSettings(0, true, Arrival.ROUND_ROBIN, 0));
        simulator.advance();
        division.update();
        CoordinatorView coordinator = Objects.requireNonNull(division.coordinator());
        assertThat(coordinator.firstWaiting()).isEqualTo(2);
        assertThat(coordinator.waitingCount()).isOne();
        assertThat(coordinator.state(0)).isEqualTo(JobState.FUTURE);
        assertThat(division.part(0).state(0)).isEqualTo(JobState.WAITING);
        assertThat(division.part(1).state(0)).isEqualTo(JobState.FUTURE);
        assertThat(division.part(0).couldRun(Demand.ofGpus(8))).isTrue();
        assertThat(division.part(0).couldRun(Demand.ofGpus(9))).isFalse();

        simulator.apply(new Decision.Start(0, Placement.of(TOPOLOGY, 6, 7, 8, 9)));
        simulator.apply(new Decision.Start(1, Placement.of(TOPOLOGY, 31)));
        division.update();
        assertThat(List.of(6, 6, 8, 7))
                .isEqualTo(IntStream.range(0, 4)
                        .mapToObj(domain -> division.part(domain).cluster().free())
                        .toList());
        assertThat(IntStream.range(0, 4).map(domain -> division.part(domain).runningCount()))
                .containsExactly(0, 0, 0, 1);
        assertThat(division.part(0).waitingCount()).isZero();
        assertThat(division.part(0).within(whole.placement(0)))
                .isEqualTo(Placement.of(division.part(0).topology(), 6, 7));
        assertThat(division.part(1).within(whole.placement(0)))
                .isEqualTo(Placement.of(division.part(1).topology(), 0, 1));
        assertThat(division.part(3).placement(1))
                .isEqualTo(Placement.of(division.part(3).topology(), 7));
        assertThat(division.part(3).outside(division.part(3).placement(1))).isEqualTo(whole.placement(1));

        simulator.preempt(0);
        simulator.preempt(1);
        division.update();
        assertThat(IntStream.range(0, 4)
                        .map(domain -> division.part(domain).cluster().free()))
                .containsExactly(8, 8, 8, 8);
        assertThat(division.part(0).firstWaiting()).isZero();
        // A job that stops waits where it ran.
        assertThat(Arrays.asList(
                        division.part(1).waitingCount(), division.part(3).firstWaiting()))
                .containsExactly(0, 1);
    }
}
