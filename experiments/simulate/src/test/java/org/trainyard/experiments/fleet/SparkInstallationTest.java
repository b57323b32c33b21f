package org.trainyard.experiments.fleet;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;

class SparkInstallationTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"local", "local[2]", "yarn", "spark://host", "local-cluster[2,1]", "local-cluster[0,1,1024]", ""
            })
    void other_masters_are_refused(String master) {
        assertThatThrownBy(() -> SparkInstallation.connect("--on", master))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("--on")
                .hasMessageContaining("expected spark://HOST:PORT, or local-cluster[EXECUTORS,CORES,MEGABYTES]");
    }

    @Test
    @DisabledIfEnvironmentVariable(named = "SPARK_HOME", matches = ".*")
    void without_spark_the_message_says_how_to_get_it() {
        assertThatThrownBy(() -> SparkInstallation.connect("--on", "spark://127.0.0.1:7077"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("spark://127.0.0.1:7077")
                .hasMessageContaining("./trainyard");
    }
}
