/**
 * Interruption of running jobs: what a scheduler asks of the module that plans evictions and finds migrations, and what
 * they cost.
 */
@NullMarked
package org.trainyard.env.scheduling.interruption;

import org.jspecify.annotations.NullMarked;
