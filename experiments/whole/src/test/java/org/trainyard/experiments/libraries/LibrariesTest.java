package org.trainyard.experiments.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The libraries on the class path, by their jars and project files: each is in the table of libraries with a licence
 * that the project may use, and none is of a version that an advisory of the kept list names, also not inside another
 * jar. Needs no network.
 */
class LibrariesTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Path TABLE = ROOT.resolve("experiments/src/release/libraries.csv");
    private static final Path ADVISORIES = ROOT.resolve("experiments/src/release/advisories.csv");

    private static final Set<String> ALLOWED =
            Set.of("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "EPL-2.0");
    private static final Set<String> ALLOWED_IN_TESTS = Set.of("GPL-2.0 with Classpath-exception");

    /** What project files call their licences, as SPDX does. */
    private static final Map<String, List<String>> NAMES = Map.of(
            "Apache-2.0",
            List.of(
                    "Apache 2.0",
                    "Apache License 2.0",
                    "Apache License, Version 2.0",
                    "The Apache License, Version 2.0",
                    "The Apache Software License, Version 2.0",
                    "The Apache Software License, version 2.0"),
            "MIT",
            List.of("MIT License", "The MIT License"),
            "BSD-3-Clause",
            List.of("3-Clause BSD License", "The BSD License", "BSD"),
            "CC0-1.0",
            List.of("Public Domain, per Creative Commons CC0"),
            "EPL-2.0",
            List.of(
                    "EPL 2.0",
                    "Eclipse Public License (EPL) 2.0",
                    "Eclipse Public License - v 2.0",
                    "Eclipse Public License v2.0"),
            "LGPL-2.1-or-later",
            List.of(
                    "GNU Lesser General Public License",
                    "GNU Lesser General Public License Version 2.1, February 1999"),
            "GPL-2.0-or-later",
            List.of("GNU General Public License (GPL) version 2, or any later version"),
            "GPL-2.0 with Classpath-exception",
            List.of(
                    "GPL2 w/ CPE",
                    "GPLv2 with Classpath exception",
                    "GNU General Public License (GPL), version 2, with the Classpath exception"));

    private static List<Library> libraries = List.of();

    @BeforeAll
    static void find() throws Exception {
        libraries = Library.ofClassPath();
        assertThat(libraries).hasSizeGreaterThan(100);
    }

    private static String spdx(String name) {
        return NAMES.entrySet().stream()
                .filter(licence -> licence.getValue().contains(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(name);
    }

    private static List<String> licences(Library library) {
        return library.licences().stream().map(LibrariesTest::spdx).toList();
    }

    /** The rows of the table: library, then its use and its licences. */
    private static Map<String, List<String>> table() throws IOException {
        Map<String, List<String>> rows = new TreeMap<>();
        try (CsvReader<NamedCsvRecord> reader = CsvReader.builder().ofNamedCsvRecord(TABLE)) {
            reader.forEach(
                    row -> rows.put(row.getField("library"), List.of(row.getField("use"), row.getField("licence"))));
        }
        return rows;
    }

    @Test
    void every_library_is_in_the_table_with_the_licences_of_its_project_file() throws IOException {
        Map<String, List<String>> table = table();
        List<String> missing = new ArrayList<>();
        for (Library library : libraries) {
            List<String> row = table.getOrDefault(library.itself().toString(), List.of("?", "?"));
            String licence = String.join(" OR ", licences(library));
            if (!row.get(1).equals(licence)) {
                missing.add("%s,%s,%s".formatted(library.itself(), row.get(0), licence));
            }
        }

        assertThat(missing).as("rows that belong into %s", TABLE.getFileName()).isEmpty();
    }

    @Test
    void every_library_has_a_licence_that_the_project_may_use() throws IOException {
        List<String> ofTests = table().entrySet().stream()
                .filter(row -> row.getValue().get(0).equals("test"))
                .map(Map.Entry::getKey)
                .toList();

        for (Library library : libraries) {
            Set<String> allowed = new TreeSet<>(ALLOWED);
            if (ofTests.contains(library.itself().toString())) {
                allowed.addAll(ALLOWED_IN_TESTS);
            }
            assertThat(licences(library)).as(library.toString()).containsAnyElementsOf(allowed);
        }
    }

    @Test
    void no_version_of_an_advisory_is_there_but_those_that_the_security_page_answers_for() throws IOException {
        String page = Files.readString(ROOT.resolve("SECURITY.md"));
        List<Advisory> advisories = Advisory.read(ADVISORIES);
        List<Advisory> accepted = new ArrayList<>();
        List<String> hits = new ArrayList<>();
        for (Library library : libraries) {
            for (Library.Part part : library.parts()) {
                advisories.stream().filter(advisory -> advisory.names(part)).forEach(advisory -> {
                    if (advisory.acceptedIn().equals(library.itself().library())) {
                        accepted.add(advisory);
                        assertThat(page)
                                .contains(advisory.id(), library.itself().library());
                    } else {
                        hits.add("%s: %s in %s".formatted(advisory.id(), part, library.itself()));
                    }
                });
            }
        }

        assertThat(hits).isEmpty();
        assertThat(advisories.stream().filter(advisory -> !advisory.acceptedIn().isEmpty()))
                .as("nothing is accepted that is not there")
                .containsExactlyInAnyOrderElementsOf(accepted);
    }

    @ParameterizedTest
    @CsvSource({
        "commons-net:commons-net,3.1,true",
        "commons-net:commons-net,3.8.0,true",
        "commons-net:commons-net,3.9.0,false",
        "commons-net:commons-net,3.10.0,false",
        "org.apache.commons:commons-net,3.1,false",
        "ch.qos.logback:logback-core,1.5.32,true",
        "ch.qos.logback:logback-core,1.5.38,false",
        "com.google.guava:guava,30.1.1-jre,true",
        "com.google.guava:guava,32.0.0-android,false",
        "org.eclipse.jetty:jetty-http,12.1.0.alpha1,true",
        "org.eclipse.jetty:jetty-http,12.1.11,true",
        "org.eclipse.jetty:jetty-http,12.1.12,false",
    })
    void the_kept_list_names_versions_by_their_order(String library, String version, boolean isNamed) {
        assertThat(Advisory.read(ADVISORIES))
                .as("%s %s", library, version)
                .matches(all -> all.stream().anyMatch(one -> one.names(new Library.Part(library, version))) == isNamed);
    }
}
