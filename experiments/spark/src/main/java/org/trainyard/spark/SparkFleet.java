package org.trainyard.spark;

import java.io.File;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.filter.ThresholdFilter;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.trainyard.experiments.distributed.Fleet;
import org.trainyard.experiments.distributed.FleetTask;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * The executors of an Apache Spark cluster (M. Zaharia et al.: Resilient distributed datasets, NSDI 2012), a Spark task
 * for every task. Tasks of a lost executor run again on the others.
 *
 * <p>System properties whose names begin with {@code spark.} are settings of Spark, such as
 * {@code spark.executor.memory}.
 */
public final class SparkFleet implements Fleet {
    /** Settings of this process that tasks rely on. */
    private static final List<String> PROPERTIES = List.of("trainyard.", "ai.djl.", "org.bytedeco.");

    private static final List<String> ENVIRONMENT = List.of(
            "DJL_OFFLINE", "OPT_OUT_TRACKING", "ORT_DISABLE_TELEMETRY", "OMP_NUM_THREADS", "TORCH_CPP_LOG_LEVEL");

    private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";
    /**
     * Key of the driver's log, which has errors and the lack of executors alone, for the command has its own output.
     */
    private static final String LOG_SETTINGS = "log4j2.configurationFile";

    private final JavaSparkContext spark;
    private final String master;
    private final String classPath;

    /** @param master {@code spark://HOST:PORT}, or {@code local-cluster[EXECUTORS,CORES,MEGABYTES]} */
    public SparkFleet(String master) {
        this.master = master;
        if (System.getProperty(LOG_SETTINGS) == null) {
            System.setProperty(LOG_SETTINGS, "org/trainyard/spark/driver-log.properties");
        }
        classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(path -> Path.of(path).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        spark = inOwnClasses(() -> new JavaSparkContext(settings(master)));
        Configuration log = inOwnClasses(() -> LoggerContext.getContext(false).getConfiguration());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> silence(log)));
    }

    /**
     * An interrupted process loses its executors and Spark's own parts one after another, which is not worth a message
     * each.
     */
    private static void silence(Configuration log) {
        log.addFilter(ThresholdFilter.createFilter(Level.OFF, Filter.Result.ACCEPT, Filter.Result.DENY));
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    /** The settings of a run: those of the user, who gives them as system properties, and ours. */
    static SparkConf settings(String master) {
        SparkConf settings = new SparkConf()
                .setMaster(master)
                .setAppName("trainyard")
                .setJars(new String[] {ownJar()})
                .setIfMissing("spark.ui.enabled", "false")
                // Two runs of a training would write to one folder.
                .set("spark.speculation", "false");
        settings.set(
                EXECUTOR_OPTIONS,
                "%s %s"
                        .formatted(settings.get(EXECUTOR_OPTIONS, ""), executorOptions())
                        .strip());
        ENVIRONMENT.forEach(name -> {
            String value = System.getenv(name);
            if (value != null) {
                settings.setExecutorEnv(name, value);
            }
        });
        if (isLoopback(master)) {
            settings.setIfMissing("spark.driver.host", "127.0.0.1");
            settings.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
        }
        return settings;
    }

    private static boolean isLoopback(String master) {
        return !master.startsWith("spark://")
                || master.startsWith("spark://127.")
                || master.startsWith("spark://localhost:");
    }

    private static String ownJar() {
        try {
            return Path.of(SparkFleet.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String executorOptions() {
        String own = System.getProperties().stringPropertyNames().stream()
                .filter(name -> PROPERTIES.stream().anyMatch(name::startsWith))
                .sorted()
                .map(name -> option(name, System.getProperty(name)))
                .collect(Collectors.joining(" "));
        String directory =
                option("trainyard.directory", Path.of("").toAbsolutePath().toString());
        return "%s %s".formatted(own, directory);
    }

    private static String option(String name, String value) {
        return "\"-D%s=%s\"".formatted(name, value);
    }

    @Override
    public void run(FleetTask task, byte[] broadcast, List<byte[]> inputs, Gather gather) {
        if (inputs.isEmpty()) {
            return;
        }
        ClassLoader callers = Thread.currentThread().getContextClassLoader();
        Gather inCallers = (number, answer) -> ClassLoading.in(callers, () -> {
            gather.take(number, answer);
            return null;
        });
        inOwnClasses(() -> {
            Broadcast<byte[]> shared = spark.broadcast(broadcast);
            try {
                TaskOnExecutor call =
                        new TaskOnExecutor(classPath, task.getClass().getName(), shared);
                run(spark.parallelize(inputs, inputs.size()).map(call), inCallers);
            } finally {
                shared.destroy();
            }
            return null;
        });
    }

    private void run(JavaRDD<SparkAnswer> answers, Gather gather) {
        AnswerGatherer gatherer = new AnswerGatherer(gather, spark.sc()::cancelAllJobs);
        try {
            spark.sc().runJob(answers.rdd(), new Only(), gatherer, ClassTag$.MODULE$.apply(SparkAnswer.class));
        } catch (Exception e) { // Scala's methods declare no checked exceptions and throw them.
            gatherer.throwFirst();
            if (spark.sc().isStopped()) {
                throw new IllegalStateException("the Spark cluster %s is gone".formatted(master), e);
            }
            throw new IllegalStateException("Spark gave up: %s".formatted(e.getMessage()), e);
        }
        gatherer.throwFirst();
    }

    /** The answer of a partition, which has one input. */
    private static final class Only extends AbstractFunction1<Iterator<SparkAnswer>, SparkAnswer>
            implements Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public SparkAnswer apply(Iterator<SparkAnswer> answers) {
            return answers.next();
        }
    }

    private static <T> T inOwnClasses(Supplier<T> work) {
        return ClassLoading.in(SparkFleet.class.getClassLoader(), work);
    }

    @Override
    public void close() {
        inOwnClasses(() -> {
            spark.close();
            return null;
        });
    }
}
