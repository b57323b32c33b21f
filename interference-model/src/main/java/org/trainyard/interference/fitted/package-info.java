/** A predictor fitted to measurements as a whole: models, intervals, folder, and its face towards the simulator. */
@NullMarked
package org.trainyard.interference.fitted;

import org.jspecify.annotations.NullMarked;
