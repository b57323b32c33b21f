package org.trainyard.env.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read where nothing on the class path brings other formats of logs in. */
class OwnFormatAloneTest {
    private static final String ALONE =
            "the only format of this installation, trainyard (job,submit_s,gpus,duration_s)";

    @TempDir
    Path dir;

    /** The classes of the class path, without its providers of formats. */
    private static URLClassLoader alone() {
        URL[] classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(OwnFormatAloneTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.equals("META-INF/services/" + LogPlugin.class.getName())
                        ? Collections.emptyEnumeration()
                        : super.getResources(name);
            }
        };
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (IOException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    /** What the file is read as, or why it is refused. */
    private String read(String text) throws IOException, ReflectiveOperationException {
        Path log = Files.writeString(dir.resolve("log.txt"), text);
        try (URLClassLoader loader = alone()) {
            Class<?> options = loader.loadClass(TraceReader.Options.class.getName());
            return loader.loadClass(TraceReader.class.getName())
                    .getMethod("read", Path.class, options)
                    .invoke(null, log, options.getField("DEFAULT").get(null))
                    .toString();
        } catch (InvocationTargetException e) {
            return e.getCause().getMessage();
        }
    }

    @Test
    void the_format_of_the_project_is_read() throws Exception {
        assertThat(read("job;submit_s;gpus;duration_s\na;0;4;2,5\n"))
                .contains("format=trainyard", "id=a", "durationNanos=2500000000");
    }

    @Test
    void a_log_in_another_format_is_refused_in_a_line_that_names_what_is_there() throws Exception {
        assertThat(read("job_id,num_gpu,submit_time,duration\n7,1,0,60\n"))
                .endsWith("log.txt:1, header: 'job_id,num_gpu,submit_time,duration' is not valid: expected %s"
                        .formatted(ALONE));
        assertThat(read("{\"jobs\": [{\"job\": \"a\"}]}"))
                .endsWith("'JSON' is not valid: expected a table of " + ALONE);
        assertThat(read("JobId=7 JobState=COMPLETED\n")).endsWith(ALONE).hasLineCount(1);
    }

    @Test
    void a_table_of_the_project_with_a_column_that_multiplies_is_refused() throws Exception {
        assertThat(read("job,submit_s,gpus,duration_s,instances\na,0,4,60,2\n")).endsWith(ALONE);
    }

    @Test
    void columns_that_the_user_names_are_refused() throws Exception {
        try (URLClassLoader loader = alone()) {
            Method named = loader.loadClass(LogFormats.class.getName()).getMethod("named", String.class);

            assertThatThrownBy(() -> named.invoke(null, "job=id"))
                    .hasRootCauseMessage("--columns: 'job=id' is not valid: expected a file of " + ALONE);
        }
    }
}
