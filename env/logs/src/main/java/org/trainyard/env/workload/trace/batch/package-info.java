/**
 * Logs of batch systems and simulators that are no tables: PBS, LSF, HTCondor, Batsim, Philly, the Standard Workload
 * Format.
 */
@NullMarked
package org.trainyard.env.workload.trace.batch;

import org.jspecify.annotations.NullMarked;
