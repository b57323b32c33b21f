/** Runs schedulers over episodes, scores them, and compares them in pairs with confidence intervals. */
@NullMarked
package org.trainyard.experiments.evaluation;

import org.jspecify.annotations.NullMarked;
