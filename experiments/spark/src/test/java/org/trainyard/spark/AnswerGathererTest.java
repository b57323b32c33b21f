package org.trainyard.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trainyard.env.InputException;

class AnswerGathererTest {
    private final List<String> taken = new ArrayList<>();
    private int stops;
    private final AnswerGatherer gatherer =
            new AnswerGatherer((number, answer) -> taken.add(number + ":" + answer[0]), () -> stops++);

    private static SparkAnswer answer(int value) {
        return SparkAnswer.of(new byte[] {(byte) value});
    }

    @Test
    void answers_are_handed_on_in_the_order_in_which_they_come() {
        gatherer.apply(2, answer(7));
        gatherer.apply(0, answer(5));

        assertThat(taken).containsExactly("2:7", "0:5");
        assertThat(stops).isZero();
        assertThatCode(gatherer::throwFirst).doesNotThrowAnyException();
    }

    @Test
    void a_failure_stops_the_job_and_that_of_the_first_task_is_thrown() {
        gatherer.apply(3, SparkAnswer.failed(new IllegalStateException("late")));
        gatherer.apply(1, SparkAnswer.failed(new InputException("no such file")));
        gatherer.apply(2, answer(7));

        assertThat(stops).isEqualTo(2);
        assertThat(taken).containsExactly("2:7");
        assertThatThrownBy(gatherer::throwFirst)
                .isInstanceOf(InputException.class)
                .hasMessage("no such file");
    }

    @Test
    void an_answer_that_cannot_be_kept_stops_the_job() {
        AnswerGatherer full = new AnswerGatherer(
                (number, answer) -> {
                    throw new IllegalStateException("disk full");
                },
                () -> stops++);
        full.apply(0, answer(1));

        assertThat(stops).isEqualTo(1);
        assertThatThrownBy(full::throwFirst).hasMessage("disk full");
    }
}
