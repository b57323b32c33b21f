/**
 * Knowledge of schedulers about two jobs on one GPU: a belief, their measured slowdowns while they ran, or only the
 * mean of all pairs.
 */
@NullMarked
package org.trainyard.env.scheduling.pairs;

import org.jspecify.annotations.NullMarked;
