package org.trainyard.agents.heuristic;

import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.FIXED_GPUS_ONLY;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NEEDS_PREDICTIONS;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.NETWORK_AWARE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Flag.PREEMPTIVE;
import static org.trainyard.env.gym.registry.SchedulerRegistry.Kind.OURS;

import java.util.List;
import org.trainyard.agents.heuristic.patient.Patient;
import org.trainyard.agents.heuristic.patient.PatientWeights;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Origin;

/** Patient, the rule of this project over the bids of the gym. */
@OwnFamily(module = "agents/heuristics", position = 120)
public final class PatientSchedulers implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        Origin moving = new Origin("", OURS, PREEMPTIVE, NEEDS_PREDICTIONS, NETWORK_AWARE, FIXED_GPUS_ONLY);
        return List.of(
                moving.row(
                                "patient",
                                "least remaining work first (Gittins); waits for fewest servers; preempts, migrates,"
                                        + " moves")
                        .apart((on, belief, domains, settings) ->
                                Patient.apart(PatientWeights.PREEMPTIVE, on, belief, domains, settings))
                        .by((on, belief, seed) -> new Patient(PatientWeights.PREEMPTIVE, on, belief)),
                moving.row("patient-moves", "the same; running jobs also move for ten minutes")
                        .apart((on, belief, domains, settings) ->
                                Patient.apart(PatientWeights.MOVING, on, belief, domains, settings))
                        .by((on, belief, seed) -> new Patient(PatientWeights.MOVING, on, belief)),
                new Origin("", OURS, NEEDS_PREDICTIONS, NETWORK_AWARE, FIXED_GPUS_ONLY)
                        .row("patient-no-preemption", "the same; running jobs stay where they are")
                        .apart((on, belief, domains, settings) ->
                                Patient.apart(PatientWeights.STAYING, on, belief, domains, settings))
                        .by((on, belief, seed) -> new Patient(PatientWeights.STAYING, on, belief)));
    }
}
