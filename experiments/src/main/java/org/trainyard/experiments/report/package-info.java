/** What a run leaves behind for people and machines: summary, jobs, console table, HTML report, TensorBoard curves. */
@NullMarked
package org.trainyard.experiments.report;

import org.jspecify.annotations.NullMarked;
