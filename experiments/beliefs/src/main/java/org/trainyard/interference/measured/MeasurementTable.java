package org.trainyard.interference.measured;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.Domain;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Measurement;
import org.trainyard.interference.data.Scope;

/** Measured co-locations of any number of campaigns, one per row, with their source files. */
public record MeasurementTable(List<Measurement> rows, List<SourceFile> sources) {
    public MeasurementTable {
        rows = List.copyOf(rows);
        sources = List.copyOf(sources);
    }

    private record Key(String victim, String neighbour, Domain domain) {}

    /** All rows of all tables; rows of the same pair and domain share a weight of 1. */
    public static MeasurementTable join(List<MeasurementTable> tables) {
        Map<Key, Integer> times = new HashMap<>();
        List<Measurement> all = new ArrayList<>();
        List<SourceFile> files = new ArrayList<>();
        for (MeasurementTable table : tables) {
            files.addAll(table.sources());
            for (Measurement row : table.rows()) {
                all.add(row);
                times.merge(key(row), 1, Integer::sum);
            }
        }
        all.replaceAll(row -> row.weighing(1.0 / times.getOrDefault(key(row), 1)));
        return new MeasurementTable(all, files);
    }

    private static Key key(Measurement row) {
        return new Key(row.victim().label(), row.neighbour().label(), row.domain());
    }

    /** Every domain that has rows, in order. */
    public List<Domain> domains() {
        return List.copyOf(new TreeSet<>(rows.stream().map(Measurement::domain).toList()));
    }

    /** The rows of a scope. */
    public List<Measurement> of(Scope scope) {
        return rows.stream().filter(row -> row.scope() == scope).toList();
    }

    /** Only the pairs of these architectures, by their {@link ArchitectureResources#canonical} names; sources stay. */
    public MeasurementTable among(Set<String> architectures) {
        return new MeasurementTable(
                rows.stream()
                        .filter(row -> architectures.contains(row.victim().architecture())
                                && architectures.contains(row.neighbour().architecture()))
                        .toList(),
                sources);
    }

    /** Every job type by its label, in order of first appearance. */
    public Map<String, JobType> types() {
        Map<String, JobType> types = new LinkedHashMap<>();
        for (Measurement row : rows) {
            types.putIfAbsent(row.victim().label(), row.victim());
        }
        for (Measurement row : rows) {
            types.putIfAbsent(row.neighbour().label(), row.neighbour());
        }
        return types;
    }
}
