package org.trainyard.experiments.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class JsonTextTest {
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    @Test
    void trees_are_written_as_an_object_mapper_writes_them() throws JsonProcessingException {
        ObjectNode tree = treeOfAllKinds();
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");

        assertThat(JsonText.compact(tree)).isEqualTo(mapper.writeValueAsString(tree));
        assertThat(JsonText.pretty(tree))
                .isEqualTo(mapper.writer(new DefaultPrettyPrinter()
                                        .withObjectIndenter(lines)
                                        .withArrayIndenter(lines))
                                .writeValueAsString(tree)
                        + "\n");
        assertThat(JsonText.compact(JsonNodeFactory.instance.numberNode(2.5))).isEqualTo("2.5");
    }

    @Test
    void a_number_that_json_lacks_is_null() {
        record Numbers(double nan, Double infinite, double one) {}

        assertThat(JsonText.compact(new Numbers(Double.NaN, Double.NEGATIVE_INFINITY, 1.0)))
                .isEqualTo("{\"nan\":null,\"infinite\":null,\"one\":1.0}");
        assertThat(JsonText.rounded(new Numbers(Double.NaN, 0.1234567891, 2)))
                .hasToString("{\"nan\":null,\"infinite\":0.123456789,\"one\":2}");
    }

    private static ObjectNode treeOfAllKinds() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("int", -1).put("long", 1L << 40).put("short", (short) 3).put("big", BigInteger.TEN.pow(30));
        tree.put("float", 0.1f).put("double", 1e-9).put("nan", Double.NaN).put("decimal", new BigDecimal("1E+3"));
        tree.put("text", "a \"b\" \u2028 \u00e9 \n")
                .put("yes", true)
                .put("no", false)
                .putNull("null");
        tree.putRawValue("raw", new RawValue("[1,{\"a\":2}]"));
        tree.putObject("empty object");
        tree.putArray("empty array");
        tree.putArray("array").add(1).add("two").addNull().addObject().put("deep", 1.0);
        return tree;
    }
}
