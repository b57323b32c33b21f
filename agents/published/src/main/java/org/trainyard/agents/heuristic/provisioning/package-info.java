/** Schedulers that decide about the host CPU and memory of jobs that train on graphs. */
@NullMarked
package org.trainyard.agents.heuristic.provisioning;

import org.jspecify.annotations.NullMarked;
