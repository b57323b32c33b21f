package org.trainyard.experiments.papers.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.gym.registry.PlacementPolicies;
import org.trainyard.experiments.arrivals.Arrivals;
import org.trainyard.experiments.arrivals.ArrivalsRun;

/**
 * The six policies against the mean curves of their authors' simulator, seed by seed an independent draw, so that means
 * are compared.
 *
 * <p>{@code -Dtrainyard.openbSeeds=10 -Dtrainyard.openbPrint=true} runs as many seeds as the authors did and prints the
 * differences.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenbAgreementTest {
    private static final Offset<Double> ONE_POINT = Offset.offset(1.0);
    private static final Path DATA = Path.of(System.getProperty("trainyard.root", "."), "..", "shared", "data");
    private static final double INFLATION = 1.3;
    private static final long FIRST_SEED = 42;
    private static final int SEEDS = Integer.getInteger("trainyard.openbSeeds", 2);
    private static final boolean PRINTS = Boolean.getBoolean("trainyard.openbPrint");

    private final OpenbData data = new OpenbData(DATA);
    private final List<Arrivals> arrivals = new ArrayList<>();

    /** Made once for all policies, which are compared on the same jobs. */
    private List<Arrivals> arrivals() {
        assumeThat(OpenbData.FILES.stream().map(DATA::resolve))
                .as("the data pack is not beside this checkout")
                .allMatch(Files::exists);
        if (arrivals.isEmpty()) {
            for (int seed = 0; seed < SEEDS; seed++) {
                arrivals.add(Arrivals.of(data.pods().jobs(), data.gpuNodes(), INFLATION, FIRST_SEED + seed));
            }
        }
        return arrivals;
    }

    @ParameterizedTest
    @CsvSource({"fgd, FGD", "dot-product, DotProd", "random, Random"})
    void the_allocation_is_within_a_point_of_the_authors_mean_at_every_tenth_of_demand(String name, String theirs) {
        assertAgrees(name, theirs);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"best-fit, BestFit", "gpu-packing, GpuPacking", "gpu-clustering, GpuClustering"})
    void the_allocation_of_more_policies_is_within_a_point_of_the_authors_mean(String name, String theirs) {
        assertAgrees(name, theirs);
    }

    private void assertAgrees(String name, String theirs) {
        PlacementPolicies.Entry policy = Objects.requireNonNull(PlacementPolicies.named(name));
        List<ArrivalsRun> runs =
                arrivals().stream().map(one -> one.run(policy, null)).toList();

        double[] allocated = data.expected("expected_analysis_allo_discrete.csv.gz", theirs);
        double[] fragmented = data.expected("expected_analysis_frag_discrete.csv.gz", theirs);
        print(name, "allocated", runs, ArrivalsRun::allocatedPercent, allocated);
        print(name, "fragmented", runs, ArrivalsRun::fragmentedPercent, fragmented);
        for (int percent = 0; percent <= 130; percent += 10) {
            assertThat(mean(runs, ArrivalsRun::allocatedPercent, percent))
                    .as("%s, allocated at %d %% of demand", name, percent)
                    .isCloseTo(allocated[percent], ONE_POINT);
            assertThat(mean(runs, ArrivalsRun::fragmentedPercent, percent))
                    .as("%s, fragmented at %d %% of demand", name, percent)
                    .isCloseTo(fragmented[percent], ONE_POINT);
        }
    }

    private static double mean(List<ArrivalsRun> runs, Function<ArrivalsRun, List<Double>> curve, int percent) {
        return runs.stream()
                .mapToDouble(run -> curve.apply(run).get(percent))
                .average()
                .orElseThrow();
    }

    private static void print(
            String policy,
            String what,
            List<ArrivalsRun> runs,
            Function<ArrivalsRun, List<Double>> curve,
            double[] theirs) {
        if (PRINTS) {
            StringBuilder line = new StringBuilder("%-14s %-10s".formatted(policy, what));
            for (int percent = 0; percent <= 130; percent += 10) {
                double ours = mean(runs, curve, percent);
                line.append(String.format(Locale.ROOT, " %6.2f (%+.2f)", ours, ours - theirs[percent]));
            }
            System.out.println(line);
        }
    }
}
