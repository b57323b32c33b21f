package org.trainyard.experiments.drive;

import java.util.List;
import org.trainyard.experiments.service.live.PlacementAnswer.ServerGpus;

/**
 * The manager of a live cluster: what it says of jobs and nodes, and what it can be asked for. What it refuses is a
 * {@link RefusedException} with its words; nothing else has happened then. Where it does not answer, that is an
 * {@link org.trainyard.env.InputException}, and nobody knows.
 */
public interface DrivenCluster extends AutoCloseable {
    /** Name of the manager in messages. */
    String name();

    /**
     * Makes sure, without a change, that it takes orders from us.
     *
     * @throws org.trainyard.env.InputException when rights are missing
     */
    void requireRights(DriveLevel level);

    /**
     * Makes sure that it knows what the settings name: a job of a name that is mistyped would be touched.
     *
     * @throws org.trainyard.env.InputException with the names that it knows
     */
    void requireKnown(DriveSettings settings, LiveSnapshot seen);

    /**
     * All jobs and nodes now.
     *
     * @throws org.trainyard.experiments.slurm.UnansweredException where it does not answer
     * @throws org.trainyard.experiments.slurm.UnreadableAnswerException where its answer cannot be used
     */
    LiveSnapshot look();

    /** Last start of the manager, milliseconds since 1970; 0 where it does not say, or forgets nothing as it dies. */
    long startedMillis();

    /** Lets jobs wait for so long, on any nodes, unless they are told otherwise. */
    void postpone(List<LiveJob> jobs, int seconds);

    /** Ends the hold of jobs that were submitted held. */
    void release(List<LiveJob> jobs);

    /**
     * Lets a job start now.
     *
     * @param priority among those that may start
     * @param placement where, or none for where the manager likes
     */
    void start(LiveJob job, long priority, List<ServerGpus> placement);

    /** Whether a waiting job that was told to start needs to be told again. */
    boolean hasMissed(LiveJob job);

    /** Takes a running job off its nodes; it waits again. */
    void requeue(LiveJob job);

    /** Whether it can start waiting jobs without a driver. */
    boolean startsByItself();

    /** Lets the manager order and start jobs by itself, on any nodes. */
    void giveBack(List<LiveJob> jobs);

    @Override
    void close();
}
