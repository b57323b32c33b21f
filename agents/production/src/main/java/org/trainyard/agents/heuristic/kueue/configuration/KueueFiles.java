package org.trainyard.agents.heuristic.kueue.configuration;

import org.trainyard.agents.heuristic.kubernetes.YamlDocuments;
import org.trainyard.env.InputException;

/**
 * Reads the objects of Kueue from a YAML file, or from all YAML files of a folder, each with any number of documents.
 */
public final class KueueFiles {
    private KueueFiles() {}

    /** @throws InputException when there is no ClusterQueue in what is there */
    public static KueueObjects read(String path) {
        ObjectReader reader = new ObjectReader();
        YamlDocuments.read("scheduler kueue", path, reader::take);
        return checked(path, reader);
    }

    /** Reads a text. */
    public static KueueObjects parse(String source, String text) {
        ObjectReader reader = new ObjectReader();
        YamlDocuments.parse(source, text, reader::take);
        return checked(source, reader);
    }

    private static KueueObjects checked(String source, ObjectReader reader) {
        KueueObjects objects = reader.objects();
        if (objects.queues().isEmpty()) {
            String there = String.join(", ", reader.strangers());
            throw new InputException("%s: %s: expected a ClusterQueue of Kueue"
                    .formatted(source, there.isEmpty() ? "has no ClusterQueue" : there + " is not read"));
        }
        return objects;
    }
}
