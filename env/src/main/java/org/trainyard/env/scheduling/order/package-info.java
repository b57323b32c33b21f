/** Ranks of jobs: estimates of the remaining time, the Gittins index, queues by attained service. */
@NullMarked
package org.trainyard.env.scheduling.order;

import org.jspecify.annotations.NullMarked;
