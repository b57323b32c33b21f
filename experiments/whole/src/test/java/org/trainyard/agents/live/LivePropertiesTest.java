package org.trainyard.agents.live;

import org.trainyard.agents.heuristic.scenario.RegisteredSchedulers;

/** Every scheduler in the catalogue decides for live clusters. */
class LivePropertiesTest extends LiveProperties {
    LivePropertiesTest() {
        super(RegisteredSchedulers.ours());
    }
}
