/** The door for columns of traces that attach something to a job. */
@NullMarked
package org.trainyard.env.workload.columns;

import org.jspecify.annotations.NullMarked;
