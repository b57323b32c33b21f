/** Trainers: their settings, statistics and files, and the gradient step. */
@NullMarked
package org.trainyard.agents.learned.training;

import org.jspecify.annotations.NullMarked;
