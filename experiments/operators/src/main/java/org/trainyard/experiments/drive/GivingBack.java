package org.trainyard.experiments.drive;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.trainyard.env.Counted;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.FolderLock;
import org.trainyard.experiments.slurm.UnansweredException;

/** Gives all jobs of a log back to their manager, and looks whether they are. */
public final class GivingBack {
    /** Looks after which jobs that are not given back are said. */
    private static final int ATTEMPTS = 3;

    private final Driving drive;
    private final Orders orders;

    GivingBack(Driving drive, Orders orders) {
        this.drive = drive;
        this.orders = orders;
    }

    /**
     * Gives all jobs of a log back, without a driver.
     *
     * @throws InputException when the manager does not answer, or some may still wait
     */
    public static void withoutDriver(DriveSettings settings, DrivenCluster driven, Clock clock, Consumer<String> say) {
        Path path = settings.folder().resolve(DriveLog.NAME);
        if (Files.notExists(path)) {
            throw InputException.at("--out", settings.folder(), "a folder with the log of a driver, " + DriveLog.NAME);
        }
        DriveCounts counts = new DriveCounts(new SimpleMeterRegistry());
        FolderLock lock = FolderLock.take(settings.folder());
        try (DriveLog log = new DriveLog(path, false)) {
            Driving drive = new Driving(settings, driven, log, counts, clock, say);
            GivenBack given = new GivingBack(drive, new Orders(drive)).anew();
            if (!given.left().isEmpty()) {
                throw new InputException("--give-back: not all jobs were given back: " + given.left());
            }
            say.accept(Counted.say("given back: %d jobs", given.jobs()));
            if (!given.remark().isEmpty()) {
                say.accept(given.remark());
            }
        } finally {
            lock.close();
        }
    }

    private GivenBack anew() {
        Collection<LiveJob> jobs;
        try {
            drive.cluster().requireRights(drive.settings().level());
            jobs = drive.cluster().look().jobs().values();
        } catch (UnansweredException e) {
            return new GivenBack(
                    0,
                    List.of(),
                    "%s; %s"
                            .formatted(
                                    e.getMessage(),
                                    drive.log().unfinished(drive.settings().leaseSeconds())));
        }
        drive.log().forgetReused(jobs);
        drive.log()
                .recallHolds(jobs, drive.cluster()::startedMillis, drive.clock().millis());
        return all();
    }

    /** The jobs of the log that wait for us, or on nodes of ours. */
    private List<LiveJob> withheld(LiveSnapshot snapshot) {
        return snapshot.jobs().values().stream()
                .filter(job -> job.stage() == LiveJob.Stage.PENDING
                        && isWithheld(job, drive.log().of(job)))
                .toList();
    }

    private boolean isWithheld(LiveJob job, DrivenJob known) {
        if (known.isLeased()) {
            return true;
        }
        boolean isOurs =
                job.requiredNodes().isEmpty() ? !known.isGivenBack() && !orders.isBeingCleaned(job) : known.isPlaced;
        return known.isKnown() && isOurs && (!job.isHeld() || orders.isGivenUp(job));
    }

    /** Gives all jobs of the log back, and asks until it sees that none waits for us. */
    GivenBack all() {
        if (drive.settings().isDry() || !drive.cluster().startsByItself()) {
            return GivenBack.NOTHING;
        }
        Set<String> given = new HashSet<>();
        List<String> named = List.of();
        String left = "";
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                LiveSnapshot seen = drive.cluster().look();
                List<LiveJob> all = withheld(seen);
                if (attempt == 0) {
                    all.forEach(job -> given.add(job.id()));
                    named = named(seen);
                    orders.giveBack(all);
                    orders.resetPriorities(seen);
                } else {
                    List<LiveJob> rest = rest(seen, all, given);
                    orders.giveBack(rest);
                    if (rest.isEmpty()) {
                        return new GivenBack(given.size(), named, "");
                    }
                    left = "still waiting for a driver: %s; run --give-back again"
                            .formatted(String.join(
                                    " ", rest.stream().map(LiveJob::id).toList()));
                }
            }
        } catch (InputException e) {
            left = "%s; %s"
                    .formatted(
                            e.getMessage(),
                            drive.log().unfinished(drive.settings().leaseSeconds()));
        }
        return new GivenBack(given.size(), named, left);
    }

    /** Jobs that still wait for us: what was not answered may not have been done, though it is noted. */
    private List<LiveJob> rest(LiveSnapshot seen, List<LiveJob> withheld, Set<String> given) {
        return seen.jobs().values().stream()
                .filter(job -> withheld.contains(job)
                        || (given.contains(job.id()) && job.stage() == LiveJob.Stage.PENDING && !job.isHeld()))
                .filter(job -> !job.requiredNodes().isEmpty()
                        || job.isHeld()
                        || (job.eligible() > drive.clock().millis() / 1000 + 2 && !orders.isBeingCleaned(job)))
                .toList();
    }

    /** Running jobs that were named nodes, which a manager keeps for when they wait again. */
    private List<String> named(LiveSnapshot seen) {
        return seen.jobs().values().stream()
                .filter(job -> job.stage() == LiveJob.Stage.RUNNING
                        && !job.requiredNodes().isEmpty()
                        && drive.log().of(job).isPlaced)
                .map(LiveJob::id)
                .toList();
    }
}
