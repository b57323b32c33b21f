package org.trainyard.env.simulation;

import java.util.ServiceLoader;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.trainyard.env.InputException;
import org.trainyard.env.ServiceProviders;
import org.trainyard.env.workload.JobSpec;
import org.trainyard.env.workload.SubmissionTerms;
import org.trainyard.env.workload.Workload;

/** Decides which submitted jobs may not start yet; they are held. By default none is. */
public interface StartConditions {
    /** Makes the conditions of a simulation. A module offers it by {@link ServiceLoader}. */
    interface Source {
        /**
         * @param hasFailed whether a job that is done was killed at its time limit or turned away
         * @throws InputException when a job says conditions that nobody knows
         */
        StartConditions of(SimView view, Workload workload, IntPredicate hasFailed);
    }

    /** Number of held jobs. */
    default int size() {
        return 0;
    }

    /** Whether a held job becomes eligible without an event. */
    default boolean isTimed() {
        return false;
    }

    /** The next instant at which a held job may become eligible without an event; now when one has become so. */
    default long nextNanos() {
        return Long.MAX_VALUE;
    }

    /** A job is submitted; whether it is held. */
    boolean submit(int job);

    default void started(int job) {}

    /** A job has ended: completed, killed at its limit, or turned away. */
    default void ended(int job) {}

    /** Takes the first held job that has become eligible, or will never be; {@link SimView#NONE} when there is none. */
    default int take() {
        return SimView.NONE;
    }

    /** Whether a taken job will never be eligible. */
    default boolean isHopeless(int job) {
        return false;
    }

    /** Lets a taken job go; it counts as a task of its array from now on. */
    default void release(int job) {}

    /** Finds anew what the jobs of a restored state say. */
    default void load() {}

    /**
     * The conditions of the first source of the class path, by the name of its class; without one, jobs may have none.
     */
    static StartConditions of(SimView view, Workload workload, IntPredicate hasFailed) {
        Source found = Installed.FIRST;
        return found == null ? new None(workload) : found.of(view, workload, hasFailed);
    }

    /** The source on the class path, found once. */
    final class Installed {
        private static final @Nullable Source FIRST =
                ServiceProviders.first(Source.class).orElse(null);

        private Installed() {}
    }

    /** Refuses jobs with conditions. */
    record None(Workload workload) implements StartConditions {
        public None {
            for (int job = 0; job < workload.size(); job++) {
                require(workload.job(job));
            }
        }

        @Override
        public boolean submit(int job) {
            require(workload.job(job));
            return false;
        }

        private static void require(JobSpec job) {
            SubmissionTerms terms = job.terms();
            if (terms.delayNanos() > 0 || terms.isBoundToOthers()) {
                throw InputException.at(
                        "job " + job.name(),
                        "a begin time, a dependency or a limit of an array",
                        "none, for this installation lacks the conditions under which jobs may start");
            }
        }
    }
}
