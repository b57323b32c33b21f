package org.trainyard.experiments.build;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the changed files of a module, then those that read a changed type, and so on until no further type changes,
 * and packs the classes and the changed resources into a copy of the module's jar.
 */
final class ModuleBuild {
    /** Those of the profile "launcher" in pom.xml. */
    private static final List<String> OPTIONS =
            List.of("-nowarn", "-g", "-parameters", "-proc:none", "--release", "17", "-XDstringConcat=inline");

    /** How the build of a module ends. */
    enum Outcome {
        BUILT,
        DOES_NOT_COMPILE,
        NEEDS_MAVEN
    }

    private final ChangedSources sources;
    private final String name;
    private final Path jar;
    private final ChangedTypes types;
    private final List<Path> classPath;

    /** The sources by their outermost type. */
    private final Map<String, Path> files = new TreeMap<>();

    /** The outermost types that are compiled, or are no more. */
    private final Set<String> stale = new TreeSet<>();

    /** The changed resources by their place in the jar, which not all have any more. */
    private final Map<String, Path> resources = new TreeMap<>();

    private final Map<String, byte[]> classes = new HashMap<>();
    private List<Diagnostic<? extends JavaFileObject>> errors = List.of();
    private @Nullable Path replacement;

    ModuleBuild(ChangedSources sources, String name, Path jar, ChangedTypes types, List<Path> classPath) {
        this.sources = sources;
        this.name = name;
        this.jar = jar;
        this.types = types;
        this.classPath = classPath;
        String java = name + ChangedSources.JAVA;
        sources.below(java, sources.all())
                .filter(file -> file.endsWith(".java"))
                .forEach(file -> files.put(withoutSuffix(file), sources.root().resolve(java + file)));
        sources.below(java, sources.changed())
                .filter(file -> file.endsWith(".java"))
                .forEach(file -> stale.add(withoutSuffix(file)));
        String packed = name + ChangedSources.RESOURCES;
        sources.below(packed, sources.changed())
                .forEach(file -> resources.put(file, sources.root().resolve(packed + file)));
    }

    private static String withoutSuffix(String file) {
        return file.substring(0, file.lastIndexOf('.'));
    }

    /** The type in whose file a type is declared. */
    private static String outermost(String type) {
        int end = type.indexOf('$', type.lastIndexOf('/'));
        return end < 0 ? type : type.substring(0, end);
    }

    /** What takes the place of the jar; none when nothing changed. */
    Optional<Path> replacement() {
        return Optional.ofNullable(replacement);
    }

    /** Why the module does not compile. */
    List<Diagnostic<? extends JavaFileObject>> errors() {
        return errors;
    }

    Outcome run() throws IOException {
        if (stale.isEmpty() && resources.isEmpty() && types.isEmpty()) {
            return Outcome.BUILT;
        }
        try (FileSystem entries = FileSystems.newFileSystem(jar)) {
            classes.putAll(classesIn(entries.getPath("/")));
        }
        stale.addAll(affected());
        Path compiled = sources.work().resolve(name);
        boolean isWidened = false;
        for (int before = -1; before != stale.size(); stale.addAll(affected())) {
            before = stale.size();
            errors = compile(compiled);
            if (errors.isEmpty()) {
                types.compare(interfaces(classes), interfaces(classesIn(compiled)));
            } else if (isWidened || !widen()) {
                return Outcome.DOES_NOT_COMPILE;
            } else {
                isWidened = true;
            }
        }
        boolean isOneTypeAFile = classes.keySet().stream()
                        .map(ModuleBuild::outermost)
                        .allMatch(type -> files.containsKey(type) || stale.contains(type))
                && classesIn(compiled).keySet().stream()
                        .map(ModuleBuild::outermost)
                        .allMatch(stale::contains);
        if (!isOneTypeAFile) {
            return Outcome.NEEDS_MAVEN;
        }
        if (!stale.isEmpty() || !resources.isEmpty()) {
            replacement = pack(compiled);
        }
        return Outcome.BUILT;
    }

