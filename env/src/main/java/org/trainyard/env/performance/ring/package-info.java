/** Rates of jobs that synchronise gradients by ring all-reduce. */
@NullMarked
package org.trainyard.env.performance.ring;

import org.jspecify.annotations.NullMarked;
