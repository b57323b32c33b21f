package org.trainyard.spark;

import java.util.function.Supplier;

/** Work whose thread looks for classes in a loader: Spark, PyTorch and Java's services ask the thread for it. */
final class ClassLoading {
    private ClassLoading() {}

    static <T> T in(ClassLoader loader, Supplier<T> work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return work.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