    /** Of two changed files one may need a third as it becomes when compiled with the other. */
    private boolean widen() throws IOException {
        stale.forEach(type -> types.addName(type.substring(type.lastIndexOf('/') + 1)));
        return !stale.containsAll(affected());
    }

    private Set<String> affected() throws IOException {
        Set<String> affected = new TreeSet<>();
        if (!types.isEmpty()) {
            for (Map.Entry<String, byte[]> type : classes.entrySet()) {
                String text = new String(type.getValue(), StandardCharsets.ISO_8859_1);
                if (!affected.contains(outermost(type.getKey())) && types.mayBeReadBy(text)) {
                    affected.add(outermost(type.getKey()));
                }
            }
            affected.retainAll(files.keySet());
            for (Map.Entry<String, Path> file : files.entrySet()) {
                if (!affected.contains(file.getKey())
                        && types.mayBeReadBy(Files.readString(file.getValue(), StandardCharsets.ISO_8859_1))) {
                    affected.add(file.getKey());
                }
            }
        }
        return affected;
    }

    private Map<String, TypeInterface> interfaces(Map<String, byte[]> all) throws IOException {
        Map<String, TypeInterface> interfaces = new HashMap<>();
        for (Map.Entry<String, byte[]> type : all.entrySet()) {
            if (stale.contains(outermost(type.getKey()))) {
                interfaces.put(type.getKey(), TypeInterface.read(type.getValue()));
            }
        }
        return interfaces;
    }

    private List<Diagnostic<? extends JavaFileObject>> compile(Path compiled) throws IOException {
        IncrementalBuild.delete(compiled);
        Files.createDirectories(compiled);
        List<Path> units =
                files.keySet().stream().filter(stale::contains).map(files::get).toList();
        if (units.isEmpty()) {
            return List.of();
        }
        List<Path> readable = new ArrayList<>(List.of(pack(compiled)));
        readable.addAll(classPath);
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean isCompiled;
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(said, null, StandardCharsets.UTF_8)) {
            manager.setLocationFromPaths(StandardLocation.CLASS_PATH, readable);
            manager.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(compiled));
            isCompiled = compiler.getTask(
                            null, manager, said, OPTIONS, null, manager.getJavaFileObjectsFromPaths(units))
                    .call();
        }
        List<Diagnostic<? extends JavaFileObject>> found = said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .toList();
        if (!isCompiled && found.isEmpty()) {
            throw new IllegalStateException("the compiler failed (" + said.getDiagnostics() + ")");
        }
        return found;
    }

    /** A copy of the jar without stale classes, with the compiled classes and the changed resources. */
    private Path pack(Path compiled) throws IOException {
        Path packed = Files.createTempFile(sources.work(), name, ".jar");
        Files.copy(jar, packed, StandardCopyOption.REPLACE_EXISTING);
        try (FileSystem entries = FileSystems.newFileSystem(packed)) {
            Path top = entries.getPath("/");
            for (String type : classes.keySet()) {
                if (stale.contains(outermost(type))) {
                    Files.delete(top.resolve(type + ".class"));
                }
            }
            for (Map.Entry<String, byte[]> type : classesIn(compiled).entrySet()) {
                write(top.resolve(type.getKey() + ".class"), type.getValue());
            }
            for (Map.Entry<String, Path> resource : resources.entrySet()) {
                Path to = top.resolve(resource.getKey());
                if (Files.exists(resource.getValue())) {
                    write(to, Files.readAllBytes(resource.getValue()));
                } else {
                    Files.deleteIfExists(to);
                }
            }
        }
        return packed;
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    private static Map<String, byte[]> classesIn(Path folder) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file :
                    all.filter(each -> each.toString().endsWith(".class")).toList()) {
                classes.put(withoutSuffix(folder.relativize(file).toString()), Files.readAllBytes(file));
            }
        }
        return classes;
    }
}
