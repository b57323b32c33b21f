package org.trainyard.env.binding;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.trainyard.env.InputException;

/** Applies overrides of the form {@code a.b=value} to YAML that was read from a file. */
public final class Overrides {
    private Overrides() {}

    /** @param type of the configuration, whose {@link OptionalKey optional keys} may be missing from the file */
    public static void apply(Yaml root, List<String> overrides, Class<? extends Record> type) {
        Set<String> optional = new TreeSet<>();
        addOptional(type, "", optional);
        for (String override : overrides) {
            apply(root, override, optional);
        }
    }

    private static void addOptional(Class<?> type, String path, Set<String> optional) {
        for (RecordKeys.Key key : RecordKeys.of(type).all()) {
            String at = key.isUnwrapped() ? path : Binder.join(path, key.name());
            if (key.optional() != null) {
                optional.add(at);
            } else if (key.component().getType().isRecord()) {
                addOptional(key.component().getType(), at, optional);
            }
        }
    }

    private static void apply(Yaml root, String override, Set<String> optional) {
        String place = "--set " + override.lines().findFirst().orElse("");
        int equals = override.indexOf('=');
        if (equals < 1) {
            throw new InputException("%s: expected PATH=VALUE, such as seed=7".formatted(place));
        }
        String[] keys = override.substring(0, equals).strip().split("\\.", -1);
        Yaml at = root;
        String path = "";
        for (int i = 0; i < keys.length; i++) {
            if (!(at instanceof Yaml.Mapping mapping)) {
                throw new InputException("%s: '%s' is a value and has no key '%s'".formatted(place, path, keys[i]));
            }
            // Another type may have keys that the type in the file lacks; the binder checks them.
            boolean isLast = i == keys.length - 1;
            boolean mayBeNew =
                    mapping.entries().containsKey(Yaml.TYPE) || optional.contains(Binder.join(path, keys[i]));
            if (!mapping.entries().containsKey(keys[i]) && !(isLast && mayBeNew)) {
                throw Binder.unknown(
                        place, path, keys[i], new TreeSet<>(mapping.entries().keySet()));
            }
            if (isLast) {
                mapping.entries().put(keys[i], YamlReader.readValue(place, valueOf(override, equals)));
                mapping.keyPlaces().put(keys[i], place);
            } else {
                at = mapping.entries().get(keys[i]);
                path = Binder.join(path, keys[i]);
            }
        }
    }

    private static String valueOf(String override, int equals) {
        String value = override.substring(equals + 1);
        // An empty value is empty text rather than an empty document.
        return value.isBlank() ? "''" : value;
    }
}
