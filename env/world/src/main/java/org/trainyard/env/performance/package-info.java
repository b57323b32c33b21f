/** Performance models: the rate of a placed job by compute, ring all-reduce and interference. */
@NullMarked
package org.trainyard.env.performance;

import org.jspecify.annotations.NullMarked;
