package org.trainyard.agents.heuristic;

import org.trainyard.agents.heuristic.scenario.RegisteredSchedulers;
import org.trainyard.agents.heuristic.scenario.SchedulerProperties;

/** Every scheduler in the catalogue has the properties of one. */
class SchedulerPropertiesTest extends SchedulerProperties {
    SchedulerPropertiesTest() {
        super(RegisteredSchedulers.all());
    }
}
