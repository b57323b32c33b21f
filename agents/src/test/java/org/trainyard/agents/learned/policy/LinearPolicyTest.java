package org.trainyard.agents.learned.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.agents.learned.LearnedWorlds;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.simulation.JobOutcome;
import org.trainyard.env.simulation.RunResult;
import org.trainyard.env.topology.Topologies;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.Workload;

class LinearPolicyTest {
    /** The rule as any policy is asked: for every active agent, with whole rows. */
    private record Asked(LinearPolicy rule) implements Policy {
        @Override
        public boolean isThreadSafe() {
            return true;
        }

        @Override
        public void act(float[] rows, int agents, ObservationSpace spec, int[] actions) {
            rule.act(rows, agents, spec, actions);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void agents_that_are_not_asked_would_have_waited(long seed) {
        Workload workload = LearnedWorlds.random(seed, 80);
        LinearPolicy patient = new LinearPolicy(InitialRules.patient());

        assertThat(LearnedWorlds.run(patient, Topologies.medium(), workload).eventLogSha256())
                .isEqualTo(LearnedWorlds.run(new Asked(patient), Topologies.medium(), workload)
                        .eventLogSha256());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void preemptions_that_are_not_planned_would_not_have_been_carried_out(long seed) {
        RunResult planned = preempting(new LinearPolicy(InitialRules.patient()), seed);

        assertThat(planned.jobs().stream().mapToInt(JobOutcome::preemptions).sum())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PREEMPTED_JOBS", "WAITED", "LOOSER_THAN_ELSEWHERE"})
    void a_rule_may_read_any_column_to_preempt(JobColumn column) {
        double[] weights = InitialRules.patient();
        weights[LinearPolicy.DISPLACE + column.index()] = -0.5;
        preempting(new LinearPolicy(weights), 7);
    }

    @Test
    void a_rule_need_not_read_what_a_plan_costs() {
        double[] weights = InitialRules.patient();
        weights[LinearPolicy.DISPLACE + JobColumn.PREEMPTION_COST.index()] = 0;
        preempting(new LinearPolicy(weights), 7);
    }

    /** Runs a rule with preemption, as it is and as any policy is asked, which must decide alike. */
    private static RunResult preempting(LinearPolicy rule, long seed) {
        Topology topology = Objects.requireNonNull(Topologies.parse("4x2x4"));
        Workload workload = LearnedWorlds.random(seed, 300);
        RunResult result = LearnedWorlds.run(rule, topology, workload, true);
        assertThat(result.eventLogSha256())
                .isEqualTo(LearnedWorlds.run(new Asked(rule), topology, workload, true)
                        .eventLogSha256());
        return result;
    }

    @ParameterizedTest
    @ValueSource(strings = {"OWN_SLOWDOWN", "LEFTOVER"})
    void previews_are_made_for_a_rule_that_reads_one_of_their_columns(JobColumn column) {
        double[] weights = InitialRules.patient();
        weights[LinearPolicy.SLOT + column.index()] = -5;
        LinearPolicy rule = new LinearPolicy(weights);
        Workload workload = LearnedWorlds.random(7, 80);

        assertThat(LearnedWorlds.run(rule, Topologies.medium(), workload).eventLogSha256())
                .isEqualTo(LearnedWorlds.run(new Asked(rule), Topologies.medium(), workload)
                        .eventLogSha256());
    }
}
