/** Preemption and migration: which running jobs give up their GPUs so that a waiting job can start. */
@NullMarked
package org.trainyard.env.scheduling.preemption;

import org.jspecify.annotations.NullMarked;
