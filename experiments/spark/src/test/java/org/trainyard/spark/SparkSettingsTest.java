package org.trainyard.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The settings of Spark that a user gives as system properties. */
class SparkSettingsTest {
    private static final String OPTIONS = "spark.executor.extraJavaOptions";
    private static final String AUTHENTICATE = "spark.authenticate";

    @AfterEach
    void clear() {
        System.clearProperty(OPTIONS);
        System.clearProperty(AUTHENTICATE);
    }

    @Test
    void options_of_executors_that_the_user_gives_stand_before_ours() {
        System.setProperty(OPTIONS, "-Dmine=1");

        assertThat(SparkFleet.settings("spark://127.0.0.1:7077").get(OPTIONS))
                .startsWith("-Dmine=1 ")
                .contains("\"-Dtrainyard.directory=");
    }

    @Test
    void without_options_of_the_user_executors_have_ours_alone() {
        assertThat(SparkFleet.settings("spark://127.0.0.1:7077").get(OPTIONS)).startsWith("\"-D");
    }

    @Test
    void authentication_is_what_the_user_says() {
        System.setProperty(AUTHENTICATE, "true");
        SparkConf settings = SparkFleet.settings("spark://127.0.0.1:7077");

        assertThat(settings.get(AUTHENTICATE)).isEqualTo("true");
    }
}
