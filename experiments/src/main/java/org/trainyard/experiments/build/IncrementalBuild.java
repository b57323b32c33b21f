package org.trainyard.experiments.build;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * Puts the Java files and resources that changed since the launcher's last build into its jars, which are replaced once
 * all is compiled. A process of its own, on the JDK alone.
 *
 * <p>It ends with 0 when all is built, with 2 when a file does not compile, and with 3 when a change is of another kind,
 * for which Maven builds all.
 */
public final class IncrementalBuild {
    private static final int DOES_NOT_COMPILE = 2;
    private static final int NEEDS_MAVEN = 3;
    private static final int ERRORS_SHOWN = 5;

    private final Path target;
    private final ChangedSources sources;
    private final PrintStream err;

    private IncrementalBuild(Path target, ChangedSources sources, PrintStream err) {
        this.target = target;
        this.sources = sources;
        this.err = err;
    }

    /** Arguments: the root of the checkout; lists by cksum of the sources as they were built, and as they are. */
    public static void main(String[] args) throws IOException {
        System.exit(run(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]), System.err));
    }

    static int run(Path root, Path built, Path listed, PrintStream err) throws IOException {
        Path target = root.resolve("experiments/target/launcher");
        ChangedSources sources = ChangedSources.read(root, target.resolve("changed"), built, listed);
        return new IncrementalBuild(target, sources, err).build(built);
    }

    private int build(Path built) throws IOException {
        if (ToolProvider.getSystemJavaCompiler() == null || !sources.areClassesAndResources()) {
            return NEEDS_MAVEN;
        }
        delete(sources.work());
        Files.createDirectories(sources.work());
        List<Path> classPath = libraries();
        Map<Path, Path> replaced = new LinkedHashMap<>();
        ChangedTypes types = new ChangedTypes();
        for (Map.Entry<String, Path> module : takeModules(classPath).entrySet()) {
            Path jar = module.getValue();
            ModuleBuild build = new ModuleBuild(sources, module.getKey(), jar, types, classPath);
            switch (build.run()) {
                case NEEDS_MAVEN -> {
                    return NEEDS_MAVEN;
                }
                case DOES_NOT_COMPILE -> {
                    report(build.errors());
                    return DOES_NOT_COMPILE;
                }
                case BUILT -> build.replacement().ifPresent(replacement -> replaced.put(jar, replacement));
            }
            classPath.add(0, replaced.getOrDefault(jar, jar));
        }
        // Without a list of what is built Maven builds next, so a build that is killed from here on leaves no half
        // behind.
        Files.delete(built);
        for (Map.Entry<Path, Path> jar : replaced.entrySet()) {
            Files.move(jar.getValue(), jar.getKey(), StandardCopyOption.ATOMIC_MOVE);
        }
        delete(sources.work());
        return 0;
    }

    private void report(List<Diagnostic<? extends JavaFileObject>> errors) {
        for (Diagnostic<? extends JavaFileObject> error : errors.subList(0, Math.min(errors.size(), ERRORS_SHOWN))) {
            URI file = error.getSource() == null
                    ? sources.root().toUri()
                    : error.getSource().toUri();
            String message = error.getMessage(null).strip().replaceAll("\\s+", " ");
            err.println(sources.root().relativize(Path.of(file)) + ":" + error.getLineNumber() + ": " + message);
        }
        err.printf("trainyard: the sources do not compile (errors: %d)%n", errors.size());
    }

    private List<Path> libraries() throws IOException {
        List<Path> libraries = new ArrayList<>();
        try (JarFile jar = new JarFile(target.resolve("trainyard.jar").toFile())) {
            String entries = jar.getManifest().getMainAttributes().getValue("Class-Path");
            for (String entry : entries.split(" ", 0)) {
                libraries.add(target.resolve(entry));
            }
        }
        try (Stream<Path> ofFits = Files.list(target.resolve("fit"))) {
            ofFits.forEach(libraries::add);
        }
        return libraries;
    }

    /** The modules in the order of their build with their jars, which are taken from the libraries. */
    private Map<String, Path> takeModules(List<Path> libraries) throws IOException {
        Map<String, Path> jars = new LinkedHashMap<>();
        Matcher modules = Pattern.compile("<module>([^</]+)</module>")
                .matcher(Files.readString(sources.root().resolve("pom.xml")));
        while (modules.find()) {
            String prefix = modules.group(1) + "-";
            jars.put(
                    modules.group(1),
                    libraries.stream()
                            .filter(jar -> jar.getFileName().toString().startsWith(prefix))
                            .findFirst()
                            .orElse(target.resolve("trainyard.jar")));
        }
        libraries.removeAll(jars.values());
        return jars;
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
