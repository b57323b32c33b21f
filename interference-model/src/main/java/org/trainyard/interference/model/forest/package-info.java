/** Random forests grown by XGBoost, for pairs of jobs and for run times. */
@NullMarked
package org.trainyard.interference.model.forest;

import org.jspecify.annotations.NullMarked;
