package org.trainyard.experiments.io;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * JSON as this project writes it: records, maps, lists, plain values and trees.
 *
 * <p>A record has its components in their order, in snake case: {@code eventLogSha256} is {@code event_log_sha256}.
 * Methods are left out. Annotations of Jackson at components make exceptions: {@code @JsonProperty} sets another name,
 * {@code @JsonInclude} omits some values, {@code @JsonUnwrapped} puts a record's components beside it, and
 * {@code @JsonFormat} with an array's shape writes {@code [low, high]}. Keys of maps are unchanged. NaN and infinities
 * are null.
 */
public final class JsonText {
    private static final int DECIMALS = 9;

    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
    private static final DefaultPrettyPrinter PRETTY =
            new DefaultPrettyPrinter().withObjectIndenter(INDENTER).withArrayIndenter(INDENTER);

    private static final JsonMapper MAPPER = mapper(new Numbers(false));

    private JsonText() {}

    private static JsonMapper mapper(Numbers numbers) {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .build();
        return JsonMapper.builder(factory)
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .visibility(PropertyAccessor.ALL, Visibility.NONE)
                .visibility(PropertyAccessor.FIELD, Visibility.ANY)
                .addModule(
                        new SimpleModule().addSerializer(Double.class, numbers).addSerializer(double.class, numbers))
                .build();
    }

    /** The output of a command with {@code --json}: indented, arrays on one line. */
    public static String of(Object value) {
        return write(MAPPER.writer(SerializationFeature.INDENT_OUTPUT), value);
    }

    /**
     * A result file: two spaces, a line for each value, {@code \n} on every system, plain decimals, a newline at the
     * end.
     */
    public static String pretty(Object value) {
        return write(MAPPER.writer(PRETTY), value) + "\n";
    }

    /** JSON in a line without spaces, with plain decimals. */
    public static String compact(Object value) {
        return write(MAPPER.writer(), value);
    }

    /** A tree of JSON. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /** A tree of JSON whose floating-point numbers are plain decimals of at most nine places. */
    public static JsonNode rounded(Object value) {
        return Rounding.MAPPER.valueToTree(value);
    }

    /** A number as {@link #rounded} writes it: half-even, without trailing zeros. */
    public static BigDecimal decimal(double value) {
        return decimal(value, DECIMALS);
    }

    /** A number of at most so many decimal places: half-even, without trailing zeros. */
    public static BigDecimal decimal(double value, int places) {
        BigDecimal rounded = new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    }

    /** The tree of a text that this class wrote. */
    public static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records and plain values can always be written as JSON", e);
        }
    }

    /** Apart, because few commands round. */
    private static final class Rounding {
        static final JsonMapper MAPPER = mapper(new Numbers(true));
    }

    /** Floating-point numbers; null for NaN and infinities, which JSON does not have. */
    private static final class Numbers extends StdScalarSerializer<Double> {
        private static final long serialVersionUID = 1;

        private final boolean isRounded;

        Numbers(boolean isRounded) {
            super(Double.class);
            this.isRounded = isRounded;
        }

        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            if (!Double.isFinite(value)) {
                json.writeNull();
            } else if (isRounded) {
                json.writeNumber(decimal(value));
            } else {
                json.writeNumber(value);
            }
        }
    }
}
