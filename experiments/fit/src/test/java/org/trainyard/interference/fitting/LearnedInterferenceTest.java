package org.trainyard.interference.fitting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.trainyard.env.performance.Colocation;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.interference.data.ArchitectureResources;
import org.trainyard.interference.data.JobType;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.fit.FittedInterference;
import org.trainyard.interference.fit.LearnedInterference;
import org.trainyard.interference.fit.ModelKind;
import org.trainyard.interference.model.Pair;

/** What the simulator is told of two jobs is what the fitted model says of that pair, that way round. */
class LearnedInterferenceTest {
    private static final ModelProfile HEAVY = profile("dlrm");
    private static final ModelProfile LIGHT = profile("resnet50");
    private static final FittedInterference FITTED = InterferenceFit.fit(
                    SyntheticTable.of(1), new InterferenceFit.Order(ModelKind.PRESSURE, List.of(), 1, 1), step -> {})
            .fitted();

    private static ModelProfile profile(String name) {
        return Objects.requireNonNull(ModelCatalog.standard().find(name));
    }

    private static JobType type(ModelProfile profile) {
        return new JobType(
                profile.name(), ArchitectureResources.canonical(profile.name()), ArchitectureResources.of(profile));
    }

    private static double fitted(ModelProfile victim, ModelProfile neighbour, Scope scope) {
        Pair pair = new Pair(type(victim), type(neighbour), Objects.requireNonNull(FITTED.domain(scope)));
        return 1 / FITTED.model(scope).ratios(List.of(pair))[0];
    }

    private static double told(ModelProfile victim, ModelProfile neighbour, boolean gpu, boolean socket, boolean nic) {
        Colocation place = new Colocation();
        place.reset(8, 4, nic);
        place.add(neighbour, 4, nic, socket, gpu);
        return new LearnedInterference(FITTED).slowdown(victim, place);
    }

    @Test
    void each_of_two_types_is_slowed_as_the_pair_says_that_has_it_as_victim() {
        assertThat(fitted(HEAVY, LIGHT, Scope.GPU)).isNotCloseTo(fitted(LIGHT, HEAVY, Scope.GPU), within(1e-3));
        for (ModelProfile victim : List.of(HEAVY, LIGHT)) {
            ModelProfile neighbour = victim.equals(HEAVY) ? LIGHT : HEAVY;
            assertThat(told(victim, neighbour, true, false, false)).isEqualTo(fitted(victim, neighbour, Scope.GPU));
            assertThat(told(victim, neighbour, false, false, true)).isEqualTo(fitted(victim, neighbour, Scope.NIC));
        }
    }

    /** The table has no pairs on a socket. */
    @Test
    void a_scope_without_measurements_slows_nobody_and_scopes_multiply() {
        assertThat(told(HEAVY, LIGHT, false, true, false)).isEqualTo(1);
        assertThat(told(HEAVY, LIGHT, true, true, true))
                .isEqualTo(fitted(HEAVY, LIGHT, Scope.GPU) * fitted(HEAVY, LIGHT, Scope.NIC));
    }

    @Test
    void several_neighbours_multiply() {
        Colocation place = new Colocation();
        place.reset(8, 2, false);
        place.add(LIGHT, 1, false, false, true);
        place.add(HEAVY, 1, false, false, true);
        place.add(HEAVY, 1, false, false, false);

        assertThat(new LearnedInterference(FITTED).slowdown(LIGHT, place))
                .isEqualTo(fitted(LIGHT, LIGHT, Scope.GPU) * fitted(LIGHT, HEAVY, Scope.GPU));
    }
}
