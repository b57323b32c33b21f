package org.trainyard.env;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The implementations of an interface that modules offer by a line in {@code META-INF/services}. */
public final class ServiceProviders {
    private ServiceProviders() {}

    /** All implementations on the class path of the interface, by the names of their classes. */
    public static <S> List<S> all(Class<S> service) {
        return ServiceLoader.load(service, service.getClassLoader()).stream()
                .sorted(Comparator.comparing(provider -> provider.type().getName()))
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** The first of them, without making the others. */
    public static <S> Optional<S> first(Class<S> service) {
        return ServiceLoader.load(service, service.getClassLoader()).stream()
                .min(Comparator.comparing(provider -> provider.type().getName()))
                .map(ServiceLoader.Provider::get);
    }
}
