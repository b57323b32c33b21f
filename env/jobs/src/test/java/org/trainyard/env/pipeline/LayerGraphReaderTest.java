package org.trainyard.env.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.InputException;

class LayerGraphReaderTest {
    private static String node(String id, String name, double forward, String activation, double parameters) {
        return "%s -- %s -- forward_compute_time=%s, backward_compute_time=%s, activation_size=%s, parameter_size=%s\n"
                .formatted(id, name, forward, 2 * forward, activation, parameters);
    }

    private static LayerProfile read(String text) {
        return LayerGraphReader.read("graph.txt", "model", text, 32);
    }

    @Test
    void a_chain_without_its_input_is_read_in_milliseconds() {
        LayerProfile profile = read(node("n1", "Input", 5, "9", 0)
                + node("n2", "Conv", 3, "[100; 20]", 7)
                + node("n3", "Linear", 1, "50", 8)
                + "\tn1 -- n2\n \tn2 -- n3\n");
        assertThat(profile.layers())
                .containsExactly(new Layer("n2", 0.003, 0.006, 120, 120, 7), new Layer("n3", 0.001, 0.002, 50, 50, 8));
    }

    @Test
    void a_skipping_edge_adds_to_every_cut_it_crosses() {
        LayerProfile profile = read(node("a", "x", 1, "10", 0)
                + node("b", "x", 1, "1", 0)
                + node("c", "x", 1, "1", 0)
                + "\ta -- b\n\tb -- c\n\ta -- c\n");
        assertThat(profile.cutBytes(1)).isEqualTo(10);
        assertThat(profile.cutBytes(2)).isEqualTo(11);
    }

    @Test
    void a_second_source_joins_its_consumer() {
        LayerProfile profile = read(node("a", "x", 1, "10", 0)
                + node("b", "x", 1, "1", 0)
                + node("e", "Embedding", 1, "3", 100)
                + node("c", "x", 1, "1", 0)
                + "\ta -- b\n\tb -- c\n\te -- c\n");
        assertThat(profile.layers()).extracting(Layer::name).containsExactly("a", "b", "c");
        assertThat(profile.parameterBytes(2, 3)).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a -- b                  | graph.txt:3: 'x' is not valid: expected a node that is listed above the edges
                    cycle                   | graph.txt:1: 'a' is not valid: expected a graph without a cycle through this node
                    """)
    void graphs_that_are_no_graphs_are_refused(String kind, String message) {
        String edges = kind.equals("cycle") ? "\ta -- b\n\tb -- a\n" : "\tx -- b\n";
        assertThatThrownBy(() -> read(node("a", "x", 1, "1", 1) + node("b", "x", 1, "1", 1) + edges))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    @Test
    void a_negative_time_is_refused_with_its_line() {
        assertThatThrownBy(() -> read(node("a", "x", -1, "1", 1)))
                .isInstanceOf(InputException.class)
                .hasMessage("graph.txt:1: '-1.0' is not valid: expected a finite number that is not negative");
    }

    @Test
    void a_table_is_read_in_milliseconds_and_megabytes() {
        LayerProfile profile = LayerTable.read("m.csv", "m", """
                # micro-batch 4
                layer,forward_ms,backward_ms,activation_mb,parameter_mb
                embedding,1,2,8,100
                block,3,6,4,50
                """);
        assertThat(profile.microBatch()).isEqualTo(4);
        assertThat(profile.layers())
                .containsExactly(
                        new Layer("embedding", 0.001, 0.002, 8e6, 100e6), new Layer("block", 0.003, 0.006, 4e6, 50e6));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a,1,-2,3,4 | m.csv:2: '-2' is not valid: expected a finite number that is not negative
                    a,1,2,3    | m.csv:2: 'a,1,2,3' is not valid: expected a layer and 4 numbers
                    a,1,x,3,4  | m.csv:2: 'x' is not valid: expected a number
                    a,0,0,3,4  | m.csv: 'no compute time' is not valid: expected at least one layer with a time above zero
                    #          | m.csv: 'no layer' is not valid: expected a line for each layer below the header layer,forward_ms,backward_ms,activation_mb,parameter_mb
                    """)
    void bad_tables_are_refused_with_their_line(String line, String message) {
        assertThatThrownBy(() -> LayerTable.read(
                        "m.csv", "m", "layer,forward_ms,backward_ms,activation_mb,parameter_mb\n" + line))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }
}
