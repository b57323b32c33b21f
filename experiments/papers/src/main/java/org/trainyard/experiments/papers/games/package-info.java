/**
 * Training of the allocation games of adversarial online allocation: configs, runs, and their door to {@code train}.
 */
@NullMarked
package org.trainyard.experiments.papers.games;

import org.jspecify.annotations.NullMarked;
