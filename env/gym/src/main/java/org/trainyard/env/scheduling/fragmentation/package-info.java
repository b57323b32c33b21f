/** Fragmentation of free GPUs with respect to a workload (FGD). */
@NullMarked
package org.trainyard.env.scheduling.fragmentation;

import org.jspecify.annotations.NullMarked;
