package org.trainyard.experiments.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.trainyard.env.gym.registry.SchedulerRegistry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.TraceJob;

/** What jobs of a trace ask for at their submission and a scheduler does not heed, in one line. */
final class IgnoredTerms {
    private IgnoredTerms() {}

    /** No line, or one. */
    static List<String> remarks(SchedulerRegistry.Entry scheduler, List<TraceJob> jobs) {
        List<String> ignored = new ArrayList<>();
        if (!scheduler.has(Flag.HEEDS_NODES)) {
            count(ignored, "numbers of nodes", jobs, terms -> terms.nodes() > 0);
        }
        if (!scheduler.has(Flag.HEEDS_EXCLUSIVE)) {
            count(ignored, "exclusive nodes", jobs, SubmissionTerms::exclusive);
        }
        if (!scheduler.has(Flag.HEEDS_FEATURES)) {
            count(ignored, "features", jobs, terms -> terms.features() != null);
            count(ignored, "licences", jobs, terms -> terms.licenses() != null);
        }
        count(ignored, "nodes by name", jobs, terms -> terms.nodeList() != null);
        return ignored.isEmpty()
                ? List.of()
                : List.of("%s does not heed what jobs ask for: %s"
                        .formatted(scheduler.name(), String.join(", ", ignored)));
    }

    private static void count(List<String> ignored, String what, List<TraceJob> jobs, Predicate<SubmissionTerms> asks) {
        long count = jobs.stream().filter(job -> asks.test(job.terms())).count();
        if (count > 0) {
            ignored.add("%s (%,d jobs)".formatted(what, count));
        }
    }
}
