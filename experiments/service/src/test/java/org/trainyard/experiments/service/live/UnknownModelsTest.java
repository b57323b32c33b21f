package org.trainyard.experiments.service.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnknownModelsTest {
    private static final String REST =
            " stands for it in predicted interference, as for others that trainyard_unknown_models counts; --interference-model none expects no interference";

    @Test
    void the_first_job_whose_model_is_not_known_is_said_with_what_stands_for_it() {
        UnknownModels unknown = new UnknownModels(true);

        assertThat(unknown.count("a", "none such"))
                .isEqualTo("job a has a model that the catalogue lacks (none such): the mean of its models" + REST);
        assertThat(unknown.count("b", null)).isNull();
        assertThat(unknown.jobs()).isEqualTo(2);
        assertThat(new UnknownModels(true).count("b", null))
                .isEqualTo("job b names no model: one that is drawn by its group or user" + REST);
        assertThat(new UnknownModels(true).count("b\nc", null)).doesNotContain("\n");
    }

    @Test
    void where_no_interference_is_expected_models_do_not_matter_and_are_counted_alone() {
        UnknownModels unknown = new UnknownModels(false);

        assertThat(unknown.count("a", null)).isNull();
        assertThat(unknown.jobs()).isOne();
    }
}
