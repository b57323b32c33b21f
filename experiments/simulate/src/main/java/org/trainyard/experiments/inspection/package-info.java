/** Reports on traces, topologies, checkpoints and models, as {@code inspect} prints them. */
@NullMarked
package org.trainyard.experiments.inspection;

import org.jspecify.annotations.NullMarked;
