/** Forests of pairs, grown by XGBoost. */
@NullMarked
package org.trainyard.interference.forest;

import org.jspecify.annotations.NullMarked;
