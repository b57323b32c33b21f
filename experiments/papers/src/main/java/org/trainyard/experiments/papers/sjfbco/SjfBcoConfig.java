package org.trainyard.experiments.papers.sjfbco;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.trainyard.agents.heuristic.sjfbco.BatchPlanner;
import org.trainyard.env.Counted;
import org.trainyard.env.InvalidFieldException;
import org.trainyard.env.binding.Binder;
import org.trainyard.env.binding.Overrides;
import org.trainyard.env.binding.Yaml;
import org.trainyard.env.binding.YamlReader;
import org.trainyard.experiments.io.InputFiles;

/**
 * The random batch of SJF-BCO's evaluation and the sweeps over it; {@code experiments/configs/sjf-bco.yaml} says what
 * is the paper's.
 *
 * @param name of the run's folder
 * @param seed root of all draws
 * @param batches how many are drawn
 * @param batch what is drawn
 * @param physics how fast jobs really run
 * @param servers of Fig. 4, 5 and 7
 * @param horizonSeconds T there, seconds
 * @param fewerServers of Fig. 6
 * @param fewerHorizonSeconds T there, seconds
 * @param kappas of Fig. 5, GPUs
 * @param lambdas of Fig. 7
 * @param orderOfJobs in which order SJF-BCO takes jobs: {@code size}, {@code size_then_time} or {@code submission}
 * @param baselineOrder the same of LS, FF and RAND
 */
