package org.trainyard.env.binding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a configuration as YAML; {@link Binder} binds it to an equal record. */
public final class ConfigWriter {
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build());

    private ConfigWriter() {}

    public static String yaml(Record config) {
        try {
            return YAML.writeValueAsString(plain(config));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a config of plain values cannot be written", e);
        }
    }

    /** A record as ordered keys and values, for YAML and JSON. */
    public static Map<String, @Nullable Object> plain(Record record) {
        Map<String, @Nullable Object> keys = new LinkedHashMap<>();
        for (Class<?> role : record.getClass().getInterfaces()) {
            if (Variants.has(role)) {
                keys.put(Yaml.TYPE, Variants.name(role, record.getClass()));
            }
        }
        for (RecordKeys.Key key : RecordKeys.of(record.getClass()).all()) {
            try {
                key.component().getAccessor().setAccessible(true);
                Object value = value(key.component().getAccessor().invoke(record));
                if (value instanceof Map<?, ?> beside && key.isUnwrapped()) {
                    beside.forEach((name, its) -> keys.put((String) name, its));
                } else if (value != null || key.optional() == null) {
                    keys.put(key.name(), value);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("%s has no readable component".formatted(record), e);
            }
        }
        return keys;
    }

    private static @Nullable Object value(@Nullable Object value) {
        if (value instanceof Record record) {
            Map<String, @Nullable Object> keys = plain(record);
            keys.remove(record.getClass().isAnnotationPresent(PlainText.class) ? Yaml.TYPE : "");
            return record.getClass().isAnnotationPresent(PlainText.class)
                    ? keys.values().iterator().next()
                    : keys;
        } else if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(value(item)));
            return items;
        }
        return value;
    }
}
