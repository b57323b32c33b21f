/** Policies and schedulers compared on test episodes. */
@NullMarked
package org.trainyard.experiments.comparison;

import org.jspecify.annotations.NullMarked;
