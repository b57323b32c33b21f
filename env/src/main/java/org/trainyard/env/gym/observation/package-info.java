/** Observations: sections, columns and their writers. */
@NullMarked
package org.trainyard.env.gym.observation;

import org.jspecify.annotations.NullMarked;
