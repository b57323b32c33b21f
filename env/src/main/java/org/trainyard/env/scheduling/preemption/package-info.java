/** Which running jobs to preempt so that a waiting job can start. */
@NullMarked
package org.trainyard.env.scheduling.preemption;

import org.jspecify.annotations.NullMarked;
