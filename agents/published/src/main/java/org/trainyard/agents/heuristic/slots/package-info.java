/** Scheduling by slots: who holds which GPUs is decided at the start of each slot. */
@NullMarked
package org.trainyard.agents.heuristic.slots;

import org.jspecify.annotations.NullMarked;
