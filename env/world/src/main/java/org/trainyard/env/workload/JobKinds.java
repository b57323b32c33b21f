package org.trainyard.env.workload;

import java.util.List;
import org.trainyard.env.ServiceProviders;

/** The kinds of jobs on the class path. */
final class JobKinds {
    static final List<JobKind> ALL = ServiceProviders.all(JobKind.class);

    private JobKinds() {}
}
