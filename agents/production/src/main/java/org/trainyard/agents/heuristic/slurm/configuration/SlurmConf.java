package org.trainyard.agents.heuristic.slurm.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.workload.trace.slurm.SlurmText;

/**
 * The text of {@code slurm.conf} as keys and values: those of the controller, and the lines of nodes, partitions and
 * sets of nodes. Names of keys are without case. {@link #notes} names the keys that are not applied here.
 */
public final class SlurmConf {
    private final String source;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<SlurmLine> nodes = new ArrayList<>();
    private final List<SlurmLine> partitions = new ArrayList<>();
    private final List<SlurmLine> nodeSets = new ArrayList<>();
    private final List<SlurmLine> downNodes = new ArrayList<>();
    /** Settings that bound which jobs may start and are not applied; listed before those without effect. */
    private final Set<String> bounds = new LinkedHashSet<>();

    private final Set<String> notes = new LinkedHashSet<>();

    private SlurmConf(String source) {
        this.source = source;
    }

    /** Reads the lines of a file that includes no other. */
    public static SlurmConf parse(String source, List<String> lines) {
        return parse(source, lines, name -> null);
    }

    /** Reads the lines of a file, and of those that it includes. */
    static SlurmConf parse(String source, List<String> lines, Function<String, @Nullable List<String>> included) {
        SlurmConf conf = new SlurmConf(source);
        SlurmLine.read(source, lines, included).forEach(conf::take);
        return conf;
    }

    private void take(SlurmLine line) {
        switch (line.kind()) {
            case "nodename" -> add(nodes, line, "NodeName");
            case "partitionname" -> add(partitions, line, "PartitionName");
            case "nodeset" -> add(nodeSets, line, "NodeSet");
            case "downnodes" -> add(downNodes, line, "DownNodes");
            case "frontendname" -> check(line, "FrontendName");
            default -> line.values().forEach((key, value) -> setting(line.spelling(key), value));
        }
    }

    /** A line named DEFAULT is the default of the lines after it. */
    private void add(List<SlurmLine> lines, SlurmLine line, String kind) {
        check(line, kind);
        SlurmLine whole = line;
        for (int i = lines.size() - 1; i >= 0; i--) {
            whole = lines.get(i).isDefault() ? whole.over(lines.get(i)) : whole;
        }
        lines.add(whole);
    }

    /** Names the keys of a line that are not applied here. */
    void check(SlurmLine line, String kind) {
        line.values().forEach((key, value) -> {
            if (!SlurmKeys.isNothing(value) || SlurmKeys.effect(kind, key) == null) {
                note(SlurmKeys.note(kind, key, "%s, %s=%s".formatted(kind, line.spelling(key), value)));
            }
            words(kind, key, "%s, %s=".formatted(kind, line.spelling(key)), value);
        });
    }

    private void setting(String key, String value) {
        values.put(key.toLowerCase(Locale.ROOT), value);
        if (!SlurmKeys.isNothing(value) || SlurmKeys.effect("slurm.conf", key) == null) {
            note(SlurmKeys.note("slurm.conf", key, key + "=" + value));
        }
        words("slurm.conf", key, key + "=", value);
    }

    /** Names the words of a value that are not applied here, of a key whose words are listed. */
    void words(String kind, String key, String what, String value) {
        for (String word :
                SlurmKeys.isNothing(value) ? new String[0] : value.strip().split("\\s*,\\s*", -1)) {
            note(SlurmKeys.wordNote(kind, key, what + word, word));
        }
    }

    /** Remembers a note that is listed before all others. */
    void warn(String what) {
        bounds.add(what);
    }

    /** Remembers that something in the file is not applied; null for nothing. */
    void note(@Nullable String what) {
        if (what != null) {
            (what.contains(SlurmKeys.BOUNDS) ? bounds : notes).add(what);
        }
    }

    /** Settings that are not applied here, one line each; those that bound which jobs may start come first. */
    public List<String> notes() {
        return Stream.concat(bounds.stream(), notes.stream()).toList();
    }

    String source() {
        return source;
    }

    /** The value of a key of the controller, or the default. */
    public String text(String key, String otherwise) {
        return values.getOrDefault(key.toLowerCase(Locale.ROOT), otherwise);
    }

    long number(String key, long otherwise) {
        return SlurmText.number(source + ", " + key, text(key, Long.toString(otherwise)));
    }

    boolean flag(String key) {
        return SlurmLine.flag(source + ", " + key, text(key, ""));
    }

    /** The words of a value, in small letters. */
    List<String> words(String key) {
        return List.of(text(key, "").strip().toLowerCase(Locale.ROOT).split("\\s*,\\s*", -1));
    }

    /** Seconds of a span of time; -1 for no limit. */
    long seconds(String key, String otherwise) {
        return SlurmText.seconds(source + ", " + key, text(key, otherwise));
    }

    /** The {@code NodeName} lines. */
    List<SlurmLine> nodeLines() {
        return nodes;
    }

    /** The {@code DownNodes} lines. */
    List<SlurmLine> downNodeLines() {
        return downNodes;
    }

    /** The {@code NodeSet} lines. */
    List<SlurmLine> nodeSetLines() {
        return nodeSets;
    }

    /** The {@code PartitionName} lines. */
    List<SlurmLine> partitionLines() {
        return partitions;
    }
}
