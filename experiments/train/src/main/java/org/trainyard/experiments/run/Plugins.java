package org.trainyard.experiments.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.PluginKind;
import org.trainyard.experiments.io.InputFiles;
import org.trainyard.experiments.io.Sha256;

/** Jars with plugins from outside the project, such as schedulers and rewards: known by name until they are closed. */
public final class Plugins implements AutoCloseable {
    /** Hashes of the jars whose names are known now, by file name. */
    private static Map<String, String> hashes = Map.of();

    private final List<Added<?>> kinds =
            PluginKinds.all().stream().<Added<?>>map(Added::new).toList();
    private final List<String> described = new ArrayList<>();
    private final Map<String, String> sha256 = new TreeMap<>();
    private List<Path> jars = List.of();
    private @Nullable URLClassLoader loader;

    private Plugins() {}

    /**
     * Loads jars and makes their names known to all commands.
     *
     * @throws InputException when a file is no jar, has no plugin, names a class that it lacks, cannot be linked, or
     *     takes a name that is taken
     */
    public static Plugins load(List<String> jars) {
        Plugins plugins = new Plugins();
        if (!jars.isEmpty()) {
            try {
                plugins.loadAll(jars);
                plugins.kinds.forEach(Added::plug);
                hashes = Collections.unmodifiableMap(plugins.sha256);
            } catch (RuntimeException e) {
                plugins.close();
                throw e;
            } catch (Error e) {
                plugins.close();
                throw unusable(String.join(", ", jars), e);
            }
        }
        return plugins;
    }

    /** A line for each jar: its hash and the names that it adds. */
    public List<String> described() {
        return List.copyOf(described);
    }

    /** SHA-256 of the jars whose names are known now, by file name; of equal file names the second by its path. */
    public static Map<String, String> hashes() {
        return hashes;
    }

    private void loadAll(List<String> names) {
        List<Path> paths = names.stream().map(InputFiles::path).toList();
        jars = paths;
        paths.forEach(this::requireJar);
        URLClassLoader all = new URLClassLoader(
                paths.stream().map(Plugins::url).toArray(URL[]::new), Plugins.class.getClassLoader());
        loader = all;
        for (Path path : paths) {
            requireProviders(path, all);
            try {
                describe(path, all);
            } catch (InputException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                throw unusable(path.toString(), e);
            }
        }
    }

    private static InputException unusable(String jar, Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null
                && (cause instanceof ExceptionInInitializerError || cause instanceof ServiceConfigurationError)) {
            cause = cause.getCause();
        }
        String what =
                cause instanceof ServiceConfigurationError ? String.valueOf(cause.getMessage()) : cause.toString();
        return InputException.at(
                "--plugin", jar, "a plugin for this version of Trainyard and Java, but %s".formatted(what));
    }

    /**
     * The failure of a command as one of a plugin, where code of a plugin is in its stack.
     *
     * @return an {@link InputException} where a jar does not fit this version, the failure with the plugin's name in
     *     its message where its code failed, and the same failure where no plugin has to do with it
     */
    public Throwable blamed(Throwable failure) {
        if (jars.isEmpty() || failure instanceof InputException) {
            return failure;
        }
        if (failure instanceof LinkageError) {
            return unusable(jars.stream().map(Path::toString).collect(Collectors.joining(", ")), failure);
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            for (StackTraceElement frame : cause.getStackTrace()) {
                for (Path jar : jars) {
                    if (holds(jar, frame.getClassName())) {
                        return new IllegalStateException("plugin %s: %s".formatted(jar, cause), failure);
                    }
                }
            }
        }
        return failure;
    }

    private static boolean holds(Path jar, String className) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getEntry(className.replace('.', '/') + ".class") != null;
        } catch (IOException e) {
            return false;
        }
    }

    private void requireJar(Path path) {
        try (JarFile jar = new JarFile(path.toFile())) {
            if (kinds.stream().allMatch(added -> jar.getEntry(added.services()) == null)) {
                throw InputException.at(
                        "--plugin",
                        path,
                        "a jar with %s, which names the class of the plugin"
                                .formatted(kinds.stream().map(Added::services).collect(Collectors.joining(" or "))));
            }
        } catch (IOException e) {
            throw InputException.at("--plugin", path, Files.exists(path) ? "a jar file" : "an existing jar file");
        }
    }

    private void requireProviders(Path path, URLClassLoader all) {
        try (JarFile jar = new JarFile(path.toFile())) {
            for (Added<?> added : kinds) {
                JarEntry names = jar.getJarEntry(added.services());
                if (names != null) {
                    String text = new String(jar.getInputStream(names).readAllBytes(), StandardCharsets.UTF_8);
                    text.lines()
                            .map(line -> line.replaceAll("#.*", "").strip())
                            .filter(name -> !name.isEmpty())
                            .filter(name -> all.findResource(name.replace('.', '/') + ".class") == null)
                            .forEach(name -> {
                                throw InputException.at(
                                        "--plugin",
                                        path,
                                        "a class of the jar in %s, but it names %s, which is not in the jar"
                                                .formatted(added.services(), name));
                            });
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFrom(Object provider, Path jar) {
        return provider.getClass()
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .equals(url(jar));
    }

    private void describe(Path jar, ClassLoader all) {
        List<String> names =
                kinds.stream().flatMap(added -> added.from(jar, all)).toList();
        String hash = Sha256.of(jar);
        if (sha256.putIfAbsent(String.valueOf(jar.getFileName()), hash) != null) {
            sha256.put(jar.toString(), hash);
        }
        described.add("plugin %s (SHA-256 %s): %s"
                .formatted(jar, hash, names.isEmpty() ? "adds nothing" : String.join(", ", names)));
    }

    /** Forgets the names. */
    @Override
    public void close() {
        if (loader != null) {
            kinds.forEach(Added::forget);
            hashes = Map.of();
            try {
                loader.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot close the plugins", e);
            }
        }
    }

    /** The plugins of a kind that the jars add. */
    private static final class Added<P> {
        private final PluginKind<P> kind;
        private final List<P> plugins = new ArrayList<>();

        Added(PluginKind<P> kind) {
            this.kind = kind;
        }

        String services() {
            return "META-INF/services/" + kind.service().getName();
        }

        /** Adds the plugins of one jar to those of the jars before, and returns the names that they add. */
        Stream<String> from(Path jar, ClassLoader loader) {
            List<String> names = new ArrayList<>();
            for (P plugin : ServiceLoader.load(kind.service(), loader)) {
                if (isFrom(plugin, jar)) {
                    plugins.add(plugin);
                    kind.names(plugin).forEach(names::add);
                }
            }
            return names.stream();
        }

        void plug() {
            kind.plug(plugins);
        }

        void forget() {
            kind.plug(List.of());
        }
    }
}
