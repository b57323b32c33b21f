package org.trainyard.experiments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trainyard.env.workload.Workload;

/** Who may know whom, as the design draws it. */
class ArchitectureTest {
    private static final String ENV = "org.trainyard.env..";
    private static final String INTERFERENCE = "org.trainyard.interference..";
    private static final String GNN = "org.trainyard.gnn..";
    private static final String AGENTS = "org.trainyard.agents..";
    private static final String EXPERIMENTS = "org.trainyard.experiments..";
    private static final JavaClasses PROGRAM = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.trainyard");

    @Test
    void the_environment_knows_nobody() {
        check(noClasses()
                .that()
                .resideInAPackage(ENV)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERFERENCE, GNN, AGENTS, EXPERIMENTS, "ai.djl..", "org.nd4j.."));
    }

    @Test
    void minds_and_eyes_never_see_the_interference_models() {
        check(noClasses()
                .that()
                .resideInAnyPackage(AGENTS, GNN)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERFERENCE, EXPERIMENTS));
    }

    @Test
    void eyes_know_no_minds() {
        check(noClasses()
                .that()
                .resideInAPackage(GNN)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(AGENTS));
    }

    @Test
    void interference_models_know_the_environment_alone() {
        check(noClasses()
                .that()
                .resideInAPackage(INTERFERENCE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(GNN, AGENTS, EXPERIMENTS));
    }

    @ParameterizedTest
    @CsvSource({
        "topology, workload",
        "topology, performance",
        "topology, simulation",
        "topology, gym",
        "workload, performance",
        "workload, simulation",
        "workload, gym",
        "performance, simulation",
        "performance, gym",
        "simulation, gym",
        "topology, scheduling",
        "workload, scheduling",
        "performance, scheduling",
        "simulation, scheduling",
        "scheduling, gym",
        "gym.domain, gym.action",
        "gym.action, gym.observation"
    })
    void inside_the_environment_the_inner_never_knows_the_outer(String inner, String outer) {
        check(noClasses()
                .that()
                .resideInAPackage("org.trainyard.env." + inner + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.trainyard.env." + outer + ".."));
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
    void nobody_outside_the_world_asks_for_true_work() {
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
        rule.allowEmptyShould(true).check(PROGRAM);
    }
}
