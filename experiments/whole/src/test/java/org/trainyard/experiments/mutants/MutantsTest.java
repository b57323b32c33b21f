package org.trainyard.experiments.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests notice small faults that are put in by hand, those of {@code experiments/mutants}, one at a time.
 * {@code -Dtrainyard.mutant=PATTERN} tries those alone in whose names the pattern is found.
 */
class MutantsTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("trainyard.root", "..")).resolve("experiments/mutants");
    /** Of those that apply to the code as it is. */
    private static final double LEAST_KILLED = 0.9;

    @TempDir
    private Path folder;

    @Test
    @Tag("thorough")
    void nine_of_ten_faults_are_noticed() throws Exception {
        Pattern wanted = Pattern.compile(System.getProperty("trainyard.mutant", ""));
        List<Mutant> mutants = Mutant.in(FOLDER).stream()
                .filter(mutant -> wanted.matcher(mutant.name()).find())
                .toList();
        Map<MutantTrial.Outcome, Integer> counts = new EnumMap<>(MutantTrial.Outcome.class);
        for (int i = 0; i < mutants.size(); i++) {
            long from = System.nanoTime();
            MutantTrial.Result result =
                    new MutantTrial(Files.createDirectory(folder.resolve("mutant" + i))).run(mutants.get(i));
            counts.merge(result.outcome(), 1, Integer::sum);
            System.out.printf("%-8s %5.1f s  %s%n", result.outcome(), (System.nanoTime() - from) / 1e9, mutants.get(i));
            if (result.outcome() != MutantTrial.Outcome.KILLED || mutants.size() == 1) {
                System.out.println(result.note().indent(10));
            }
        }
        int killed = counts.getOrDefault(MutantTrial.Outcome.KILLED, 0);
        int survived = counts.getOrDefault(MutantTrial.Outcome.SURVIVED, 0);
        System.out.printf("%d of %d killed; %s%n", killed, mutants.size(), counts);
        assertThat(killed).isGreaterThanOrEqualTo((int) Math.ceil(LEAST_KILLED * (killed + survived)));
        assertThat(counts.getOrDefault(MutantTrial.Outcome.STALE, 0))
                .as("faults of code that has moved: give them new texts, or delete them with their code")
                .isLessThanOrEqualTo(mutants.size() / 5);
    }

    @Test
    void every_fault_has_a_name_of_its_own_and_changes_its_text() {
        List<Mutant> mutants = Mutant.in(FOLDER);

        assertThat(mutants)
                .hasSizeGreaterThanOrEqualTo(60)
                .extracting(Mutant::name)
                .doesNotHaveDuplicates();
        assertThat(mutants).allSatisfy(mutant -> assertThat(mutant.now()).isNotEqualTo(mutant.old()));
    }
}
