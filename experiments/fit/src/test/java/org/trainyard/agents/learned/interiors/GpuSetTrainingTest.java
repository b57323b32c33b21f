package org.trainyard.agents.learned.interiors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.agents.learned.inside.IntraNodeEncoder;
import org.trainyard.agents.learned.interiors.GpuSetTraining.LinkFacts;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.topology.Interiors;
import org.trainyard.env.topology.ServerInterior;
import org.trainyard.gnn.cluster.ClusterEncoder;
import org.trainyard.gnn.cluster.GpuSetEncoder;
import org.trainyard.gnn.cluster.GpuSetTable;
import org.trainyard.gnn.cluster.LinkMatrix;

class GpuSetTrainingTest {
    private static final ServerInterior DGX = Interiors.named("dgx1v");

    @TempDir
    private Path folder;

    @Test
    void facts_are_the_bandwidth_of_a_set_and_of_its_widest_subsets() {
        LinkFacts facts = new LinkFacts(DGX);
        float[] found = new float[GpuSetEncoder.BELIEFS];
        // GPUs 0, 1, 2 and 4: a link of two lanes joins 0-4 and 1-2, a ring joins 0-1-2, and none all four.
        facts.copy(0b10111, found, 0);
        assertThat(found)
                .containsExactly(
                        LinkMatrix.scaled(10), LinkMatrix.scaled(44), LinkMatrix.scaled(44), LinkMatrix.scaled(10), 0);
        facts.copy(1, found, 0);
        assertThat(found[0]).as("one GPU").isZero();
    }

    @Test
    void drawn_interiors_differ_and_among_them_are_links_of_four_lanes() {
        RandomInteriors drawn = new RandomInteriors(RandomStreams.stream(1, "test/interiors"));
        int wide = 0;
        int without = 0;
        for (int i = 0; i < 200; i++) {
            ServerInterior interior = drawn.draw();
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (int a = 0; a < interior.gpus(); a++) {
                for (int b = 0; b < a; b++) {
                    double link = interior.nvlink(a, b);
                    least = link > 0 ? Math.min(least, link) : least;
                    most = Math.max(most, link);
                }
            }
            wide += most > 3.5 * least ? 1 : 0;
            without += most == 0 ? 1 : 0;
        }
        assertThat(wide).isGreaterThan(5);
        assertThat(without).isBetween(10, 60);
    }

    @Test
    void a_few_steps_bring_the_choice_of_sets_closer_to_the_best_and_are_the_same_each_time() {
        GpuSetEncoder.Settings shape = new GpuSetEncoder.Settings(ClusterEncoder.Kind.HIERARCHICAL, 12, 2, 5);
        GpuSetTraining.Settings settings = new GpuSetTraining.Settings(20, 150, 64, 1e-2);
        float[] weights = new GpuSetTraining(shape, settings, List.of(DGX), 3).weights();

        assertThat(new GpuSetTraining(shape, settings, List.of(DGX), 3).weights())
                .isEqualTo(weights);
        double before = SetRegret.of(DGX, new GpuSetTable(shape, shape.initial(3)));
        assertThat(SetRegret.of(DGX, new GpuSetTable(shape, weights))).isLessThan(0.7 * before);
    }

    @Test
    void regret_is_none_for_who_knows_the_bandwidths_and_that_of_the_worst_choice_for_who_believes_the_contrary() {
        assertThat(SetRegret.of(DGX, DGX::ring)).isZero();
        ServerInterior four = Interiors.named("minsky");
        // Of the six pairs two have 40 GB/s and the others 20; of three GPUs two are always linked.
        double ofPairs = Math.log(2);
        double worst = SetRegret.of(four, gpus -> -four.ring(gpus));
        assertThat(worst).isCloseTo(5 * ofPairs / 6, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"uniform, 0", "pairs, 0.001", "pcie, 0.001", "pcie3, 0.001", "dgx1v, 0.02", "mi250x, 0.02"})
    void the_level_that_ships_chooses_well_on_interiors_that_it_was_not_trained_on_too(String name, double most) {
        assertThat(SetRegret.of(
                        Interiors.named(name), IntraNodeEncoder.shipped(false).table()))
                .isLessThanOrEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource({"uniform", "pairs", "pcie", "pcie3", "dgx1v", "mi250x"})
    void the_graph_that_ships_believes_nearly_the_bandwidths_of_interiors_that_it_was_not_trained_on_too(String name) {
        ServerInterior interior = Interiors.named(name);
        LongToDoubleFunction believed = IntraNodeEncoder.graph().of(interior);
        double sum = 0;
        int count = 0;
        for (int set = 0; set < 1 << interior.gpus(); set++) {
            if (Integer.bitCount(set) > 1) {
                sum += Math.abs(Math.log(believed.applyAsDouble(set) / interior.ring(set)));
                count++;
            }
        }
        assertThat(sum / count).as("of the logarithm").isLessThan(0.12);
    }

    @Test
    void a_file_of_weights_is_read_as_it_was_written() {
        IntraNodeEncoder shipped = IntraNodeEncoder.shipped(true);
        Path file = folder.resolve("sets.bin");
        shipped.save(file);
        IntraNodeEncoder read = IntraNodeEncoder.load(file, true);

        assertThat(read.weights()).isEqualTo(shipped.weights());
        assertThat(read.settings()).isEqualTo(shipped.settings());
        assertThat(IntraNodeEncoder.load(file, false).learns()).isFalse();
    }
}
