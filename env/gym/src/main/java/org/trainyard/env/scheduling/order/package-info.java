/** Orders of jobs: estimated remaining time, Gittins index, multilevel queues by attained service. */
@NullMarked
package org.trainyard.env.scheduling.order;

import org.jspecify.annotations.NullMarked;
