package org.trainyard.env.pipeline.mixed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.RandomStreams;
import org.trainyard.env.pipeline.mixed.LayoutChain.Boxing;

class LayoutSearchTest {
    private static final double WIDTH = 4096;
    private static final double HIDDEN = 16384;
    private static final double WEIGHTS = 2 * WIDTH * HIDDEN;

    /** Two layers in 16 bits on eight GPUs, where only transfers cost. */
    private static LayoutChain perceptron(double batch) {
        return new LayoutChain(
                List.of(
                        new LayoutChain.Product(2 * batch * WIDTH, WEIGHTS, 2 * batch * HIDDEN, 0, 0),
                        new LayoutChain.Product(2 * batch * HIDDEN, WEIGHTS, 2 * batch * WIDTH, 0, 0)),
                8,
                1,
                0);
    }

    @ParameterizedTest
    @CsvSource({"256, 58.720256", "1024, 234.881024", "16384, 3758.096384", "32768, 3758.096384"})
    void a_perceptron_moves_the_known_bytes(double batch, double megabytes) {
        assertThat(LayoutSearch.best(perceptron(batch), false).seconds() / 1e6).isCloseTo(megabytes, within(1e-6));
    }

    @Test
    void small_batches_are_tensor_parallel_and_large_ones_data_parallel() {
        List<LayoutChain.Choice> small =
                LayoutSearch.best(perceptron(1024), false).choices();
        assertThat(small)
                .extracting(LayoutChain.Choice::forward)
                .containsExactly(MatrixProduct.COLUMNS, MatrixProduct.INNER);
        assertThat(small)
                .extracting(LayoutChain.Choice::stored)
                .containsExactly(TensorLayout.SPLIT_COLUMNS, TensorLayout.SPLIT_ROWS);
        List<LayoutChain.Choice> large =
                LayoutSearch.best(perceptron(32768), false).choices();
        assertThat(large).extracting(LayoutChain.Choice::forward).containsOnly(MatrixProduct.ROWS);
    }

    /** Seven times what all-gathers and reduce-scatters move, 14 times what all-reduces do, for each consumer. */
    @Test
    void layouts_found_by_hand_move_the_known_bytes() {
        assertThat(HandLayout.MEGATRON.handBytes()).isEqualTo(4 * 7 * 2 * 1024 * WIDTH);
        assertThat(HandLayout.ZERO.handBytes()).isEqualTo((3 + 2) * 7 * WEIGHTS);
        assertThat(HandLayout.SPLIT_SOFTMAX.handBytes())
                .isEqualTo(3 * 7 * 4 * 1024 * 512 + 2 * 7 * 4 * 512 * 512 + 2 * 2 * 7 * 4 * 1024);
    }

    @Test
    void the_search_finds_layouts_as_good_as_those_found_by_hand() {
        assertThat(HandLayout.MEGATRON.foundBytes()).isEqualTo(HandLayout.MEGATRON.handBytes());
        assertThat(HandLayout.ZERO.foundBytes()).isEqualTo((2 + 2) * 7 * WEIGHTS);
        assertThat(HandLayout.SPLIT_SOFTMAX.foundBytes()).isEqualTo(HandLayout.SPLIT_SOFTMAX.handBytes());
    }

    @Test
    void conversions_are_consistent() {
        for (int gpus : new int[] {2, 8}) {
            double direct = Boxing.bytes(TensorLayout.PARTIAL, TensorLayout.BROADCAST, 10, gpus);
            double scattered = Boxing.bytes(TensorLayout.PARTIAL, TensorLayout.SPLIT_ROWS, 10, gpus);
            double gathered = Boxing.bytes(TensorLayout.SPLIT_ROWS, TensorLayout.BROADCAST, 10, gpus);
            assertThat(direct).isEqualTo(scattered + gathered);
            assertThat(gathered)
                    .isCloseTo(
                            gpus * Boxing.bytes(TensorLayout.SPLIT_ROWS, TensorLayout.SPLIT_COLUMNS, 10, gpus),
                            within(1e-9));
        }
        for (TensorLayout a : TensorLayout.values()) {
            for (TensorLayout b : TensorLayout.values()) {
                for (TensorLayout c : TensorLayout.values()) {
                    if (b != TensorLayout.PARTIAL && c != TensorLayout.PARTIAL) {
                        assertThat(Boxing.bytes(a, c, 10, 8))
                                .isLessThanOrEqualTo(Boxing.bytes(a, b, 10, 8) + Boxing.bytes(b, c, 10, 8) + 1e-9);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "1, false", "2, false", "3, false", "4, false", "5, false"})
    void the_search_equals_enumeration_on_short_chains(int count, boolean everywhere) {
        RandomGenerator random = RandomStreams.stream(2, "chains of %d %s".formatted(count, everywhere));
        for (int i = 0; i < 4; i++) {
            List<LayoutChain.Product> products = new ArrayList<>();
            double input = 1 + random.nextInt(50);
            for (int k = 0; k < count; k++) {
                double output = 1 + random.nextInt(50);
                products.add(new LayoutChain.Product(
                        input, 1 + random.nextInt(50), output, random.nextInt(100), random.nextInt(200)));
                input = output;
            }
            LayoutChain chain = new LayoutChain(products, 2 + random.nextInt(7), 1, random.nextInt(5));
            double enumerated = enumerate(chain, everywhere, new ArrayList<>());
            assertThat(LayoutSearch.best(chain, everywhere).seconds()).isCloseTo(enumerated, within(1e-9));
        }
    }

    /**
     * Tries all layouts of the forward passes and of the gradients of the inputs; no other product sees the remaining
     * choices of one.
     */
    private static double enumerate(
            LayoutChain chain, boolean everywhere, List<Collection<LayoutChain.Choice>> chosen) {
        if (chosen.size() == chain.products().size()) {
            return Arrays.stream(TensorLayout.values())
                    .filter(read -> read != TensorLayout.PARTIAL)
                    .mapToDouble(read -> seconds(chain, chosen, read))
                    .min()
                    .orElseThrow();
        }
        double least = Double.POSITIVE_INFINITY;
        for (Collection<LayoutChain.Choice> alike : LayoutSearch.choices(everywhere, chosen.isEmpty()).stream()
                .collect(Collectors.groupingBy(choice -> List.of(choice.forward(), choice.input())))
                .values()) {
            chosen.add(alike);
            least = Math.min(least, enumerate(chain, everywhere, chosen));
            chosen.remove(chosen.size() - 1);
        }
        return least;
    }

    /** The cost of a chain with the cheapest choice of each product, of those that are alike to its neighbours. */
    private static double seconds(LayoutChain chain, List<Collection<LayoutChain.Choice>> chosen, TensorLayout read) {
        int last = chosen.size() - 1;
        double seconds = chain.lossSeconds(any(chosen.get(last)).forward().product(), read);
        for (int i = 0; i <= last; i++) {
            TensorLayout x = i == 0
                    ? TensorLayout.SPLIT_ROWS
                    : any(chosen.get(i - 1)).forward().product();
            TensorLayout dy = i == last ? read : any(chosen.get(i + 1)).input().product();
            LayoutChain.ProductCosts costs = chain.costs(i);
            double least = Double.POSITIVE_INFINITY;
            for (LayoutChain.Choice choice : chosen.get(i)) {
                least = Math.min(least, costs.seconds(choice, x, dy));
            }
            seconds += least;
        }
        return seconds;
    }

    private static LayoutChain.Choice any(Collection<LayoutChain.Choice> alike) {
        return alike.iterator().next();
    }
}
