/** Planners of pipelines: stages, replicas and the GPUs of each, on a set of GPUs with known bandwidths. */
@NullMarked
package org.trainyard.env.pipeline.planning;

import org.jspecify.annotations.NullMarked;
