package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.trainyard.env.InputException;

/**
 * The keys {@code Priority*} of slurm.conf.
 *
 * @param multifactor whether priorities have factors; otherwise they count down by order of submission
 * @param halfLifeSeconds after which usage counts half; 0 for no decay
 * @param calcPeriodSeconds between two calculations
 * @param maxAgeSeconds after which age counts fully
 * @param favorSmall whether small jobs come first
 * @param sizeRelative whether size is divided by the limit
 * @param fairTree whether fair share is by rank in the tree; otherwise 2 to the power of minus usage by shares
 * @param age weight of age
 * @param fairshare weight of fair share
 * @param jobSize weight of size
 * @param partition weight of the partition
 * @param qos weight of the QOS
 * @param assoc weight of the priority of the association
 * @param tres by resource, the weight of the part of its partition that a job asks for
 */
public record PrioritySettings(
        boolean multifactor,
        long halfLifeSeconds,
        long calcPeriodSeconds,
        long maxAgeSeconds,
        boolean favorSmall,
        boolean sizeRelative,
        boolean fairTree,
        long age,
        long fairshare,
        long jobSize,
        long partition,
        long qos,
        long assoc,
        Map<String, Double> tres) {
    private static final Set<String> FLAGS =
            Set.of("", "SMALL_RELATIVE_TO_TIME", "NO_FAIR_TREE", "CALCULATE_RUNNING", "MAX_TRES");
    private static final Set<String> TRES = Set.of("cpu", "node", "gres/gpu");

    public PrioritySettings {
        tres = Collections.unmodifiableMap(new TreeMap<>(tres));
    }

    static PrioritySettings of(SlurmConf conf) {
        String type = conf.text("PriorityType", "priority/basic");
        Set<String> flags = flags(conf);
        for (String flag : flags) {
            conf.note(FLAGS.contains(flag) ? null : "PriorityFlags %s: has no effect here".formatted(flag));
        }
        return new PrioritySettings(
                type.equals("priority/multifactor"),
                Math.max(0, span(conf, "PriorityDecayHalfLife", "7-00:00:00")),
                span(conf, "PriorityCalcPeriod", "5"),
                Math.max(1, span(conf, "PriorityMaxAge", "7-00:00:00")),
                conf.flag("PriorityFavorSmall"),
                flags.contains("SMALL_RELATIVE_TO_TIME"),
                !flags.contains("NO_FAIR_TREE"),
                conf.number("PriorityWeightAge", 0),
                conf.number("PriorityWeightFairshare", 0),
                conf.number("PriorityWeightJobSize", 0),
                conf.number("PriorityWeightPartition", 0),
                conf.number("PriorityWeightQOS", 0),
                conf.number("PriorityWeightAssoc", 0),
                tres(conf));
    }

    /** The words of {@code PriorityFlags}, in capitals. */
    static Set<String> flags(SlurmConf conf) {
        String said = conf.text("PriorityFlags", "").strip().toUpperCase(Locale.ROOT);
        return said.isEmpty() ? Set.of() : new LinkedHashSet<>(List.of(said.split("\\s*,\\s*", -1)));
    }

    private static Map<String, Double> tres(SlurmConf conf) {
        Map<String, Double> weights = new TreeMap<>();
        for (String part : conf.text("PriorityWeightTRES", "").split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length < 2) {
                continue;
            }
            String resource = pair[0].toLowerCase(Locale.ROOT);
            if (!TRES.contains(resource)) {
                conf.note("PriorityWeightTRES %s: has no effect here".formatted(part.strip()));
            } else if (!pair[1].matches("\\d{1,12}(\\.\\d{1,9})?")) {
                throw InputException.at(
                        conf.source() + ", PriorityWeightTRES", part, "TRES=number, such as GRES/gpu=100");
            } else {
                weights.put(resource, Double.parseDouble(pair[1]));
            }
        }
        return weights;
    }

    private static long span(SlurmConf conf, String key, String otherwise) {
        return conf.seconds(key, otherwise);
    }

    /** The factor by which usage decays in a second. */
    public double decayPerSecond() {
        return halfLifeSeconds == 0 ? 1 : 1 - 0.693 / halfLifeSeconds;
    }
}
