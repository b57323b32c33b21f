/**
 * What a run records beside its event log: metrics over time, what happened to each job, and why its scheduler decided.
 */
@NullMarked
package org.trainyard.experiments.timeline;

import org.jspecify.annotations.NullMarked;
