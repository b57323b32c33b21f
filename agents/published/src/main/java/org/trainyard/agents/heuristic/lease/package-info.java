/** Schedulers with leases, time slices or delay scheduling: Dally, Tiresias, Gandiva, Themis. */
@NullMarked
package org.trainyard.agents.heuristic.lease;

import org.jspecify.annotations.NullMarked;
