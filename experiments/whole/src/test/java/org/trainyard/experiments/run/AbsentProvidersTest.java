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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trainyard.env.simulation.LimitsProvider;
import org.trainyard.env.simulation.StartConditions;
import org.trainyard.env.workload.TraceSource;
import org.trainyard.experiments.Main;
import org.trainyard.experiments.Shell;

/** What the command line says where providers of limits and of traces are not on the class path. */
class AbsentProvidersTest {
    private static final Path CONFIG =
            Path.of(System.getProperty("trainyard.root", "..")).resolve("experiments/configs/heuristics.yaml");

    @TempDir
    Path dir;

    /** Loads the classes of the project anew, and finds no provider of a hidden door. */
    private static final class Alone extends URLClassLoader {
        private final String hidden;

        Alone(URL[] classPath, Class<?> door) {
            super(classPath);
            hidden = "META-INF/services/" + door.getName();
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
            return hidden.equals(name) ? Collections.emptyEnumeration() : super.getResources(name);
        }
    }

    /** Runs a command with the classes of the class path, without the providers of the doors. */
    private static Shell without(Class<?> door, List<String> words) throws IOException, ReflectiveOperationException {
        String[] paths = System.getProperty("java.class.path").split(File.pathSeparator, -1);
        URL[] classPath = new URL[paths.length];
        for (int i = 0; i < paths.length; i++) {
            classPath[i] = Path.of(paths[i]).toUri().toURL();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (URLClassLoader loader = new Alone(classPath, door)) {
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

        Shell shell = without(LimitsProvider.class, evaluate("physics.limits", conf));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains(conf.toString(), "this installation lacks the schedulers of production")
                .hasLineCount(1);
    }

    @Test
    void a_trace_is_refused_in_a_line_that_says_what_is_missing() throws Exception {
        Path trace = Files.writeString(dir.resolve("jobs.csv"), "job,submit_s,gpus,duration_s\na,0,1,60\n");

        Shell shell = without(TraceSource.class, evaluate("workload.trace", trace));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("jobs.csv", "this installation lacks the formats of logs, which read traces")
                .hasLineCount(1);
    }

    @Test
    void a_format_of_traces_is_refused_where_none_is_known() throws Exception {
        Shell shell = without(TraceSource.class, evaluate("workload.format", Path.of("slurm")));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("workload.format", "this installation lacks the formats of logs")
                .hasLineCount(1);
    }

    @Test
    void a_job_with_a_dependency_is_refused_where_no_conditions_are_known() throws Exception {
        Path trace = Files.writeString(
                dir.resolve("jobs.csv"), "job,submit_s,gpus,duration_s,dependency\na,0,1,60,\nb,0,1,60,afterok:a\n");

        Shell shell = without(
                StartConditions.Source.class,
                Shell.words("simulate --trace %s --cluster small --scheduler fifo", trace));

        assertThat(shell.code()).isEqualTo(2);
        assertThat(shell.err())
                .contains("job b: ", "this installation lacks the conditions under which jobs may start")
                .hasLineCount(1);
    }
}
