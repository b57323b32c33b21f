/** Jobs as schedulers know them, their true work, and predictors of run times. */
@NullMarked
package org.trainyard.env.workload;

import org.jspecify.annotations.NullMarked;
