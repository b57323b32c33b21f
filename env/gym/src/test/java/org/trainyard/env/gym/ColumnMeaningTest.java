package org.trainyard.env.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trainyard.env.Column;
import org.trainyard.env.ColumnMeaning;
import org.trainyard.env.gym.auction.BidColumn;
import org.trainyard.env.gym.auction.NodeColumn;

class ColumnMeaningTest {
    static Stream<Column> columns() {
        return Stream.<Column[]>of(BidColumn.values(), NodeColumn.values()).flatMap(Arrays::stream);
    }

    @ParameterizedTest
    @MethodSource("columns")
    void every_column_says_what_it_is(Column column) {
        ColumnMeaning meaning = column.meaning();
        assertThat(meaning.text()).matches("[A-Z0-9][^{}@]*\\.");
        boolean isFlag = meaning.unit().equals("flag");
        assertThat(meaning.scale().equals("1 or 0")).isEqualTo(isFlag);
        assertThat(isFlag || meaning.scale().matches(".*(x|SPEED).*")).isTrue();
    }

    @Test
    void a_meaning_without_a_unit_is_refused() {
        assertThatThrownBy(() -> new ColumnMeaning(" ", "x", "Text.")).isInstanceOf(IllegalArgumentException.class);
    }
}
