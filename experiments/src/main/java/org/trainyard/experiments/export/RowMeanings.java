package org.trainyard.experiments.export;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.agents.learned.export.Choice;
import org.trainyard.agents.learned.export.RowGraph;
import org.trainyard.env.gym.observation.CandidateColumn;
import org.trainyard.env.gym.observation.DomainColumn;
import org.trainyard.env.gym.observation.GlobalColumn;
import org.trainyard.env.gym.observation.GpuColumn;
import org.trainyard.env.gym.observation.JobColumn;
import org.trainyard.env.gym.observation.LinkColumn;
import org.trainyard.env.gym.observation.ObservationColumn;
import org.trainyard.env.gym.observation.ObservationSpace;
import org.trainyard.env.gym.observation.ServerColumn;

/** The meanings of inputs, outputs and axes of policies over observation rows. */
final class RowMeanings {
    private RowMeanings() {}

    private static InputMeaning section(String text, ObservationColumn[] columns) {
        return InputMeaning.of(text, columns, ObservationSpace.schema());
    }

    /** Of these inputs, in their order. */
    static Map<String, InputMeaning> inputs(List<String> names) {
        Map<String, InputMeaning> all = all();
        Map<String, InputMeaning> inputs = new LinkedHashMap<>();
        names.forEach(name -> inputs.put(name, all.get(name)));
        return inputs;
    }

    private static Map<String, InputMeaning> all() {
        return Map.of(
                RowGraph.GPUS,
                section(
                        "The GPUs of the agent's servers, socket by socket; zeros where there is none.",
                        GpuColumn.values()),
                RowGraph.SERVERS,
                section("The agent's servers; zeros where there is none.", ServerColumn.values()),
                RowGraph.CANDIDATES,
                section(
                        "Each server as the next one of the job taken up; zeros without such a job.",
                        CandidateColumn.values()),
                RowGraph.JOBS,
                section("The window of waiting jobs; zeros in empty slots.", JobColumn.values()),
                RowGraph.FOCUS,
                section("The job taken up, or zeros.", JobColumn.values()),
                RowGraph.DOMAINS,
                section("A summary of every domain; the agent's own is marked.", DomainColumn.values()),
                RowGraph.LINKS,
                section(
                        "The uplinks of servers, domains, leaf switches and pods, in this order; zeros without uplink.",
                        LinkColumn.values()),
                RowGraph.PARENTS,
                InputMeaning.of(
                        "One plus the switch at the upper end of each uplink: leaf switches, then pods, then the core; 0 without uplink."),
                RowGraph.GLOBAL,
                section("The whole cluster and the agent itself.", GlobalColumn.values()),
                RowGraph.MASK,
                InputMeaning.of(
                        "Whether an action is legal. Actions: wait; take up the job of a slot; place workers on a server; hold; forward to a domain; borrow of a domain; with preemption, take up the job of a slot and preempt for it."));
    }

    static Map<String, String> outputs(String best) {
        Map<String, String> outputs = new LinkedHashMap<>();
        outputs.put(Choice.SCORES, "The score of every action, legal or not.");
        outputs.put(
                Choice.LOG_PROBABILITIES,
                "Natural logarithm of the softmax of the scores of legal actions; about -1e9 for illegal ones.");
        outputs.put(Choice.BEST, best);
        return outputs;
    }

    /** Of these axes. */
    static Map<String, String> axes(List<String> names) {
        Map<String, String> all = Map.of(
                "rows", "Agents that decide, a row each.",
                "servers", "Servers of the largest domain.",
                "sockets", "Most sockets of a server.",
                "gpus_per_socket", "Most GPUs of a socket.",
                "jobs", "Slots of the window of waiting jobs.",
                "domains", "Domains of the cluster.",
                "uplinks", "Servers, domains, leaf switches and pods.",
                "actions", "Actions of an agent: 2 + 2 domains + servers + jobs, and jobs again with preemption.");
        Map<String, String> axes = new LinkedHashMap<>();
        names.forEach(name -> axes.put(name, all.get(name)));
        return axes;
    }
}
