/** The fit of a predictor to measured co-locations, and its files. */
@NullMarked
package org.trainyard.interference.fit;

import org.jspecify.annotations.NullMarked;
