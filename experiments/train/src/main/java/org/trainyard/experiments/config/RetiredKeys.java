package org.trainyard.experiments.config;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.trainyard.env.binding.Yaml;

/**
 * Keys of the section {@code learner} that nothing reads any more. Configs beside older checkpoints still have them, so
 * a single value of such a key is passed over, with one warning for each key; anything else is an unknown key.
 */
final class RetiredKeys {
    private static final Logger LOG = LoggerFactory.getLogger(RetiredKeys.class);
    private static final List<String> OF_LEARNER = List.of("critic", "teachers");
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private RetiredKeys() {}

    static void remove(Yaml root) {
        if (!(root instanceof Yaml.Mapping all) || !(all.entries().get("learner") instanceof Yaml.Mapping learner)) {
            return;
        }
        for (String key : OF_LEARNER) {
            if (learner.entries().get(key) instanceof Yaml.Scalar value) {
                learner.entries().remove(key);
                if (SAID.add(key)) {
                    LOG.warn("{}: key 'learner.{}' is not read any more", value.place(), key);
                }
            }
        }
    }
}
