/** Training runs whose batch size changes as they progress. */
@NullMarked
package org.trainyard.env.workload.adaptive;

import org.jspecify.annotations.NullMarked;
