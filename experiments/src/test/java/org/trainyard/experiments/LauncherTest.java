package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.experiments.cli.Trainyard;

/** The launcher in a made-up checkout whose path has a space, with made-up Java and Maven. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final String BASH = Files.exists(Path.of("/bin/bash")) ? "/bin/bash" : "/usr/bin/bash";
    private static final String JAVA_17 =
            "echo 'openjdk version \"17.0.1\" 2021' >&2; [ \"$1\" = -version ] || echo \"ran: $*\"";

    @TempDir
    private Path directory;

    private Path checkout;
    private Path tools;

    @BeforeEach
    void makes_a_checkout_and_tools() throws IOException {
        checkout = Files.createDirectories(directory.resolve("a checkout"));
        tools = Files.createDirectories(directory.resolve("tools"));
        Files.copy(Path.of(System.getProperty("trainyard.root"), "trainyard"), checkout.resolve("trainyard"));
        Files.createDirectories(checkout.resolve("experiments/src/main"));
        Files.createFile(checkout.resolve("pom.xml"));
        for (String tool :
                List.of("dirname", "sed", "head", "find", "mkdir", "touch", "mv", "rm", "cat", "readlink", "sleep")) {
            Path found = List.of("/usr/bin/", "/bin/").stream()
                    .map(folder -> Path.of(folder + tool))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            tool(tool, "exec %s \"$@\"".formatted(found));
        }
    }

    @Test
    void without_java_it_asks_for_a_jdk() throws Exception {
        assertThat(launch(2)).containsOnlyOnce("\n").contains("needs a JDK, version 17 or later");
    }

    @Test
    void a_java_home_without_java_is_named() throws Exception {
        assertThat(launchWith("JAVA_HOME", "/no/such/folder"))
                .containsOnlyOnce("\n")
                .contains("needs a JDK, version 17 or later: '/no/such/folder/bin/java' was not found");
    }

    @Test
    void an_old_java_is_named() throws Exception {
        tool("java", "echo 'java version \"1.8.0_202\"' >&2");

        assertThat(launch(2)).containsOnlyOnce("\n").contains("needs a JDK, version 17 or later", "is version 8");
    }

    @Test
    void a_runtime_without_a_compiler_does_not_build() throws Exception {
        tool("java", JAVA_17);

        assertThat(launch(2)).containsOnlyOnce("\n").contains("needs a JDK to build", "javac");
    }

    @Test
    void without_maven_it_asks_for_maven() throws Exception {
        tool("java", JAVA_17);
        tool("javac", "true");

        assertThat(launch(2)).containsOnlyOnce("\n").contains("needs Maven 3.8 or later");
    }

    @Test
    void an_old_maven_is_named() throws Exception {
        tool("java", JAVA_17);
        tool("javac", "true");
        tool("mvn", "echo 'Apache Maven 3.6.3 (abc)'");

        assertThat(launch(2)).containsOnlyOnce("\n").contains("needs Maven 3.8 or later", "is version 3.6");
    }

    @Test
    void a_build_that_fails_names_its_log() throws Exception {
        tool("java", JAVA_17);
        tool("javac", "true");
        tool("mvn", "[ \"$1\" = -v ] && echo 'Apache Maven 3.9.1' || { echo broken; exit 1; }");

        assertThat(launch(1)).contains("the build failed", "build.log");
        assertThat(checkout.resolve(".trainyard/build.log")).hasContent("broken");
        assertThat(checkout.resolve(".trainyard/build.lock")).doesNotExist();
    }

    @Test
    void it_builds_once_and_again_when_a_source_is_newer() throws Exception {
        tool("java", JAVA_17);
        tool("javac", "true");
        tool("mvn", """
            [ "$1" = -v ] && echo 'Apache Maven 3.9.1' && exit
            echo '[INFO] Building Trainyard 0.1.0-SNAPSHOT                     [1/6]'
            echo '[INFO] Building Trainyard: env 0.1.0-SNAPSHOT                [2/6]'
            echo '[INFO] Building jar: env.jar'
            mkdir -p experiments/target/launcher; touch experiments/target/launcher/trainyard.jar
            """);

        assertThat(launch(0, "list", "a b").lines())
                .filteredOn(line -> !line.startsWith("openjdk version"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Building Trainyard (first use"),
                        line -> assertThat(line).isEqualTo("Building Trainyard: env (1 of 5)..."),
                        line -> assertThat(line).endsWith("trainyard.jar list a b"));
        assertThat(launch(0)).doesNotContain("Building");
        Path stamp = checkout.resolve("experiments/target/launcher/launcher.stamp");
        Files.setLastModifiedTime(
                stamp, FileTime.fromMillis(Files.getLastModifiedTime(stamp).toMillis() - 60_000));
        assertThat(launch(0)).contains("Building Trainyard (its sources changed)");
    }

    /** A checkout that Maven built, with a Java whose builds of changes end with the code in {@code java.code}. */
    private Path builtWithChangingJava() throws Exception {
        Files.createDirectories(checkout.resolve(".mvn"));
        Files.createDirectories(checkout.resolve("experiments/src/main/resources"));
        Path source = Files.createDirectories(checkout.resolve("experiments/src/main/java"))
                .resolve("A.java");
        Files.writeString(source, "old");
        Files.createFile(checkout.resolve("experiments/pom.xml"));
        tool("cksum", "exec /usr/bin/cksum \"$@\"");
        tool("renice", "true");
        tool("javac", "true");
        tool("java", JAVA_17 + """
            ; case "$*" in *IncrementalBuild*)
              echo "built $(cat "$0.code")"; exit $(cat "$0.code")
            esac
            """);
        tool("mvn", """
            [ "$1" = -v ] && echo 'Apache Maven 3.9.1' && exit
            mkdir -p experiments/target/launcher; touch experiments/target/launcher/trainyard.jar
            """);
        launch(0);
        Path stamp = checkout.resolve("experiments/target/launcher/launcher.stamp");
        Files.setLastModifiedTime(
                stamp, FileTime.fromMillis(Files.getLastModifiedTime(stamp).toMillis() - 60_000));
        Files.writeString(source, "new");
        return tools.resolve("java.code");
    }

    @Test
    void a_change_is_built_without_maven_and_its_command_without_an_archive_of_classes() throws Exception {
        Files.writeString(builtWithChangingJava(), "0");

        assertThat(launch(0, "list"))
                .contains("Building Trainyard (what changed)", "built 0", "trainyard.jar list")
                .doesNotContain("its sources changed", "-Xshare");
        assertThat(launch(0)).doesNotContain("Building", "-Xshare");
    }

    @Test
    void a_change_that_does_not_compile_runs_nothing_and_is_built_when_it_is_mended() throws Exception {
        Path code = Files.writeString(builtWithChangingJava(), "2");

        assertThat(launch(2, "list")).contains("built 2").doesNotContain("its sources changed", "trainyard.jar list");
        assertThat(checkout.resolve(".trainyard/build.lock")).doesNotExist();
        Files.writeString(code, "0");
        assertThat(launch(0, "list")).contains("built 0", "trainyard.jar list");
    }

    @Test
    void an_interrupted_build_runs_nothing_and_a_change_of_another_kind_is_for_maven() throws Exception {
        Path code = Files.writeString(builtWithChangingJava(), "130");

        assertThat(launch(130, "list")).doesNotContain("its sources changed", "trainyard.jar list");
        Files.writeString(code, "3");
        assertThat(launch(0, "list")).contains("built 3", "Building Trainyard (its sources changed)");
    }

    @Test
    void the_first_command_on_machines_builds_with_spark_and_the_next_does_not() throws Exception {
        tool("java", JAVA_17 + "; echo \"home $SPARK_HOME\"");
        tool("javac", "true");
        tool("mvn", """
            [ "$1" = -v ] && echo 'Apache Maven 3.9.1' && exit
            echo "$@" >> "$0.calls"
            mkdir -p experiments/target/launcher; touch experiments/target/launcher/trainyard.jar
            """);
        Path calls = tools.resolve("mvn.calls");

        launch(0, "list");
        assertThat(calls).content().contains("-Plauncher package").doesNotContain("spark");
        assertThat(launch(0, "sweep", "--on", "spark://somewhere:7077"))
                .contains(
                        "Building Trainyard (first use of --on",
                        "home " + checkout,
                        "experiments/spark/target/launcher/home");
        assertThat(calls).content().contains("-Plauncher,spark package");
        assertThat(launch(0, "sweep", "--on=spark://somewhere:7077")).doesNotContain("Building");
        assertThat(launch(0, "list")).doesNotContain("Building");
    }

    @Test
    void a_distribution_runs_without_a_compiler_or_maven_and_has_the_libraries_of_fits_for_fits_alone()
            throws Exception {
        tool("java", JAVA_17);
        Files.delete(checkout.resolve("pom.xml"));
        Files.createFile(checkout.resolve("trainyard.jar"));

        assertThat(launch(0, "list", "a b")).contains("-jar " + checkout + "/trainyard.jar list a b");
        assertThat(launch(0, "fit", "runtime"))
                .contains("-cp %1$s/trainyard.jar:%1$s/fit/* org.trainyard.experiments.Main fit runtime"
                        .formatted(checkout));
        assertThat(launch(2, "sweep", "--on", "spark://somewhere:7077"))
                .containsOnlyOnce("\n")
                .contains("needs Spark, which this distribution leaves out");
        tool("java", "echo 'java version \"1.8.0_202\"' >&2");
        assertThat(launch(2)).contains("needs Java, version 17 or later");
    }

    /**
     * A built checkout whose Java lists the classes of a run and writes an archive of classes when it is asked to;
     * {@code java.dumps} gets a line for each archive and {@code java.classes} the list of its classes.
     */
    private void builtWithArchivingJava() throws IOException {
        Files.createDirectories(checkout.resolve("experiments/target/launcher"));
        Files.createFile(checkout.resolve("experiments/target/launcher/trainyard.jar"));
        Files.createFile(checkout.resolve("experiments/target/launcher/launcher.stamp"));
        tool("java", JAVA_17 + """
            ; case "$*" in *-Xshare:dump* | *-Xshare:off*)
              for option in "$@"; do
                case "$option" in
                  -XX:DumpLoadedClassList=*) printf 'A id: 0\\nB id: 1\\nC id: 2 super: 0 source: c\\n' > "${option#*=}" ;;
                  -XX:SharedClassListFile=*) cat "${option#*=}" > "$0.classes" ;;
                  -XX:SharedArchiveFile=*) echo classes > "${option#*=}"; echo dump >> "$0.dumps" ;;
                esac
              done
            esac
            """);
    }

    @Test
    void the_classes_of_a_java_machine_are_kept_by_its_first_command_and_shared_by_the_next() throws Exception {
        builtWithArchivingJava();

        assertThat(launch(0, "list")).contains("-XX:SharedArchiveFile=", "trainyard.jar list");
        assertThat(launch(0, "list")).contains("-XX:SharedArchiveFile=");
        assertThat(tools.resolve("java.dumps")).hasContent("dump");
        try (Stream<Path> kept = Files.list(checkout.resolve("experiments/target/launcher/classes-of-java"))) {
            assertThat(kept).hasSize(1);
        }
    }

    @Test
    void the_first_gym_does_not_wait_for_the_archive_of_classes() throws Exception {
        builtWithArchivingJava();

        assertThat(launch(0, "gym", "some.yaml")).doesNotContain("-XX:SharedArchiveFile=");

        Path archives = checkout.resolve("experiments/target/launcher/classes-of-java");
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> awaitOneArchive(archives));
        assertThat(launch(0, "gym", "some.yaml")).contains("-XX:SharedArchiveFile=");
    }

    @Test
    void the_gym_asks_for_large_pages_where_linux_gives_them_on_request() throws Exception {
        builtWithArchivingJava();
        Path pages = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        boolean isOnRequest = Files.isReadable(pages) && Files.readString(pages).contains("[madvise]");
        String option = "-XX:+UseTransparentHugePages";

        // The training comes first: it waits for the archive of classes, which a gym leaves to a process beside it.
        assertThat(launch(0, "train", "some.yaml")).doesNotContain(option);
        assertThat(launch(0, "gym", "some.yaml").contains(option)).isEqualTo(isOnRequest);
    }

    private static void awaitOneArchive(Path archives) throws IOException {
        List<Path> kept;
        do {
            Thread.onSpinWait();
            try (Stream<Path> files = Files.list(archives)) {
                kept = files.toList();
            }
        } while (kept.size() != 1 || !kept.get(0).toString().endsWith(".jsa"));
    }

    @Test
    void lists_of_classes_are_joined_without_the_numbers_of_their_runs() throws Exception {
        builtWithArchivingJava();

        launch(0, "list");

        assertThat(tools.resolve("java.classes")).hasContent("A\nB\nA\nB\nA\nB\nA\nB");
    }

    @Test
    void classes_of_plugins_are_verified_and_those_of_the_archive_only_once() throws Exception {
        builtWithArchivingJava();

        assertThat(launch(0, "list")).contains("-XX:-BytecodeVerificationRemote");
        assertThat(launch(0, "list", "--plugin", "some.jar")).doesNotContain("Verification");
        assertThat(launch(0, "train")).doesNotContain("Verification");
    }

    @Test
    void only_commands_that_may_take_a_minute_get_the_optimising_compiler() throws Exception {
        builtWithArchivingJava();
        Path small = Files.writeString(directory.resolve("small.csv"), "job");
        Path middle = Files.writeString(directory.resolve("middle.csv"), "job\n".repeat(1_000_000));
        Path large = directory.resolve("large.csv");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(20L << 20);
        }

        String quick = "-XX:TieredStopAtLevel=1";
        assertThat(launch(0, "list")).contains(quick);
        assertThat(launch(0, "simulate", "--trace", small.toString())).contains(quick);
        assertThat(launch(0, "simulate", "--trace=generated", "--jobs=99999")).contains(quick);
        String late = "-XX:Tier4InvocationThreshold=1000000";
        assertThat(launch(0, "simulate", "--trace=generated", "--jobs=100000"))
                .contains(late, "-XX:+UseSerialGC")
                .doesNotContain(quick);
        assertThat(launch(0, "simulate", "--trace", middle.toString()))
                .contains(late)
                .doesNotContain(quick);
        assertThat(launch(0, "simulate", "--trace", large.toString())).doesNotContain(quick);
        assertThat(launch(0, "simulate", "--trace=" + large)).doesNotContain(quick);
        assertThat(launch(0, "simulate", "--jobs", "1000000")).doesNotContain(quick);
        assertThat(launch(0, "train")).doesNotContain(quick);
    }

    @Test
    void commands_of_tenths_of_a_second_inline_less_than_those_of_seconds() throws Exception {
        builtWithArchivingJava();
        Path small = Files.writeString(directory.resolve("small.csv"), "job");
        Path middle = Files.writeString(directory.resolve("middle.csv"), "job\n".repeat(50_000));

        String inlining = "-XX:C1MaxInlineSize=";
        assertThat(launch(0, "simulate", "--trace", small.toString())).contains(inlining);
        assertThat(launch(0, "simulate", "--jobs", "1000")).contains(inlining);
        assertThat(launch(0, "simulate", "--trace", middle.toString()))
                .contains("-XX:TieredStopAtLevel=1")
                .doesNotContain(inlining);
        assertThat(launch(0, "simulate", "--jobs", "10000")).doesNotContain(inlining);
    }

    private void tool(String name, String script) throws IOException {
        Path file = Files.writeString(tools.resolve(name), "#!" + BASH + "\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String launch(int code, String... args) throws IOException, InterruptedException {
        return launch(code, Map.of(), args);
    }

    private String launchWith(String variable, String value) throws IOException, InterruptedException {
        return launch(2, Map.of(variable, value));
    }

    private String launch(int code, Map<String, String> environment, String... args)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(BASH, checkout.resolve("trainyard").toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put("PATH", tools.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(code);
        return said;
    }
}
