package org.trainyard.experiments.config.yaml;

import java.util.Locale;

/** Names of record components in YAML. */
public final class YamlNames {
    private YamlNames() {}

    /** {@code maxHops} becomes {@code max_hops}. */
    public static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
