package org.trainyard.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.simulation.LimitsProvider;
import org.trainyard.env.workload.log.LogPlugin;
import org.trainyard.experiments.Main;
import org.trainyard.experiments.Shell;

/** What the command line says where providers of limits and of formats of logs are not on the class path. */
class AbsentProvidersTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", "..")).resolve("experiments/configs/heuristics.yaml");
    private static final Set<String> HIDDEN = Set.of(
            "META-INF/services/" + LimitsProvider.class.getName(), "META-INF/services/" + LogPlugin.class.getName());

    @TempDir
    Path dir;

    /** Loads the classes of the project anew, and finds no hidden provider. */
    private static final class Alone extends URLClassLoader {
        Alone(URL[] classPath) {
            super(classPath);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                boolean isOwn = name.startsWith("org.trainyard.") && findLoadedClass(name) == null;
                return isOwn ? findClass(name) : super.loadClass(name, resolve);
            }
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return HIDDEN.contains(name) ? Collections.emptyEnumeration() : super.getResources(name);
        }
    }

    /** Runs a command with the classes of the class path, without the hidden providers. */
    private static Shell alone(List<String> words) throws IOException, ReflectiveOperationException {
        String[] paths = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        URL[] classPath = new URL[paths.length];
        for (int i = 0; i < paths.length; i++) {
            classPath[i] = Path.of(paths[i]).toUri().toURL();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (URLClassLoader loader = new Alone(classPath)) {
            Object code = loader.loadClass(Main.class.getName())
                    .getMethod("run", String[].class, PrintStream.class, PrintStream.class)
                    .invoke(
                            null,
                            words.toArray(String[]::new),
                            new PrintStream(out, true, StandardCharsets.UTF_8),
                            new PrintStream(err, true, StandardCharsets.UTF_8));
            return new Shell(
                    (Integer) code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }

    private static List<String> evaluate(String key, Path value) {
        return Shell.words(
                "evaluate %s --schedulers fifo --set episodes.jobs=4 --set episodes.test=1 --set %s",
                CONFIG, key + "=" + value);
    }

    @Test
    void limits_are_refused_in_a_line_that_says_what_is_missing() throws Exception {
        Path conf = Files.writeString(dir.resolve("slurm.conf"), "Licenses=matlab:1\n");

        Shell shell = alone(evaluate("physics.limits", conf));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains(conf.toString(), "this installation lacks the schedulers of production")
                .hasLineCount(1);
    }

    @Test
    void a_log_of_another_format_is_refused_in_a_line_that_names_what_is_there() throws Exception {
        Path log = Files.writeString(dir.resolve("other.csv"), "job_id,num_gpu,submit_time,duration\n7,1,0,60\n");

        Shell shell = alone(evaluate("workload.trace", log));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("other.csv:1, header", "the only format of this installation, trainyard")
                .hasLineCount(1);
    }
}