public record SjfBcoConfig(
        String name,
        long seed,
        int batches,
        Batch batch,
        Physics physics,
        int servers,
        double horizonSeconds,
        List<Integer> fewerServers,
        double fewerHorizonSeconds,
        List<Integer> kappas,
        List<Integer> lambdas,
        String orderOfJobs,
        String baselineOrder) {
    /**
     * Jobs and servers.
     *
     * @param sizes GPUs of a job
     * @param counts jobs of each size
     * @param fewestIterations and {@code mostIterations}: drawn evenly between, whole
     * @param leastIterationSeconds and {@code mostIterationSeconds}: compute of an iteration, drawn evenly between
     * @param estimateSeconds of an iteration, by which jobs are booked
     * @param serverGpus of a server, drawn evenly among these
     */
    public record Batch(
            List<Integer> sizes,
            List<Integer> counts,
            int fewestIterations,
            int mostIterations,
            double leastIterationSeconds,
            double mostIterationSeconds,
            double estimateSeconds,
            List<Integer> serverGpus) {
        public Batch {
            sizes = List.copyOf(sizes);
            counts = List.copyOf(counts);
            serverGpus = List.copyOf(serverGpus);
            check(!sizes.isEmpty() && least(sizes) >= 1, "sizes", sizes, "whole numbers of at least 1");
            check(
                    counts.size() == sizes.size() && least(counts) >= 1,
                    "counts",
                    counts,
                    "as many as sizes, each at least 1");
            check(fewestIterations >= 1, "fewestIterations", fewestIterations, "at least 1");
            check(mostIterations >= fewestIterations, "mostIterations", mostIterations, "at least fewest_iterations");
            check(leastIterationSeconds > 0, "leastIterationSeconds", leastIterationSeconds, "above zero");
            check(
                    mostIterationSeconds >= leastIterationSeconds,
                    "mostIterationSeconds",
                    mostIterationSeconds,
                    "at least least_iteration_seconds");
            check(estimateSeconds > 0, "estimateSeconds", estimateSeconds, "above zero");
            check(
                    !serverGpus.isEmpty() && least(serverGpus) >= 1 && most(serverGpus) <= 64,
                    "serverGpus",
                    serverGpus,
                    "whole numbers in 1..64");
        }
    }

    /**
     * How fast jobs really run: {@code RingPerformance} with {@code Contention.SjfBco} and {@code RingOverheads}.
     *
     * @param communicationShare of the compute time, what communication and overhead come to at worst; gradients are
     *     made to fit it
     * @param worstRings how many rings meet on a link then
     * @param loss alpha, 0 or more
     * @param overlap xi1, above 0 and at most 1
     * @param nicBytesPerSecond between servers
     * @param nvlinkBytesPerSecond within one
     * @param reduceBytesPerSecond at which a GPU adds up gradients
     * @param serverSeconds xi2, for each server of a job in each iteration
     * @param exactRate false for whole iterations in each slot of a second
     */
    public record Physics(
            double communicationShare,
            int worstRings,
            double loss,
            double overlap,
            double nicBytesPerSecond,
            double nvlinkBytesPerSecond,
            double reduceBytesPerSecond,
            double serverSeconds,
            boolean exactRate) {
        public Physics {
            check(
                    communicationShare >= 0 && communicationShare <= 10,
                    "communicationShare",
                    communicationShare,
                    "a number in 0..10");
            check(worstRings >= 1, "worstRings", worstRings, "at least 1");
            check(loss >= 0, "loss", loss, "0 or more");
            check(overlap > 0 && overlap <= 1, "overlap", overlap, "above 0 and at most 1");
            check(nicBytesPerSecond > 0, "nicBytesPerSecond", nicBytesPerSecond, "above zero");
            check(nvlinkBytesPerSecond > 0, "nvlinkBytesPerSecond", nvlinkBytesPerSecond, "above zero");
            check(reduceBytesPerSecond > 0, "reduceBytesPerSecond", reduceBytesPerSecond, "above zero");
            check(serverSeconds >= 0, "serverSeconds", serverSeconds, "0 or more");
        }
    }

    private static final List<String> ORDERS = List.of("size", "size_then_time", "submission");

    public SjfBcoConfig {
        fewerServers = List.copyOf(fewerServers);
        kappas = List.copyOf(kappas);
        lambdas = List.copyOf(lambdas);
        check(name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"), "name", name, "letters, digits, '.', '_' and '-'");
        check(batches >= 1 && batches <= 10_000, "batches", batches, "a number in 1..10000");
        check(servers >= 1 && servers <= 10_000, "servers", servers, "a number in 1..10000");
        check(horizonSeconds >= 1, "horizonSeconds", horizonSeconds, "at least a slot, 1");
        check(fewerHorizonSeconds >= 1, "fewerHorizonSeconds", fewerHorizonSeconds, "at least a slot, 1");
        check(
                fewerServers.isEmpty() || least(fewerServers) >= 1,
                "fewerServers",
                fewerServers,
                "whole numbers of at least 1");
        check(kappas.isEmpty() || least(kappas) >= 1, "kappas", kappas, "whole numbers of at least 1");
        check(lambdas.isEmpty() || least(lambdas) >= 1, "lambdas", lambdas, "whole numbers of at least 1");
        int widest = most(batch.sizes());
        int fewest = Math.min(servers, least(fewerServers));
        check(
                (long) fewest * least(batch.serverGpus()) >= widest,
                "servers",
                fewest,
                Counted.say("enough servers for a job of %d GPUs, of %d each", widest, least(batch.serverGpus())));
        check(ORDERS.contains(orderOfJobs), "orderOfJobs", orderOfJobs, "one of " + String.join(", ", ORDERS));
        check(ORDERS.contains(baselineOrder), "baselineOrder", baselineOrder, "one of " + String.join(", ", ORDERS));
    }

    /** The order in which SJF-BCO takes jobs. */
    public BatchPlanner.Order order() {
        return orderOf(orderOfJobs);
    }

    /** The order in which LS, FF and RAND do. */
    public BatchPlanner.Order baselines() {
        return orderOf(baselineOrder);
    }

    private static BatchPlanner.Order orderOf(String name) {
        return BatchPlanner.Order.valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Reads a file and puts overrides, each {@code a.b=value}, into it. */
    public static SjfBcoConfig read(Path file, List<String> overrides) {
        Yaml root = YamlReader.read(file.toString(), InputFiles.text(file));
        Overrides.apply(root, overrides, SjfBcoConfig.class);
        return Binder.bind(root, SjfBcoConfig.class);
    }

    private static int least(List<Integer> values) {
        return values.stream().mapToInt(value -> value).min().orElse(Integer.MAX_VALUE);
    }

    private static int most(List<Integer> values) {
        return values.stream().mapToInt(value -> value).max().orElse(0);
    }

    private static void check(boolean isGood, String component, Object value, String expected) {
        if (!isGood) {
            throw new InvalidFieldException(component, value, expected);
        }
    }
}
