package org.trainyard.experiments.shadow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.Map;
import org.trainyard.env.workload.log.Trace;
import org.trainyard.env.workload.log.TraceReader;
import org.trainyard.experiments.drive.LiveSnapshot;
import org.trainyard.experiments.io.AtomicFiles;
import org.trainyard.experiments.slurm.SlurmCommands;

/**
 * Follows a real Slurm in a folder: {@code observations.log} is written ahead, all else is made anew from it, so that a
 * follower that was killed goes on where it stood.
 */
public final class ShadowFollower implements AutoCloseable {
    private final Path folder;
    private final SlurmCommands commands;
    private final Clock clock;
    private final FollowedSlurm followed;
    private final LocalDateTime first;

    /**
     * Opens the folder.
     *
     * @param sinceDays jobs submitted before this many days ago that had ended then are not asked for
     */
    public ShadowFollower(Path folder, SlurmCommands commands, Clock clock, double sinceDays) {
        this.folder = folder;
        this.commands = commands;
        this.clock = clock;
        followed = new FollowedSlurm(folder.resolve("observations.log"));
        first = now().minusSeconds(Math.round(86_400 * sinceDays));
    }

    /** Polls once and keeps nothing. */
    public static FollowedState once(SlurmCommands commands, Clock clock, double sinceDays) {
        try {
            Path folder = Files.createTempDirectory("trainyard");
            try (ShadowFollower follower = new ShadowFollower(folder, commands, clock, sinceDays)) {
                follower.poll();
                return follower.state();
            } finally {
                AtomicFiles.deleteTree(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LocalDateTime now() {
        return LocalDateTime.now(clock).withNano(0);
    }

    /** Polls once; returns the number of rows that are new or changed. */
    public int poll() {
        return followed.poll(commands, now(), first);
    }

    /** Polls so far, those before a restart too. */
    public int polls() {
        return followed.polls();
    }

    /** Compares the log followed so far. */
    public ShadowComparison compare(ShadowComparison.Terms terms) {
        FollowedState state = state();
        return ShadowComparison.of(terms, state.log(), state.openSeconds(), followed.remarks());
    }

    /** The log followed so far, with the blocked jobs and the state of the nodes. */
    public FollowedState state() {
        FollowedSlurm.Closed closed = followed.closed();
        Path log = folder.resolve("followed.txt");
        AtomicFiles.write(log, closed.text());
        Trace trace = TraceReader.read(log, TraceReader.Options.DEFAULT);
        LiveSnapshot seen = followed.seen();
        return new FollowedState(
                trace, closed.openSeconds(), followed.blocked(), seen == null ? Map.of() : seen.nodes());
    }

    @Override
    public void close() {
        followed.close();
    }
}
