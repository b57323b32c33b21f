package org.trainyard.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command on clusters of processes of this machine. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SparkFleetTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root"));
    private static final Path BUILT = ROOT.resolve("experiments/app/target");
    private static final Path HOME = ROOT.resolve("experiments/spark/target/home");
    private static final int RUNS = 12;
    private static final String SWEEP = """
        name: seeds
        config: %s/experiments/configs/auction/scratch.yaml
        train: false
        set: [episodes.jobs=150, episodes.test=2, 'schedulers=[sjf, tiresias, patient]']
        keys: [{type: Values, key: seed, values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}]
        search: {type: Grid}
        """.formatted(ROOT);

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end_all_processes() throws InterruptedException {
        for (Process process : started) {
            kill(process);
        }
    }

    /** As a machine does that is switched off: the process and those that it started. */
    private static void kill(Process process) throws InterruptedException {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }

    private Process java(String log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(log + ".log").toFile());
        builder.environment().put("SPARK_HOME", HOME.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Process sweep(String name, String... options) throws IOException {
        Files.writeString(folder.resolve("seeds.yaml"), SWEEP);
        return trainyard(name, Stream.concat(Stream.of("sweep", "seeds.yaml", "--out", name), Stream.of(options)));
    }

    private Process trainyard(String name, Stream<String> arguments) throws IOException {
        String classPath = String.join(
                File.pathSeparator,
                BUILT.resolve("trainyard.jar").toString(),
                Files.readString(BUILT.resolve("class-path.txt")).trim());
        return java(
                name,
                Stream.concat(
                                Stream.of(
                                        "-cp", classPath, "-Dtrainyard.root=" + ROOT, "org.trainyard.experiments.Main"),
                                arguments)
                        .toList());
    }

    private String results(String name, Process sweep) throws IOException, InterruptedException {
        assertThat(sweep.waitFor()).withFailMessage(() -> log(name)).isZero();
        return Files.readString(folder.resolve(name).resolve("results.csv"));
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name + ".log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Process spark(String name, String... arguments) throws IOException {
        return java(
                name,
                Stream.concat(
                                Stream.of("-cp", HOME.resolve("jars") + "/*", "org.apache.spark.deploy." + name),
                                Stream.of(arguments))
                        .toList());
    }

    private Process worker(String name, String master) throws IOException {
        return spark(
                "worker.Worker",
                "--host",
                "127.0.0.1",
                "--cores",
                "1",
                "--memory",
                "1g",
                "--webui-port",
                "0",
                "--work-dir",
                folder.resolve(name).toString(),
                master);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(20);
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private long answers(String name) {
        try (Stream<Path> files = Files.list(folder.resolve(name).resolve("runs"))) {
            return files.filter(file -> file.toString().endsWith(".json")).count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static boolean hasExecutor(Process worker) {
        return worker.descendants().findAny().isPresent();
    }

    @Test
    void a_sweep_has_the_same_results_on_threads_on_a_cluster_and_when_a_machine_of_it_is_lost() throws Exception {
        String threads = results("threads", sweep("threads"));
        assertThat(threads.lines()).hasSize(1 + 3 * RUNS);
        assertThat(results("local", sweep("local", "--on", "local-cluster[2,1,1024]")))
                .isEqualTo(threads);

        int port = freePort();
        String address = "spark://127.0.0.1:" + port;
        spark("master.Master", "--host", "127.0.0.1", "--port", String.valueOf(port), "--webui-port", "0");
        await(() -> listens(port));
        Process lost = worker("lost", address);
        worker("kept", address);
        Process sweep = sweep("standalone", "--on", address);
        await(() -> !sweep.isAlive() || (answers("standalone") > 0 && hasExecutor(lost)));
        kill(lost);
        assertThat(answers("standalone"))
                .withFailMessage(() -> log("standalone"))
                .isBetween(1L, RUNS - 1L);
        assertThat(results("standalone", sweep)).isEqualTo(threads);
        assertThat(log("standalone")).contains("Lost executor");
    }
}
