package org.trainyard.env.workload.trace.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trainyard.env.InputException;

class HostListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n1 | n1",
                "n[08-11] | n08 n09 n10 n11",
                "a1,b[2-3,7] | a1 b2 b3 b7",
                "r[1-2]n[1-2] | r1n1 r1n2 r2n1 r2n2",
                "n[1]-ib | n1-ib"
            })
    void a_list_is_its_hosts_in_order(String text, String hosts) {
        assertThat(HostList.expand("nodes", text)).containsExactly(hosts.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"n[1-2", "n1]", "n]1[", "n[a-b]", "n[]", "n[1-9999999999]", "n[0-999999]m[0-1]"})
    void what_is_no_list_is_refused(String text) {
        assertThatThrownBy(() -> HostList.expand("nodes", text))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("nodes: '");
    }
}
