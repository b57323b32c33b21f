/**
 * Preemption: the running jobs that give up their GPUs so that a waiting job can start, found by one search over
 * servers, with the costs of their jobs cached and bounded from below.
 */
@NullMarked
package org.trainyard.env.scheduling.preemption;

import org.jspecify.annotations.NullMarked;
