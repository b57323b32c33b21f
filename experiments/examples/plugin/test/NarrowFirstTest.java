import org.junit.jupiter.api.Nested;
import org.trainyard.agents.heuristic.scenario.SchedulerObligations;
import org.trainyard.agents.heuristic.scenario.SchedulerProperties;
import org.trainyard.agents.live.LiveProperties;

/** The property tests of Trainyard's own schedulers judge those of the plug-in. */
class NarrowFirstTest {
    @Nested
    class Properties extends SchedulerProperties {
        Properties() {
            super(new NarrowFirst());
        }
    }

    @Nested
    class Obligations extends SchedulerObligations {
        Obligations() {
            super(new NarrowFirst());
        }
    }

    @Nested
    class Live extends LiveProperties {
        Live() {
            super(new NarrowFirst());
        }
    }
}
