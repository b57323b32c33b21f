package org.trainyard.env.workload;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The kinds of jobs on the class path. */
final class JobKinds {
    static final List<JobKind> ALL = ServiceLoader.load(JobKind.class, JobKind.class.getClassLoader()).stream()
            .sorted(Comparator.comparing(provider -> provider.type().getName()))
            .map(ServiceLoader.Provider::get)
            .toList();

    private JobKinds() {}
}
