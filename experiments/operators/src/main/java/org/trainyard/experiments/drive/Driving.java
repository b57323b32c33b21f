package org.trainyard.experiments.drive;

import java.time.Clock;
import java.util.function.Consumer;

/**
 * A driver at work: what all of its parts use.
 *
 * @param say is given a line for each decision
 */
record Driving(
        DriveSettings settings,
        DrivenCluster cluster,
        DriveLog log,
        DriveCounts counts,
        Clock clock,
        Consumer<String> say) {}
