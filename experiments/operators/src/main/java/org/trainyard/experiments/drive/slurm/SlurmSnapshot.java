package org.trainyard.experiments.drive.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.env.workload.TraceLimits;
import org.trainyard.env.workload.log.TraceFieldException;
import org.trainyard.env.workload.trace.slurm.HostList;
import org.trainyard.env.workload.trace.slurm.SlurmGpus;
import org.trainyard.experiments.drive.LiveJob;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.slurm.SlurmCommands;
import org.trainyard.experiments.slurm.UnreadableAnswerException;

/**
 * Reads the jobs and nodes of a Slurm at one moment: the data of openapi v0.0.38, whose states are words and numbers
 * are numbers, and of v0.0.39 and later, whose states are lists and numbers are objects with {@code set} and
 * {@code number}.
 */
public final class SlurmSnapshot {
    /** Keys of a job that hold no amounts and no hosts. */
    private static final List<String> READABLE = List.of(
            "job_id",
            "job_state",
            "state_reason",
            "user_name",
            "account",
            "partition",
            "qos",
            "priority",
            "submit_time",
            "eligible_time",
            "start_time",
            "end_time",
            "time_limit",
            "restart_cnt");

    /** Slurm's numbers for no limit lie beyond it. */
    private static final long MOST_MINUTES = 1L << 31;

    /** Ids and names become words of commands, which a shell may see: others are left out. */
    private static final Pattern JOB = Pattern.compile("\\d{1,18}");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");

    private static final Pattern MEMORY = Pattern.compile("(?:^|,)mem=(\\d{1,18}(?:\\.\\d{1,9})?)([KMGTP]?)");
    private static final Pattern NODES = Pattern.compile("(?:^|,)node=(\\d{1,6})(?:,|$)");

    /** Keys of a job that restrict its nodes in ways that no mirror knows, with their names for messages. */
    private static final Map<String, String> BINDING = new TreeMap<>(Map.of(
            "features",
            "features of nodes",
            "cluster_features",
            "features of clusters",
            "licenses",
            "licences",
            "excluded_nodes",
            "nodes to be spared"));

    /** Words for jobs that share their nodes with nobody, or only with their user, their label, or their own steps. */
    private static final List<String> SHARED_WITH = List.of("NONE", "USER", "MCS", "TOPO");

    private SlurmSnapshot() {}

    /** The present state by {@code squeue} and {@code sinfo}. */
    public static LiveSnapshot now(SlurmCommands commands) {
        return of(commands.json("squeue"), commands.json("sinfo"));
    }

    /** The state in the answers of {@code squeue --json} and {@code sinfo --json}. */
    public static LiveSnapshot of(JsonNode queue, JsonNode info) {
        if (!queue.path("jobs").isArray() || !info.path("nodes").isArray()) {
            throw new UnreadableAnswerException(
                    InputException.at("squeue, sinfo", "no lists of jobs and nodes", "their answers to --json"));
        }
        Map<String, LiveSnapshot.Node> nodes = new LinkedHashMap<>();
        for (JsonNode node : info.path("nodes")) {
            if (HOST.matcher(node.path("name").asText()).matches()) {
                LiveSnapshot.Node read = node(node);
                nodes.put(read.name(), read);
            }
        }
        Map<String, LiveJob> jobs = new LinkedHashMap<>();
        for (JsonNode job : queue.path("jobs")) {
            if (JOB.matcher(job.path("job_id").asText()).matches()) {
                LiveJob read = orLeft(job);
                jobs.put(read.id(), read);
            }
        }
        return new LiveSnapshot(jobs, nodes);
    }

