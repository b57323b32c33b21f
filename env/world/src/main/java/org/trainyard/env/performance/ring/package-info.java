/** Performance models of data-parallel jobs with ring all-reduce. */
@NullMarked
package org.trainyard.env.performance.ring;

import org.jspecify.annotations.NullMarked;
