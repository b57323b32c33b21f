package org.trainyard.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

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
        Files.createFile(checkout.resolve("pom.xml"));
        for (String tool : List.of(
                "cat", "dirname", "find", "head", "mkdir", "mv", "nice", "readlink", "rm", "sed", "sort", "touch")) {
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
    void a_build_that_fails_names_its_errors_and_its_log_and_gives_the_lock_back() throws Exception {
        tool("java", JAVA_17);
        tool("javac", "true");
        tool("mvn", """
            [ "$1" = -v ] && echo 'Apache Maven 3.9.1' && exit
            echo '[ERROR] /env/A.java:[3,5] cannot find symbol'
            echo '[ERROR] /env/A.java:[3,5] cannot find symbol'
            exit 1
            """);

        assertThat(launch(1, "list"))
                .containsOnlyOnce("\n/env/A.java:[3,5] cannot find symbol")
                .contains("the build failed", "build.log")
                .doesNotContain("ran:");
        assertThat(checkout.resolve(".trainyard/build.log")).content().startsWith("[ERROR]");
        assertThat(checkout.resolve(".trainyard/build.lock")).doesNotExist();
    }

    @Test
    void it_builds_once_and_again_when_a_source_of_a_module_is_newer() throws Exception {
        tool("java", JAVA_17);
        tool("javac", "true");
        tool("mvn", """
            [ "$1" = -v ] && echo 'Apache Maven 3.9.1' && exit
            echo '[INFO] Building Trainyard 0.1.0-SNAPSHOT                     [1/6]'
            echo '[INFO] Building Trainyard: env 0.1.0-SNAPSHOT                [2/6]'
            echo '[INFO] Building jar: env.jar'
            mkdir -p experiments/app/target/launcher; touch experiments/app/target/launcher/trainyard.jar
            """);

        assertThat(launch(0, "list", "a b").lines())
                .filteredOn(line -> !line.startsWith("openjdk version"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Building Trainyard (first use"),
                        line -> assertThat(line).isEqualTo("Building Trainyard: env (1 of 5)..."),
                        line -> assertThat(line).endsWith("trainyard.jar list a b"));
        newer("env/world/src/test/java/ATest.java");
        assertThat(launch(0)).doesNotContain("Building");
        for (String source :
                List.of("gnn/src/main/java/A.java", "env/world/src/main/java/A.java", "env/logs/pom.xml")) {
            Path changed = newer(source);
            assertThat(launch(0)).contains("Building Trainyard (its sources changed)");
            Files.delete(changed);
        }
    }

    /** A file that changes in a minute, so after any build of the test. */
    private Path newer(String file) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        Files.setLastModifiedTime(
                Files.writeString(path, "new"), FileTime.from(Instant.now().plusSeconds(60)));
        return path;
    }

    @Test
    void the_first_command_on_machines_builds_with_spark_and_the_next_does_not() throws Exception {
        tool("java", JAVA_17 + "; echo \"home $SPARK_HOME\"");
        tool("javac", "true");
        tool("mvn", """
            [ "$1" = -v ] && echo 'Apache Maven 3.9.1' && exit
            echo "$@" >> "$0.calls"
            mkdir -p experiments/app/target/launcher; touch experiments/app/target/launcher/{trainyard.jar,launcher.changed}
            case "$*" in *spark*)
              mkdir -p experiments/spark/target/launcher/home/jars
              touch experiments/spark/target/launcher/home/jars/trainyard-spark.jar
            esac
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
    void a_distribution_runs_without_a_compiler_or_maven_and_has_the_libraries_of_fits_where_one_may_be_fitted()
            throws Exception {
        tool("java", JAVA_17);
        Files.delete(checkout.resolve("pom.xml"));
        Files.createFile(checkout.resolve("trainyard.jar"));

        assertThat(launch(0, "list", "a b")).contains("-jar " + checkout + "/trainyard.jar list a b");
        assertThat(launch(0, "train", "c.yaml"))
                .contains("-cp %1$s/trainyard.jar:%1$s/fit/* org.trainyard.experiments.Main train c.yaml"
                        .formatted(checkout));
        assertThat(launch(2, "sweep", "--on", "spark://somewhere:7077"))
                .containsOnlyOnce("\n")
                .contains("needs Spark, which this distribution leaves out");
        tool("java", "echo 'java version \"1.8.0_202\"' >&2");
        assertThat(launch(2)).contains("needs Java, version 17 or later");
    }

    /** DJL and ONNX Runtime would tell their makers. */
    @Test
    void libraries_send_nothing_about_their_use() throws Exception {
        built();
        tool("java", JAVA_17 + "; echo \"tells: $OPT_OUT_TRACKING $ORT_DISABLE_TELEMETRY\"");

        assertThat(launch(0, "list")).contains("tells: true 1");
    }

    @Test
    void names_of_files_beyond_ascii_can_be_opened_in_every_locale() throws Exception {
        built();
        tool("java", JAVA_17 + "; echo \"locale: $LC_ALL\"");

        assertThat(launch(0, "list")).contains("locale: C.UTF-8");
        assertThat(launch(0, Map.of("LANG", "C"), "list")).contains("locale: C.UTF-8");
        assertThat(launch(0, Map.of("LC_ALL", "POSIX"), "list")).contains("locale: C.UTF-8");
        assertThat(launch(0, Map.of("LANG", "de_DE.UTF-8"), "list")).doesNotContain("locale: C.UTF-8");
    }

    /** A checkout whose changed sources were built just now, and the file that tells so. */
    private Path built() throws IOException {
        tool("java", JAVA_17);
        Path folder = Files.createDirectories(checkout.resolve("experiments/app/target/launcher"));
        Files.createFile(folder.resolve("launcher.stamp"));
        Files.createFile(folder.resolve("trainyard.jar"));
        return Files.createFile(folder.resolve("launcher.changed"));
    }

    /**
     * A checkout that was built for the first time, whose Java lists the classes of a run and writes an archive of
     * classes when it is asked to; {@code java.dumps} gets a line for each archive and {@code java.classes} the list of
     * its classes.
     */
    private void builtWithArchivingJava() throws IOException {
        Files.delete(built());
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
    void the_classes_of_a_java_machine_are_archived_beside_the_first_command_and_shared_by_the_next() throws Exception {
        builtWithArchivingJava();

        assertThat(launch(0, "list")).doesNotContain("-XX:SharedArchiveFile=").contains("trainyard.jar list");
        assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> awaitOneArchive(checkout.resolve("experiments/app/target/launcher/classes-of-java")));
        assertThat(launch(0, "list")).contains("-XX:SharedArchiveFile=", "-XX:-BytecodeVerificationRemote");
        assertThat(launch(0, "list", "--plugin", "some.jar"))
                .contains("-XX:SharedArchiveFile=")
                .doesNotContain("Verification");
        assertThat(tools.resolve("java.dumps")).hasContent("dump");
        assertThat(tools.resolve("java.classes")).hasContent("A\nB\n".repeat(8).strip());
    }

    @Test
    void no_archive_is_made_while_sources_change() throws Exception {
        builtWithArchivingJava();
        Path launcher = checkout.resolve("experiments/app/target/launcher");
        Path changed = Files.createFile(launcher.resolve("launcher.changed"));

        assertThat(launch(0, "list")).contains("trainyard.jar list");
        assertThat(launcher.resolve("classes-of-java")).doesNotExist();
        Files.setLastModifiedTime(changed, FileTime.from(Instant.now().minusSeconds(3_600)));
        launch(0, "list");
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> awaitOneArchive(launcher.resolve("classes-of-java")));
    }

    @Test
    void the_gym_asks_for_large_pages_where_linux_gives_them_on_request() throws Exception {
        built();
        Path pages = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        boolean isOnRequest = Files.isReadable(pages) && Files.readString(pages).contains("[madvise]");
        String option = "-XX:+UseTransparentHugePages";

        assertThat(launch(0, "train", "some.yaml")).doesNotContain(option);
        assertThat(launch(0, "gym", "some.yaml").contains(option)).isEqualTo(isOnRequest);
    }

    private static void awaitOneArchive(Path archives) throws IOException, InterruptedException {
        List<Path> kept = List.of();
        while (kept.size() != 1 || !kept.get(0).toString().endsWith(".jsa")) {
            Thread.sleep(10);
            if (Files.isDirectory(archives)) {
                try (Stream<Path> files = Files.list(archives)) {
                    kept = files.toList();
                }
            }
        }
    }

    @Test
    void only_commands_that_may_take_longer_get_the_optimising_compiler() throws Exception {
        built();
        Path small = Files.writeString(directory.resolve("small.csv"), "job");
        Path large = directory.resolve("large.csv");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(3L << 20);
        }

        String quick = "-XX:TieredStopAtLevel=1";
        String serial = "-XX:+UseSerialGC";
        assertThat(launch(0, "list")).contains(quick, serial);
        assertThat(launch(0, "train", "--help")).contains(quick, serial);
        assertThat(launch(0, "simulate", "--trace", small.toString(), "--jobs=99999"))
                .contains(quick, serial);
        assertThat(launch(0, "simulate", "--jobs=100000")).contains(serial).doesNotContain(quick);
        assertThat(launch(0, "simulate", "--jobs", "1000000")).doesNotContain(quick);
        assertThat(launch(0, "simulate", "--trace=" + large)).doesNotContain(quick);
        assertThat(launch(0, "inspect", large.toString())).doesNotContain(quick);
        assertThat(launch(0, "train")).contains("-XX:+UseParallelGC").doesNotContain(quick);
        assertThat(launch(0, Map.of("TRAINYARD_JAVA_OPTS", "-XX:+UseZGC"), "list"))
                .contains("-XX:+UseZGC")
                .doesNotContain(serial);
    }

    private void tool(String name, String script) throws IOException {
        // Beside it, then renamed: a command of the test may still run the one before.
        Path file = Files.writeString(tools.resolve(name + ".new"), "#!" + BASH + "\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(file, tools.resolve(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
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
