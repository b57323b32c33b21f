package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trainyard.env.workload.trace.slurm.SlurmText;
import org.trainyard.env.workload.trace.slurm.Tres;

/**
 * Weights of a partition's {@code TRESBillingWeights}: usage of fair share grows each second by the weighted sum of
 * what a job holds, or with {@code PriorityFlags=MAX_TRES} by the greatest of its parts. Where other resources have
 * weights, such as GPUs of one type, the {@code billing=} of the job's log counts, and without one the rest.
 *
 * @param node weight of a node
 * @param cpu weight of a CPU
 * @param mib weight of a MiB of memory
 * @param gpu weight of a GPU
 * @param isWhole whether no other resource has a weight
 * @param greatest whether the greatest part counts in place of the sum
 */
public record Billing(double node, double cpu, double mib, double gpu, boolean isWhole, boolean greatest) {
    private static final String UNITS = "KMGTP";
    private static final List<String> KNOWN = List.of("node", "cpu", "mem", Tres.GPU);

    /** A weight of 1 for each GPU: for a cluster without partitions. */
    static final Billing GPUS = new Billing(0, 0, 0, 1, true, false);

    static Billing of(SlurmConf conf, SlurmLine line) {
        String place = line.at("TRESBillingWeights");
        Map<String, String> weights = Tres.pairs(place, line.text("TRESBillingWeights", "CPU=1.0"));
        weights.forEach((tres, weight) -> conf.note(
                KNOWN.contains(tres)
                        ? null
                        : "%s %s=%s: counts here only for jobs whose log names their billing"
                                .formatted(place, tres, weight)));
        return new Billing(
                weight(place, weights, "node"),
                weight(place, weights, "cpu"),
                weight(place, weights, "mem"),
                weight(place, weights, Tres.GPU),
                KNOWN.containsAll(weights.keySet()),
                PrioritySettings.flags(conf).contains("MAX_TRES"));
    }

    /** A weight by its unit: a number, for so many of the resource as the letter behind it says; memory is in MiB. */
    private static double weight(String place, Map<String, String> weights, String tres) {
        String text = weights.getOrDefault(tres, "0");
        int unit = text.isEmpty()
                ? -1
                : UNITS.indexOf(text.substring(text.length() - 1).toUpperCase(Locale.ROOT));
        double weight = SlurmText.decimal(
                place,
                unit < 0 ? text : text.substring(0, text.length() - 1),
                "TRES=number, such as GRES/gpu=2.0 or Mem=0.25G");
        int exponent = (unit < 0 ? 0 : unit + 1) - (tres.equals("mem") && unit >= 0 ? 2 : 0);
        return weight / Math.pow(1024, exponent);
    }

    /**
     * Amount by which usage grows in a second.
     *
     * @param memoryMib on all nodes
     * @param logged by the job's log; 0 where it does not say
     */
    public double of(int nodes, int cpus, long memoryMib, int gpus, long logged) {
        if (!isWhole && logged > 0) {
            return logged;
        }
        double ofNodes = node * nodes;
        double ofCpus = cpu * cpus;
        double ofMemory = mib * memoryMib;
        double ofGpus = gpu * gpus;
        return greatest
                ? Math.max(Math.max(ofNodes, ofCpus), Math.max(ofMemory, ofGpus))
                : ofNodes + ofCpus + ofMemory + ofGpus;
    }
}
