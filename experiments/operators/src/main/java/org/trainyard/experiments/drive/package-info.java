/** Carries a scheduler's decisions out on a live manager. */
@NullMarked
package org.trainyard.experiments.drive;

import org.jspecify.annotations.NullMarked;
