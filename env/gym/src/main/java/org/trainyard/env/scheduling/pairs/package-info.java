/**
 * What schedulers know of two jobs on one GPU: a belief, what they measured while they ran, or only the mean of all
 * pairs.
 */
@NullMarked
package org.trainyard.env.scheduling.pairs;

import org.jspecify.annotations.NullMarked;
