/** Queues of jobs, kept up to date from the journal of a simulation. */
@NullMarked
package org.trainyard.env.scheduling.queue;

import org.jspecify.annotations.NullMarked;