    private static LiveSnapshot.Node node(JsonNode node) {
        String name = node.path("name").asText();
        try {
            SlurmGpus gpus = SlurmGpus.of("gres", node.path("gres").asText(""), 0);
            Set<String> partitions = new TreeSet<>();
            node.path("partitions").forEach(one -> partitions.add(one.asText()));
            return new LiveSnapshot.Node(
                    name,
                    (int) gpus.count(),
                    gpus.types().stream().findFirst().orElse(""),
                    SlurmCommands.isOut(node),
                    gpus(node.path("gres_used").asText("")),
                    free(node, "cpus", "alloc_cpus"),
                    free(node, "real_memory", "alloc_memory"),
                    partitions);
        } catch (TraceFieldException e) {
            return new LiveSnapshot.Node(name, 0, "", true);
        }
    }

    private static long free(JsonNode node, String all, String held) {
        long there = number(node.path(all), -1);
        long used = number(node.path(held), -1);
        return there < 0 || used < 0 ? LiveSnapshot.Node.UNKNOWN : Math.max(0, there - used);
    }

    /** A job; one with values that cannot be is left to Slurm, and holds no GPUs that anybody knows of. */
    private static LiveJob orLeft(JsonNode job) {
        try {
            return job(job, special(job));
        } catch (InputException | TraceFieldException e) {
            ObjectNode plain = job.deepCopy();
            plain.retain(READABLE);
            return job(plain, "cannot be read (%s)".formatted(e.getMessage()));
        }
    }

    private static LiveJob job(JsonNode job, String special) {
        Set<String> states = SlurmCommands.words(job.path("job_state"));
        JsonNode resources = job.path("job_resources");
        String list = resources.path("nodes").isObject()
                ? resources.path("nodes").path("list").asText("")
                : resources.path("nodes").asText("");
        String hosts = list.isEmpty() ? job.path("nodes").asText("") : list;
        String held = job.path("tres_alloc_str").asText("");
        List<String> texts = new ArrayList<>();
        job.path("gres_detail").forEach(one -> texts.add(one.asText()));
        Map<String, Integer> there = allocated(hosts, texts, held.isEmpty() ? asked(job) : gpus(held));
        return new LiveJob(
                job.path("job_id").asText(),
                state(states),
                text(job, "state_reason"),
                text(job, "user_name"),
                text(job, "account"),
                text(job, "partition"),
                text(job, "qos"),
                there.isEmpty()
                        ? asked(job)
                        : there.values().stream().mapToInt(Integer::intValue).sum(),
                leastNodes(job),
                (int) number(job.path("max_nodes"), 0),
                there,
                number(job.path("priority"), 0),
                number(job.path("submit_time"), 0),
                number(job.path("eligible_time"), 0),
                number(job.path("start_time"), 0),
                number(job.path("end_time"), 0),
                limit(job),
                (int) number(job.path("restart_cnt"), 0),
                text(job, "required_nodes"),
                needs(job),
                special);
    }

    private static long limit(JsonNode job) {
        long minutes = number(job.path("time_limit"), 0);
        return minutes < MOST_MINUTES ? 60 * minutes : 0;
    }

    /** The nodes that a job asks for at least. */
    private static int leastNodes(JsonNode job) {
        Matcher asked = NODES.matcher(text(job, "tres_req_str"));
        return asked.find() ? Integer.parseInt(asked.group(1)) : guessedNodes(job);
    }

    /** Slurm's guess by the cores of a job that waits, which may be above the most that it asks for. */
    private static int guessedNodes(JsonNode job) {
        long most = number(job.path("max_nodes"), 0);
        return (int) Math.min(number(job.path("node_count"), 1), most > 0 ? most : Integer.MAX_VALUE);
    }

    private static LiveJob.Needs needs(JsonNode job) {
        Matcher memory = MEMORY.matcher(text(job, "tres_req_str"));
        Set<String> types = new TreeSet<>();
        for (String key : List.of("tres_req_str", "tres_per_job", "tres_per_node", "tres_per_task")) {
            types.addAll(SlurmGpus.of("tres", text(job, key), 0).types());
        }
        return new LiveJob.Needs(
                String.join(",", types),
                number(job.path("cpus"), 0),
                memory.find() ? mebibytes(memory.group(1), memory.group(2)) : 0,
                number(job.path("memory_per_node"), 0));
    }

