/** The jobs of the paper on Dally. */
@NullMarked
package org.trainyard.env.workload.dally;

import org.jspecify.annotations.NullMarked;
