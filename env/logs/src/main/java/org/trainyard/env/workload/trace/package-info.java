/** Reading, checking and writing of job traces. */
@NullMarked
package org.trainyard.env.workload.trace;

import org.jspecify.annotations.NullMarked;
