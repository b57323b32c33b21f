package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The stops of the tours of the architecture page exist, and no tour has more than eight. */
class TourTest {
    private static final Pattern STOP = Pattern.compile("`([A-Z]\\w+)\\.(\\w+)`");

    @Test
    void every_stop_of_the_tours_is_a_method_of_the_program() throws IOException {
        Set<String> methods = ProgramClasses.ALL.stream()
                .flatMap(type -> type.getMethods().stream())
                .map(method -> method.getOwner().getSimpleName() + "." + method.getName())
                .collect(Collectors.toSet());

        List<MatchResult> stops = STOP.matcher(tours()).results().toList();

        assertThat(stops)
                .hasSizeGreaterThan(20)
                .extracting(MatchResult::group)
                .allMatch(stop -> methods.contains(stop.substring(1, stop.length() - 1)));
    }

    @Test
    void no_tour_has_more_than_eight_stops() throws IOException {
        assertThat(tours()).doesNotContainPattern("(?m)^9\\. ").containsPattern("(?m)^8\\. ");
    }

    @Test
    void the_tour_of_the_learner_visits_at_most_eight_files() throws IOException {
        String tour = tours().substring(tours().indexOf("**A cost, "));

        assertThat(STOP.matcher(tour).results().map(stop -> stop.group().replaceFirst("\\..*", "")))
                .isNotEmpty()
                .satisfies(names -> assertThat(Set.copyOf(names)).hasSizeLessThanOrEqualTo(8));
    }

    private static String tours() throws IOException {
        String text = Files.readString(Path.of(System.getProperty("trainyard.root", ".."))
                .resolve("experiments/docs/develop/architecture.md"));
        return text.substring(text.indexOf("## A stranger's tour"));
    }
}
