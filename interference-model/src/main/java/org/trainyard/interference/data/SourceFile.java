package org.trainyard.interference.data;

import java.util.List;

/**
 * Where rows of a table come from.
 *
 * @param file the file's name without its folder
 * @param sha256 of the file as it lay there
 * @param citation who measured it, where it was published
 * @param rows rows taken from it
 * @param notes what was left out or changed, and why
 */
public record SourceFile(String file, String sha256, String citation, String licence, int rows, List<String> notes) {
    public SourceFile {
        notes = List.copyOf(notes);
    }
}
