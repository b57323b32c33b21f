package org.trainyard.experiments.gym;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.experiments.io.AtomicFiles;

/**
 * A Python that has loaded a file with schedulers and listens for their runs. When its standard input ends, also by the
 * end of this program, it ends with all that it has started.
 */
final class PythonProcess {
    private static final String PYTHON = "TRAINYARD_PYTHON";
    private static final String PATH = "PYTHONPATH";

    private final Process process;
    private final Path socket;
    private final JsonNode about;

    private PythonProcess(Process process, Path socket, JsonNode about) {
        this.process = process;
        this.socket = socket;
        this.about = about;
    }

    /** Starts it for {@code FILE} or {@code FILE:NAME}. */
    static PythonProcess start(String named) {
        return start(
                named,
                Objects.requireNonNullElse(System.getenv(PYTHON), "python3"),
                Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Starts it.
     *
     * @param temporary folder in which it gets one of its own, of which nothing is left where it does not start
     */
    static PythonProcess start(String named, String python, Path temporary) {
        try {
            Path folder = Files.createTempDirectory(temporary, "trainyard");
            try {
                return inFolder(folder, named, python);
            } catch (IOException | RuntimeException e) {
                AtomicFiles.deleteTree(folder);
                throw e;
            }
        } catch (IOException e) {
            throw InputException.at(PYTHON, python, "a Python of version 3.9 or later (%s)".formatted(e.getMessage()));
        }
    }

    private static PythonProcess inFolder(Path folder, String named, String python) throws IOException {
        Path socket = folder.resolve("runs.sock");
        ProcessBuilder builder = new ProcessBuilder(python, "-m", "trainyard._scheduler_runs", named, socket.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        addPackage(builder.environment());
        Process process = builder.start();
        try {
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            JsonNode about = answer(line);
            if (!about.has("sha256") && !about.has("refused")) {
                throw new InputException(
                        "python:%s: '%s' did not start: expected a Python of version 3.9 or later that finds the package trainyard"
                                .formatted(named, python));
            }
            if (about.has("refused")) {
                throw new InputException(about.path("refused").asText());
            }
            return new PythonProcess(process, socket, about);
        } catch (IOException | RuntimeException e) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
            throw e;
        }
    }

    /** The program's answer on the file; empty where it is another program than expected. */
    private static JsonNode answer(@Nullable String line) {
        try {
            return new ObjectMapper().readTree(line == null ? "{}" : line);
        } catch (JsonProcessingException other) {
            return JsonNodeFactory.instance.objectNode();
        }
    }

    /** The package of the source tree or of the wheel that this program is of, for a Python that has none. */
    private static void addPackage(Map<String, String> variables) {
        Path root = Path.of(System.getProperty("trainyard.root", "."))
                .toAbsolutePath()
                .normalize();
        List<String> folders = new ArrayList<>();
        if (variables.get(PATH) != null) {
            folders.add(variables.get(PATH));
        }
        Stream.of(
                        root.resolve("experiments/python/src/main/python"),
                        root.resolve("../..").normalize())
                .filter(folder -> Files.isRegularFile(folder.resolve("trainyard/scheduling.py")))
                .map(Path::toString)
                .forEach(folders::add);
        if (!folders.isEmpty()) {
            variables.put(PATH, String.join(File.pathSeparator, folders));
        }
    }

    String description() {
        return about.path("description").asText();
    }

    /** Actions and inputs of the scheduler. Predicted run times it may always read. */
    Flag[] flags() {
        Set<Flag> flags = EnumSet.of(Flag.WHOLE_GPUS_ONLY, Flag.NEEDS_PREDICTIONS, Flag.NETWORK_AWARE);
        if (about.path("preempts").asBoolean()) {
            flags.add(Flag.PREEMPTIVE);
        }
        return flags.toArray(new Flag[0]);
    }

    /** A line with the hash of the file. */
    String described(String name) {
        return "%s (SHA-256 %s): %s"
                .formatted(
                        name, about.path("sha256").asText(), about.path("name").asText());
    }

    /** A connection for one run. */
    SocketChannel connect() {
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException("the Python of a scheduler has ended", e);
        }
    }

    /** Ends the process and removes its socket. */
    void close() {
        try {
            process.getOutputStream().close();
            process.waitFor();
            Files.deleteIfExists(socket);
            Files.deleteIfExists(Objects.requireNonNull(socket.getParent()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