    private static long mebibytes(String number, String unit) {
        double amount = Double.parseDouble(number);
        return (long) Math.ceil(
                switch (unit) {
                    case "K" -> amount / 1024;
                    case "G" -> amount * 1024;
                    case "T" -> amount * 1024 * 1024;
                    case "P" -> amount * 1024 * 1024 * 1024;
                    default -> amount;
                });
    }

    /** The GPUs that a job asks for; a Slurm that does not account for GPUs says them a node, a task or in all. */
    private static int asked(JsonNode job) {
        int accounted = gpus(text(job, "tres_req_str"));
        if (accounted > 0) {
            return accounted;
        }
        long nodes = guessedNodes(job);
        long tasks = number(job.path("tasks"), 1);
        double all = gpus(text(job, "tres_per_job"))
                + (double) nodes * gpus(text(job, "tres_per_node"))
                + (double) tasks * gpus(text(job, "tres_per_task"));
        if (all > TraceLimits.GPUS) {
            throw InputException.at("squeue", "%.0f GPUs".formatted(all), "at most %d".formatted(TraceLimits.GPUS));
        }
        return (int) all;
    }

    private static LiveJob.Stage state(Set<String> states) {
        if (states.contains("COMPLETING")) {
            return LiveJob.Stage.LEAVING;
        }
        if (states.contains("PENDING") || states.contains("REQUEUED") || states.contains("REQUEUE_HOLD")) {
            return LiveJob.Stage.PENDING;
        }
        if (states.contains("RUNNING")
                || states.contains("SUSPENDED")
                || states.contains("CONFIGURING")
                || states.contains("STOPPED")
                || states.contains("RESIZING")) {
            return LiveJob.Stage.RUNNING;
        }
        return LiveJob.Stage.ENDED;
    }

    /** Why the job is not an ordinary batch of GPUs, or an empty text. */
    private static String special(JsonNode job) {
        if (!job.path("array_task_string").asText("").isEmpty()) {
            return "is an array whose jobs wait together";
        }
        if (number(job.path("het_job_id"), 0) > 0) {
            return "is a heterogeneous job";
        }
        if (!job.path("dependency").asText("").isEmpty()) {
            return "depends on other jobs";
        }
        if (!job.path("resv_name").asText("").isEmpty()) {
            return "has a reservation";
        }
        for (Map.Entry<String, String> key : BINDING.entrySet()) {
            if (!job.path(key.getKey()).asText("").isEmpty()) {
                return "asks for " + key.getValue();
            }
        }
        Set<String> shared = SlurmCommands.words(job.path("shared"));
        return SHARED_WITH.stream().anyMatch(shared::contains) ? "asks for whole nodes (--exclusive)" : "";
    }

    private static Map<String, Integer> allocated(String list, List<String> details, int gpus) {
        Map<String, Integer> allocated = new LinkedHashMap<>();
        List<String> hosts = list.isEmpty() || list.equals("(null)") ? List.of() : HostList.expand("squeue", list);
        for (int i = 0; i < hosts.size(); i++) {
            int there = details.size() == hosts.size()
                    ? gpus(details.get(i))
                    : gpus / hosts.size() + (i < gpus % hosts.size() ? 1 : 0);
            if (there > 0) {
                allocated.put(hosts.get(i), there);
            }
        }
        return allocated;
    }

    private static int gpus(String text) {
        return (int) SlurmGpus.of("tres", text, 0).count();
    }

    private static String text(JsonNode job, String key) {
        return job.path(key).asText("");
    }

    private static long number(JsonNode node, long none) {
        if (node.isObject()) {
            boolean isNumber =
                    node.path("set").asBoolean(true) && !node.path("infinite").asBoolean(false);
            return isNumber ? node.path("number").asLong(none) : none;
        }
        return node.isNumber() ? node.asLong() : none;
    }
}
