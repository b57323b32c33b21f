/** What is in a trace, in numbers, and what a careful reader would notice. */
@NullMarked
package org.trainyard.env.workload.trace.audit;

import org.jspecify.annotations.NullMarked;
