package org.trainyard.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line as a process of its own, which can be killed. */
public final class TrainyardProcess {
    private TrainyardProcess() {}

    /** @param log where its output is appended */
    public static Process start(Path log, List<String> args) throws IOException {
        return start(List.of(), log, System.getProperty("java.class.path"), args);
    }

    /** The same on another class path. */
    public static Process start(Path log, String classPath, List<String> args) throws IOException {
        return start(List.of(), log, classPath, args);
    }

    /**
     * The same, started by another command.
     *
     * @param by the words before those of the command itself
     */
    public static Process start(List<String> by, Path log, String classPath, List<String> args) throws IOException {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                "-Dtrainyard.root="
                        + Path.of(System.getProperty("trainyard.root", "..")).toAbsolutePath(),
                "-Dai.djl.offline=true",
                "-Dai.djl.pytorch.num_threads=1",
                "-Dai.djl.pytorch.num_interop_threads=1",
                Main.class.getName()));
        command.addAll(args);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }
}
