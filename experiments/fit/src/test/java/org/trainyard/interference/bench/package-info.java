/** Benchmarks of the predictors. */
@org.jspecify.annotations.NullMarked
package org.trainyard.interference.bench;
