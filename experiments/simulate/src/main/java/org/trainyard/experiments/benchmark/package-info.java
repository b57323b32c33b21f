/** The frozen benchmark: its tasks, the results of schedulers in them, and the tables of reference scores. */
@NullMarked
package org.trainyard.experiments.benchmark;

import org.jspecify.annotations.NullMarked;
