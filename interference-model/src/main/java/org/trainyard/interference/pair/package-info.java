/** What a model of one victim and one neighbour is, how types become numbers, and the baselines. */
@NullMarked
package org.trainyard.interference.pair;

import org.jspecify.annotations.NullMarked;
