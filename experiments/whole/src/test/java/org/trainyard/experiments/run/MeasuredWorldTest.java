package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.InputException;
import org.trainyard.env.performance.InterferenceModel;
import org.trainyard.env.workload.ModelProfile;
import org.trainyard.env.workload.generator.ModelCatalog;
import org.trainyard.experiments.Shell;
import org.trainyard.interference.data.Scope;
import org.trainyard.interference.fit.MeasuredModels;
import org.trainyard.interference.measured.MeasuredInterference;
import org.trainyard.interference.measured.MeasuredWorld;

/** A world of measurements whose schedulers believe in measurements of other architectures. */
class MeasuredWorldTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", "."));
    private static final Path DATA = ROOT.resolve("../shared/data");
    private static final Path DEEPSHARE = DATA.resolve("deepshare/shared_thp_ratio.csv");
    private static final Path MINSKY = DATA.resolve("topo_aware_minsky/prof_from_experiments_full.json.gz");
    private static final Set<Scope> WHOLE_GPUS = Set.of(Scope.SERVER, Scope.SOCKET, Scope.NIC);

    @TempDir
    private static Path folder;

    private static MeasuredInterference world = new MeasuredInterference(List.of());

    /** The commands of experiments/docs/science/interference.md, with the fastest model. */
    @BeforeAll
    static void fit() {
        assumeThat(DATA)
                .as("the data pack with the measurements is not beside this checkout")
                .isDirectory();
        fit("truth", "dlrm,moe,mobilenetv3,alexnet,googlenet", DEEPSHARE, MINSKY);
        fit("belief", "fsdp,transformerxl,graphsage", DEEPSHARE);
        world = (MeasuredInterference)
                MeasuredWorld.read(folder.resolve("truth/measurements.csv")).model();
    }

    private static void fit(String name, String architectures, Path... data) {
        Shell shell = Shell.run(Stream.concat(
                        Stream.of(
                                "fit",
                                "interference",
                                "--model",
                                "pressure",
                                "--architectures",
                                architectures,
                                "--out",
                                folder.resolve(name).toString()),
                        Stream.of(data).flatMap(file -> Stream.of("--data", file.toString())))
                .toArray(String[]::new));
        assertThat(shell.code()).as(shell.err()).isZero();
    }

    private static TruthMismatch mismatch(InterferenceModel belief) {
        return TruthMismatch.between(belief, world, WHOLE_GPUS);
    }

    @Test
    void a_cell_runs_in_it_and_says_how_far_its_belief_is() {
        Shell shell = Shell.command(
                "evaluate %s --set %s --set %s --set episodes.jobs=40 --set episodes.test=5 --schedulers sjf,lif",
                ROOT.resolve("experiments/configs/auction/from-scratch.yaml"),
                "physics.interference={type: Measured, file: %s}".formatted(folder.resolve("truth/measurements.csv")),
                "belief=" + folder.resolve("belief"));

        assertThat(shell.code()).as(shell.err()).isZero();
        assertThat(shell.out()).contains("belief) is not what", "ranks correlate by");
    }

    @Test
    void other_architectures_say_something_but_less_than_the_shipped_belief_of_the_same_campaign() {
        TruthMismatch other = mismatch(new MeasuredModels().read(folder.resolve("belief")));
        TruthMismatch shipped = mismatch(new MeasuredModels().shipped());

        assertThat(other.highestRank()).isBetween(0.2, shipped.highestRank());
        assertThat(shipped.highestRank()).isLessThan(Beliefs.SAME_ORDER);
        Beliefs.requireNotTruth("belief", "belief", other);
        Beliefs.requireNotTruth("belief", "shipped", shipped);
    }

    @Test
    void its_own_law_cannot_be_believed() {
        TruthMismatch itself = mismatch(world);

        assertThatThrownBy(() -> Beliefs.requireNotTruth("belief", "world", itself))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("truth itself");
    }

    /** All of DeepShare's architectures but one are missing in the catalogue of the simulator. */
    @Test
    void architectures_that_the_catalogue_lacks_count_in_interpolations() {
        Set<Double> slowdowns = new HashSet<>();
        for (ModelProfile victim : ModelCatalog.standard().profiles()) {
            for (ModelProfile neighbour : ModelCatalog.standard().profiles()) {
                slowdowns.add(world.pair(victim, neighbour, MeasuredInterference.Shared.NIC));
            }
        }
        ModelProfile heavy = Objects.requireNonNull(ModelCatalog.standard().find("bert"));
        ModelProfile light = Objects.requireNonNull(ModelCatalog.standard().find("mobilenetv2"));

        assertThat(slowdowns).hasSizeGreaterThan(50);
        assertThat(world.pair(heavy, heavy, MeasuredInterference.Shared.NIC))
                .isGreaterThan(world.pair(light, light, MeasuredInterference.Shared.NIC) + 0.1);
    }

    @Test
    void an_architecture_that_was_not_measured_is_refused_with_those_that_were() {
        Shell shell = Shell.command(
                "fit interference --data %s --architectures moe,vgg16 --out %s", DEEPSHARE, folder.resolve("none"));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err().lines())
                .singleElement()
                .asString()
                .contains("--architectures", "'vgg16'", "dlrm, fsdp, graphsage, mobilenetv3, moe, transformerxl");
    }
}
