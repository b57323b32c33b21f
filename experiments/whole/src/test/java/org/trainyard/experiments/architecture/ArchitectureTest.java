package org.trainyard.experiments.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import ai.djl.ndarray.NDArray;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.trainyard.env.workload.Workload;

/**
 * The dependencies between modules, and what code below {@code experiments} must not call; {@link RoomsTest} has the
 * packages.
 */
class ArchitectureTest {
    private static final String ENV = "org.trainyard.env..";
    private static final String INTERFERENCE = "org.trainyard.interference..";
    private static final String GNN = "org.trainyard.gnn..";
    private static final String AGENTS = "org.trainyard.agents..";
    private static final String EXPERIMENTS = "org.trainyard.experiments..";

    @Test
    void the_environment_knows_no_other_module() {
        check(noClasses()
                .that()
                .resideInAPackage(ENV)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERFERENCE, GNN, AGENTS, EXPERIMENTS, "ai.djl..", "org.nd4j.."));
    }

    @Test
    void agents_and_encoders_never_see_the_interference_models() {
        check(noClasses()
                .that()
                .resideInAnyPackage(AGENTS, GNN)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERFERENCE, EXPERIMENTS));
    }

    @Test
    void encoders_do_not_know_agents() {
        check(noClasses()
                .that()
                .resideInAPackage(GNN)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(AGENTS));
    }

    @Test
    void interference_models_know_only_the_environment() {
        check(noClasses()
                .that()
                .resideInAPackage(INTERFERENCE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(GNN, AGENTS, EXPERIMENTS));
    }

    @Test
    void nothing_below_the_experiments_reads_the_clock() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(EXPERIMENTS)
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethodWhere(calls("now", Instant.class, LocalDate.class, LocalDateTime.class, ZonedDateTime.class))
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class));
    }

    @Test
    void nothing_below_the_experiments_prints() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(EXPERIMENTS)
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err"));
    }

    @Test
    void nothing_below_the_experiments_draws_at_random_without_a_named_stream() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(EXPERIMENTS)
                .should()
                .callConstructor(Random.class)
                .orShould()
                .callConstructor(SplittableRandom.class)
                .orShould()
                .callMethodWhere(calls("current", ThreadLocalRandom.class))
                .orShould()
                .callMethodWhere(calls("random", Math.class))
                .orShould()
                .callMethodWhere(calls("randomUUID", java.util.UUID.class)));
    }

    @Test
    void only_the_environment_asks_for_true_work() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "org.trainyard.env.simulation..",
                        "org.trainyard.env.performance..",
                        "org.trainyard.env.workload..")
                .should()
                .callMethod(Workload.class, "trueIterations", int.class)
                .orShould()
                .callMethod(Workload.class, "trueIdealSeconds", int.class));
    }

    /** DJL keeps such a number in a Java buffer that may be collected before the backward pass reads it. */
    @Test
    void no_tensor_is_multiplied_with_a_number() {
        check(noClasses()
                .should()
                .callMethod(NDArray.class, "mul", Number.class)
                .orShould()
                .callMethod(NDArray.class, "div", Number.class)
                .orShould()
                .callMethod(NDArray.class, "pow", Number.class));
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String method, Class<?>... owners) {
        Set<Class<?>> classes = Set.of(owners);
        return DescribedPredicate.describe(
                "%s of %s".formatted(method, classes),
                access -> access.getTarget().getName().equals(method)
                        && classes.stream()
                                .anyMatch(owner -> access.getTargetOwner().isEquivalentTo(owner)));
    }

    private static void check(ArchRule rule) {
        // A module that is still empty breaks no rule.
        rule.allowEmptyShould(true).check(ProgramClasses.ALL);
    }
}
