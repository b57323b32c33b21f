package org.trainyard.experiments.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.experiments.distributed.Fleet;

/**
 * The Spark that is built beside Trainyard: the jars of the folder {@code SPARK_HOME/jars}. They have a class loader of
 * their own, which sees Trainyard's classes but none of its libraries, so that each side keeps its versions.
 */
public final class SparkInstallation {
    private static final String HOME = "SPARK_HOME";
    private static final String OWN_JAR = "trainyard-spark.jar";
    private static final String FLEET = "org.trainyard.spark.SparkFleet";
    private static final String MASTERS = "spark://[^\\s/,]+:\\d+|local-cluster\\[[1-9]\\d*,[1-9]\\d*,[1-9]\\d*]";

    private static final String STANDALONE = "spark://";
    private static final int ANSWER_MILLIS = 10_000;

    private SparkInstallation() {}

    /**
     * Connects to a cluster.
     *
     * @param place of the master in the command line, for messages
     * @param master {@code spark://HOST:PORT}, or {@code local-cluster[EXECUTORS,CORES,MEGABYTES]} for a cluster of
     *     processes on this machine
     * @throws InputException when the master has another form or does not answer, or Spark is not built
     */
    public static Fleet connect(String place, String master) {
        if (!master.matches(MASTERS)) {
            throw InputException.at(
                    place,
                    master,
                    "spark://HOST:PORT, or local-cluster[EXECUTORS,CORES,MEGABYTES]; without it: threads");
        }
        Path jars = jars();
        if (jars == null) {
            throw InputException.at(
                    place,
                    master,
                    "Spark beside Trainyard, which is not built: the launcher of the source tree, ./trainyard, builds it when it first meets %s"
                            .formatted(place));
        }
        if (master.startsWith(STANDALONE)) {
            requireAnswer(place, master);
        }
        return connect(new URLClassLoader("spark", urls(jars), new OwnClasses()), master);
    }

    /** Spark itself would ask for a minute. */
    private static void requireAnswer(String place, String master) {
        URI address = URI.create(master);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(String.valueOf(address.getHost()), address.getPort()), ANSWER_MILLIS);
        } catch (IOException | IllegalArgumentException e) {
            throw InputException.at(place, master, "the address of a Spark master that runs");
        }
    }

    private static @Nullable Path jars() {
        String home = System.getenv(HOME);
        Path jars = home == null ? null : Path.of(home, "jars");
        return jars != null && Files.isRegularFile(jars.resolve(OWN_JAR)) ? jars : null;
    }

    private static URL[] urls(Path jars) {
        try (Stream<Path> files = Files.list(jars)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            URL[] urls = new URL[sorted.size()];
            for (int i = 0; i < urls.length; i++) {
                urls[i] = sorted.get(i).toUri().toURL();
            }
            return urls;
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Fleet connect(ClassLoader spark, String master) {
        try {
            return Class.forName(FLEET, true, spark)
                    .asSubclass(Fleet.class)
                    .getConstructor(String.class)
                    .newInstance(master);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("Spark does not start: %s".formatted(e.getCause()), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s is not of this version of Trainyard".formatted(OWN_JAR), e);
        }
    }

    /** Trainyard's classes and Java's, without any library. */
    private static final class OwnClasses extends ClassLoader {
        OwnClasses() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.trainyard.")) {
                return Class.forName(name, false, SparkInstallation.class.getClassLoader());
            }
            throw new ClassNotFoundException(name);
        }
    }
}
