package org.trainyard.experiments.run;

import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.gym.registry.SchedulerRegistry;

/** Schedulers of another language, by names of their own; a module offers them by {@link ServiceLoader}. */
public interface ForeignSchedulers {
    /** The schedulers of one command, until it ends. */
    interface Opened extends SchedulerRegistry.Foreign, AutoCloseable {
        @Override
        void close();
    }

    /** @param log takes a line with the hash of each file that is loaded */
    Opened open(Consumer<String> log);

    /** The foreign schedulers that are installed, opened; null for none. */
    static @Nullable Opened opened(Consumer<String> log) {
        return ServiceProviders.first(ForeignSchedulers.class)
                .map(found -> found.open(log))
                .orElse(null);
    }
}
