/** Intervals of schedulers' figures on one log, by a bootstrap over blocks of its time. */
@NullMarked
package org.trainyard.experiments.blocks;

import org.jspecify.annotations.NullMarked;
