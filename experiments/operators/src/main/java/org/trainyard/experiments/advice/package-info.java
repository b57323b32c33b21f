/**
 * Which scheduler would serve a cluster best, from a log of its jobs: the past, its reproduction, the schedulers
 * compared, and the trust they deserve.
 */
@NullMarked
package org.trainyard.experiments.advice;

import org.jspecify.annotations.NullMarked;
