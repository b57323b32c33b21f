package org.trainyard.experiments.mutants;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles a class with a fault, puts it ahead of the built classes, and runs the tests that must notice. */
final class MutantTrial {
    /** What came of it. */
    enum Outcome {
        /** A test failed, or none ended within two minutes. */
        KILLED,
        /** All tests passed. */
        SURVIVED,
        /** The code has moved on: the old text is gone, or the faulty class does not compile, or a test is gone. */
        STALE
    }

    /** @param note the first line of the failure, or why it is stale */
    record Result(Outcome outcome, String note) {}

    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final int MINUTES = 2;
    private final Path folder;

    /** @param folder for classes and output */
    MutantTrial(Path folder) {
        this.folder = folder;
    }

    Result run(Mutant mutant) throws IOException, InterruptedException {
        List<Path> sources = files("main", mutant.type());
        if (sources.size() != 1) {
            return new Result(Outcome.STALE, "no class " + mutant.type());
        }
        String mutated = mutant.apply(Files.readString(sources.get(0)));
        if (mutated == null) {
            return new Result(Outcome.STALE, "the old text does not stand once in " + mutant.type());
        }
        Path source = Files.writeString(folder.resolve(mutant.type() + ".java"), mutated);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        if (!compiles(source, classes)) {
            return new Result(Outcome.STALE, "does not compile: " + Files.readString(folder.resolve("javac")));
        }
        List<String> names = new ArrayList<>();
        Path module = ROOT;
        for (String test : mutant.tests()) {
            String type = test.replaceAll("#.*", "");
            List<Path> found = files("test", type);
            if (found.size() != 1) {
                return new Result(Outcome.STALE, "no test class " + type);
            }
            Path relative = ROOT.relativize(found.get(0));
            int depth = 1;
            while (!relative.getName(depth).toString().equals("src")) {
                depth++;
            }
            // Tests of experiments run beside the configs.
            module =
                    ROOT.resolve(relative.startsWith("experiments") ? relative.getName(0) : relative.subpath(0, depth));
            names.add(relative.subpath(depth + 3, relative.getNameCount())
                            .toString()
                            .replace(".java", "")
                            .replace(File.separatorChar, '.')
                    + test.substring(type.length()));
        }
        return test(classes, module, names);
    }

    /** The Java files of this name below the sources of all modules. */
    private static List<Path> files(String kind, String type) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> folders = Files.walk(ROOT, 2)) {
            for (Path module : folders.toList()) {
                Path sources = module.resolve("src").resolve(kind).resolve("java");
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.filter(file -> file.endsWith(type + ".java")).forEach(found::add);
                    }
                }
            }
        }
        return found;
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private boolean compiles(Path source, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (var out = Files.newOutputStream(folder.resolve("javac"))) {
            return compiler.run(
                            null,
                            out,
                            out,
                            "-proc:none",
                            "-nowarn",
                            "-g",
                            "-d",
                            classes.toString(),
                            "-cp",
                            classPath(),
                            source.toString())
                    == 0;
        }
    }

    private Result test(Path classes, Path module, List<String> tests) throws IOException, InterruptedException {
        Stream<String> tested = Stream.of(classPath().split(File.pathSeparator))
                .filter(entry -> Path.of(entry).endsWith("classes"))
                .map(entry -> Path.of(entry).resolveSibling("test-classes").toString());
        String path = Stream.of(Stream.of(classes.toString()), tested, Stream.of(classPath()))
                .flatMap(parts -> parts)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-Dai.djl.offline=true",
                "-Dtrainyard.root=" + ROOT.toAbsolutePath(),
                "-cp",
                path,
                FirstFailure.class.getName()));
        command.addAll(tests);
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(module.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            return new Result(Outcome.KILLED, "no end within %d minutes".formatted(MINUTES));
        }
        return switch (process.exitValue()) {
            case 0 -> new Result(Outcome.SURVIVED, "");
            case FirstFailure.FAILED -> new Result(Outcome.KILLED, lastLines(output));
            default -> new Result(Outcome.STALE, lastLines(output));
        };
    }

    private static String lastLines(Path output) {
        try {
            String text = Files.readString(output, StandardCharsets.ISO_8859_1).strip();
            return text.substring(Math.max(0, text.length() - 400));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
