/** Placers, which choose the GPUs of a job, and what a place is believed to cost. */
@NullMarked
package org.trainyard.env.scheduling.placement;

import org.jspecify.annotations.NullMarked;
