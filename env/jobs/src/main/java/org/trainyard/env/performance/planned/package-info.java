/** Iteration times of jobs whose parallelism is planned for the GPUs they get. */
@NullMarked
package org.trainyard.env.performance.planned;

import org.jspecify.annotations.NullMarked;
