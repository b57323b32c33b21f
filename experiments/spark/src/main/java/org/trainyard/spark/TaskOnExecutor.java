package org.trainyard.spark;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGeneratorFactory;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;

/**
 * Runs a task on an executor. Trainyard's classes and libraries have a class loader of their own there, one for all
 * tasks, because native libraries load once; the executor finds them under the paths that they have in the driver.
 */
final class TaskOnExecutor implements Function<byte[], SparkAnswer> {
    private static final long serialVersionUID = 1;
    private static final Map<String, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    private final String classPath;
    private final String task;
    private final Broadcast<byte[]> broadcast;

    /**
     * @param classPath of the driver, with absolute paths
     * @param task name of its class
     */
    TaskOnExecutor(String classPath, String task, Broadcast<byte[]> broadcast) {
        this.classPath = classPath;
        this.task = task;
        this.broadcast = broadcast;
    }

    @Override
    public SparkAnswer call(byte[] input) {
        byte[] shared = broadcast.value();
        ClassLoader loader = LOADERS.computeIfAbsent(classPath, TaskOnExecutor::loader);
        return ClassLoading.in(loader, () -> run(loader, shared, input));
    }

    private SparkAnswer run(ClassLoader loader, byte[] shared, byte[] input) {
        try {
            Class<?> made = loader.loadClass(task);
            Object one = made.getConstructor().newInstance();
            return SparkAnswer.of(
                    (byte[]) made.getMethod("run", byte[].class, byte[].class).invoke(one, shared, input));
        } catch (InvocationTargetException e) {
            Throwable failure = Objects.requireNonNullElse(e.getCause(), e);
            if (failure instanceof VirtualMachineError broken) {
                throw broken;
            }
            return SparkAnswer.failed(failure);
        } catch (ReflectiveOperationException e) {
            return SparkAnswer.failed(e);
        }
    }

    private static ClassLoader loader(String classPath) {
        // Java 17 finds its generators once, by the loader of the thread that asks first, and not by one without the
        // class path of the process.
        ClassLoading.in(ClassLoader.getSystemClassLoader(), RandomGeneratorFactory::all);
        String[] paths = classPath.split(File.pathSeparator, -1);
        URL[] urls = new URL[paths.length];
        try {
            for (int i = 0; i < paths.length; i++) {
                urls[i] = Path.of(paths[i]).toUri().toURL();
            }
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
        return new URLClassLoader("trainyard", urls, ClassLoader.getPlatformClassLoader());
    }
}
