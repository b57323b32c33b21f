package org.trainyard.experiments.libraries;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Versions of a library that a public advisory names.
 *
 * @param library {@code group:artifact}
 * @param acceptedIn the library that has it inside and stays nevertheless, for the reason in SECURITY.md; else empty
 */
record Advisory(String library, List<VersionRange> versions, String id, String acceptedIn) {
    static List<Advisory> read(Path file) {
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(file)) {
            return rows.stream()
                    .map(row -> new Advisory(
                            row.getField("library"),
                            Arrays.stream(row.getField("versions").split(" "))
                                    .map(VersionRange::parse)
                                    .toList(),
                            row.getField("advisory"),
                            row.getField("accepted_in")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean names(Library.Part part) {
        return part.library().equals(library) && versions.stream().anyMatch(range -> range.has(part.version()));
    }
}
