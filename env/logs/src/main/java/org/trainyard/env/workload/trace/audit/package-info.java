/** The contents of a trace in numbers, and its peculiarities. */
@NullMarked
package org.trainyard.env.workload.trace.audit;

import org.jspecify.annotations.NullMarked;
