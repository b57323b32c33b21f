/** Jobs: what a scheduler may know of them, where they come from (trace files, a generator) and what stays secret. */
@NullMarked
package org.trainyard.env.workload;

import org.jspecify.annotations.NullMarked;
