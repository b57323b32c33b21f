import java.util.List;
import org.trainyard.env.gym.registry.SchedulerPlugin;
import org.trainyard.env.gym.registry.SchedulerRegistry.Entry;
import org.trainyard.env.gym.registry.SchedulerRegistry.Flag;
import org.trainyard.agents.heuristic.placing.BestFit;
import org.trainyard.env.scheduling.placement.Placer;
import org.trainyard.env.scheduling.queue.WaitingJobs;
import org.trainyard.env.simulation.Decision;
import org.trainyard.env.simulation.Scheduler;
import org.trainyard.env.simulation.SimView;

/**
 * A scheduler in a jar of its own: jobs of few GPUs first, of those the shortest predicted run time; every job that
 * fits may start.
 */
public final class NarrowFirst implements SchedulerPlugin {
    @Override
    public List<Entry> schedulers() {
        return List.of(Entry.plugin(
                "narrow-first",
                "fewest GPUs first, then the shortest predicted run time; best fit",
                (topology, belief, seed) -> new Narrow(new BestFit()),
                Flag.NEEDS_PREDICTIONS));
    }

    /** One instance schedules one run; the view is all it may know: neither true run times nor the future are in it. */
    private static final class Narrow implements Scheduler {
        private final WaitingJobs waiting =
                new WaitingJobs((view, job) -> view.job(job).demand().gpus(), SimView::predictedSeconds);
        private final Placer placer;

        Narrow(Placer placer) {
            this.placer = placer;
        }

        @Override
        public Decision decide(SimView view) {
            waiting.update(view);
            return waiting.startFirstThatFits(view, placer);
        }
    }
}
