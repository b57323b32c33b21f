package org.trainyard.env;

import java.util.List;
import java.util.stream.Stream;

/**
 * An interface by which jars from outside the project may add something, such as formats of logs. A module offers a
 * kind by {@link java.util.ServiceLoader}.
 *
 * @param <P> the interface
 */
public interface PluginKind<P> {
    /** The interface, whose name is that of the file in a jar's {@code META-INF/services}. */
    Class<P> service();

    /**
     * Makes plugins known by name, in place of those before.
     *
     * @throws InputException when a name is taken
     */
    void plug(List<P> plugins);

    /** Kind and name of each thing that a plugin adds. */
    Stream<String> names(P plugin);
}
