package org.trainyard.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LabelledTest {
    private enum Shape implements Labelled {
        ROUND,
        SPLIT_ROWS
    }

    @Test
    void a_label_is_in_lower_case_with_hyphens() {
        assertThat(Shape.SPLIT_ROWS.label()).isEqualTo("split-rows");
        assertThat(Labelled.parse(Shape.class, "split-rows")).isEqualTo(Shape.SPLIT_ROWS);
        assertThat(Labelled.parse(Shape.class, "split_rows")).isNull();
        assertThat(Labelled.parse(Shape.class, "ROUND")).isNull();
    }

    @Test
    void a_name_is_found_in_any_case_and_another_is_refused_with_all_labels() {
        assertThat(Labelled.named("--shape", Shape.class, "Round")).isEqualTo(Shape.ROUND);
        assertThatThrownBy(() -> Labelled.named("--shape", Shape.class, "flat"))
                .hasMessage("--shape: 'flat' is not valid: expected round, split-rows");
    }
}
