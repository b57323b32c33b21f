package org.trainyard.env.scheduling.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.topology.Fabric;
import org.trainyard.env.topology.GpuType;
import org.trainyard.env.topology.ServerSpec;
import org.trainyard.env.topology.Topology;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;

class GpuSpeedsTest {
    private static final ModelProfile LSTM =
            Objects.requireNonNull(ModelCatalog.standard().find("lstm"));
    private static final ModelProfile BERT =
            Objects.requireNonNull(ModelCatalog.standard().find("bert"));

    private static Topology of(GpuType... types) {
        List<ServerSpec> servers = new ArrayList<>();
        for (GpuType type : types) {
            servers.add(new ServerSpec(type, 1, 2, false));
        }
        return new Topology.Builder("types", Fabric.DEFAULT).rack(servers).build();
    }

    @Test
    void a_model_measured_on_all_types_has_its_own_speeds_and_others_the_data_sheet() {
        GpuSpeeds speeds = new GpuSpeeds(of(GpuType.K80, GpuType.P100, GpuType.V100));

        assertThat(speeds.of(0, LSTM)).isCloseTo(0.214, within(1e-12));
        assertThat(speeds.of(1, LSTM)).isCloseTo(0.749, within(1e-12));
        assertThat(speeds.of(2, LSTM)).isEqualTo(1);
        assertThat(speeds.speedUp(LSTM)).isCloseTo(1 / 0.214, within(1e-9));
        assertThat(List.of(speeds.of(0, BERT), speeds.of(1, BERT), speeds.of(2, BERT)))
                .containsExactly(speeds.of(0), speeds.of(1), speeds.of(2))
                .containsExactly(0.2, 0.6, 1.0);
    }

    @Test
    void a_model_measured_on_some_types_only_has_the_speeds_of_the_data_sheet() {
        GpuSpeeds speeds = new GpuSpeeds(of(GpuType.P100, GpuType.A100));

        assertThat(speeds.of(0, LSTM)).isEqualTo(speeds.of(0)).isEqualTo(0.3);
        assertThat(speeds.of(1, LSTM)).isEqualTo(1);
    }

    @Test
    void the_fastest_gpus_are_those_on_which_the_model_trains_fastest() {
        ModelCatalog measured =
                ModelCatalog.standard().withSpeeds(Map.of("lstm", Map.of("V100", 1.0, "A100", 3.0, "K80", 1.5)));
        GpuSpeeds speeds = new GpuSpeeds(of(GpuType.K80, GpuType.V100));

        assertThat(speeds.of(0, Objects.requireNonNull(measured.find("LM")))).isEqualTo(1);
        assertThat(speeds.of(1, Objects.requireNonNull(measured.find("lstm")))).isCloseTo(2 / 3.0, within(1e-12));
    }
}
