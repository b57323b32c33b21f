package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The parts of the pages of the reference that are made from the code are those that it makes now. */
class ReferencePagesTest {
    private static final Path REFERENCE =
            Path.of(System.getProperty("trainyard.root", ".."), "experiments", "docs", "reference");
    private static final Path LEARNER = REFERENCE.resolveSibling("science").resolve("ppo.md");
    private static final Pattern PLACE =
            Pattern.compile("(<!-- made by ReferencePagesTest: ([a-z]+) -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);

    @Test
    void every_part_is_in_a_page_and_equal_to_what_the_code_says() throws IOException {
        Map<String, String> parts = ReferencePages.parts();
        Set<String> seen = new HashSet<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            String made = PLACE.matcher(text)
                    .replaceAll(place ->
                            Matcher.quoteReplacement(place.group(1) + part(parts, place) + "\n" + place.group(4)));
            PLACE.matcher(text).results().map(place -> place.group(2)).forEach(seen::add);
            if (Boolean.getBoolean("trainyard.freeze")) {
                Files.writeString(page, made);
            }
            assertThat(Files.readString(page)).as(page.toString()).isEqualTo(made);
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(parts.keySet());
    }

    private static String part(Map<String, String> parts, MatchResult place) {
        assertThat(parts).containsKey(place.group(2));
        return parts.get(place.group(2));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(REFERENCE)) {
            return Stream.concat(files.filter(file -> file.toString().endsWith(".md")), Stream.of(LEARNER))
                    .sorted()
                    .toList();
        }
    }
}
