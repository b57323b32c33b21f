package org.trainyard.gnn;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The plain PyTorch program in {@code src/test/python}: writes what it reads, and starts it. */
final class TorchReference {
    private static final Path PROGRAM = Path.of("src", "test", "python", "encoder.py");

    private TorchReference() {}

    /** A Python with torch and NumPy: what {@code TRAINYARD_PYTHON} names, or python3; null when it has neither. */
    static @Nullable String python() {
        String python = System.getenv().getOrDefault("TRAINYARD_PYTHON", "python3");
        try {
            Process process = new ProcessBuilder(python, "-c", "import numpy, torch")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0) {
                return python;
            }
            process.destroy();
            return null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    static ProcessBuilder program(String python, String... arguments) {
        List<String> command = new ArrayList<>(List.of(python, program().toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static Path program() {
        Path root = Path.of(System.getProperty("trainyard.root", ".."));
        return root.resolve("gnn").resolve(PROGRAM);
    }

    /** Writes weights and rows as the program reads them. */
    static void write(Path file, Parameters parameters, Sections rows, int rounds) throws IOException {
        try (NDManager scope = parameters.newScope();
                OutputStream out = Files.newOutputStream(file)) {
            NDList all = new NDList();
            for (String name : parameters.names()) {
                add(all, name, scope, parameters.get(name));
            }
            add(all, "gpus", scope, rows.gpus());
            add(all, "servers", scope, rows.servers());
            add(all, "jobs", scope, rows.jobs());
            add(all, "focus", scope, rows.focus());
            add(all, "domains", scope, rows.domains());
            add(all, "links", scope, rows.links());
            add(all, "parents", scope, rows.parents());
            add(all, "global", scope, rows.global());
            add(all, "shape", scope, scope.create(new float[] {rows.sockets(), rows.gpusPerSocket(), rounds}));
            all.encode(out, NDList.Encoding.NPZ);
        }
    }

    private static void add(NDList all, String name, NDManager scope, NDArray array) {
        NDArray copy = scope.create(array.toFloatArray(), array.getShape());
        copy.setName(name);
        all.add(copy);
    }
}
