/** Goodput of training jobs that adapt their batch: throughput times statistical efficiency. */
@NullMarked
package org.trainyard.env.workload.goodput;

import org.jspecify.annotations.NullMarked;
