/** Records of a run beside its event log: metrics over time, the history of each job, and the reasons of decisions. */
@NullMarked
package org.trainyard.experiments.timeline;

import org.jspecify.annotations.NullMarked;
