package org.trainyard.agents;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test that holds for every seed: run once per seed, and the name of a failing run shows its seed. The default build
 * tries eight, the thorough one 24.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "seed {0}")
@MethodSource("org.trainyard.agents.ForSeeds$Seeds#all")
public @interface ForSeeds {
    /** The seeds from 1 on. */
    final class Seeds {
        private Seeds() {}

        static LongStream all() {
            return LongStream.rangeClosed(1, Integer.getInteger("trainyard.seeds", 8));
        }
    }
}
