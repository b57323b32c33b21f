/**
 * Pipeline parallelism: layer profiles, the order of micro-batches, the schedule of one iteration, its bounds and its
 * memory.
 */
@NullMarked
package org.trainyard.env.pipeline;

import org.jspecify.annotations.NullMarked;
