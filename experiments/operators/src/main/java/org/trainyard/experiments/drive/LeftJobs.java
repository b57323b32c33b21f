package org.trainyard.experiments.drive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trainyard.env.Counted;
import org.trainyard.experiments.drive.LiveJob.Stage;

/** Parts the waiting jobs into those that are driven and those that are left to the manager, and says why. */
final class LeftJobs {
    private final Driving drive;
    private final DriveScope scope;
    private final Orders orders;
    /** By reason, how many jobs were left for it, of which a power of two was said last. */
    private final Map<String, Integer> leftFor = new HashMap<>();

    LeftJobs(Driving drive, DriveScope scope, Orders orders) {
        this.drive = drive;
        this.scope = scope;
        this.orders = orders;
    }

    /** Leaves a job to the manager for a while. */
    void leave(LiveJob job, String why, long now) {
        String words = "%s; it is tried again after %d s".formatted(why, scope.pauseSeconds());
        scope.leave(job, words, now);
        isNewlyLeft(job, words);
        sayLeft(words, List.of(job.id()));
        orders.giveBack(List.of(job));
    }

    /**
     * Takes jobs over that were submitted held, and releases those of them that are left to the manager; whether there
     * were any.
     */
    boolean takeHeld(LiveSnapshot snapshot, long wallSeconds, long now) {
        List<LiveJob> taken = new ArrayList<>();
        List<LiveJob> released = new ArrayList<>();
        for (LiveJob job : snapshot.jobs().values()) {
            if (job.stage() == Stage.PENDING && scope.covers(job) && scope.takes(job)) {
                boolean isOurs = scope.leaves(job, wallSeconds, now).isEmpty();
                (isOurs ? taken : released).add(job);
            }
        }
        orders.release(released);
        return orders.take(taken, now) || !released.isEmpty();
    }

    /** The pending jobs that it may touch and understands. */
    List<LiveJob> drivable(LiveSnapshot snapshot, long wallSeconds, long now) {
        List<LiveJob> drivable = new ArrayList<>();
        Map<String, List<String>> news = new LinkedHashMap<>();
        for (LiveJob job : snapshot.jobs().values()) {
            // One that is held and is taken over at the next look was submitted after this one began.
            if (job.stage() == Stage.PENDING && scope.covers(job) && !scope.takes(job)) {
                String why = scope.leaves(job, wallSeconds, now);
                if (why.isEmpty()) {
                    drivable.add(job);
                    drive.log().of(job).left = null;
                } else if (isNewlyLeft(job, why)) {
                    news.computeIfAbsent(why, words -> new ArrayList<>()).add(job.id());
                    // A lease may be on another job than the one that was seen, where its number was given twice
                    // meanwhile.
                    DrivenJob known = drive.log().of(job);
                    boolean isLeased = known.isLeased() && !job.isHeld();
                    if (isLeased || (!job.requiredNodes().isEmpty() && known.isPlaced)) {
                        orders.giveBack(List.of(job));
                    } else if (known.isTaken && !job.isHeld()) {
                        orders.released(job);
                    }
                }
            }
        }
        news.forEach(this::sayLeft);
        return drivable;
    }

    /** Whether a job is left for another reason than before; each job is counted once until it is taken again. */
    private boolean isNewlyLeft(LiveJob job, String why) {
        DrivenJob known = drive.log().of(job);
        String before = known.left;
        known.left = why;
        if (before == null) {
            drive.counts().add("left to " + drive.cluster().name());
        }
        return !why.equals(before);
    }

    /** Says a reason at its first jobs, and again when there are twice as many. */
    private void sayLeft(String why, List<String> jobs) {
        int before = leftFor.getOrDefault(why, 0);
        int now = before + jobs.size();
        leftFor.put(why, now);
        if (Integer.highestOneBit(now) > before) {
            String all = before == 0 ? "" : Counted.say(" (%d jobs so far)", now);
            drive.say()
                    .accept("left %s to %s: it %s%s"
                            .formatted(String.join(" ", jobs), drive.cluster().name(), why, all));
        }
    }
}
