/** Metrics of the jobs of a run: waits, JCTs, slowdowns, their distributions, fairness, and intervals over time. */
@NullMarked
package org.trainyard.experiments.metrics;

import org.jspecify.annotations.NullMarked;
