/** Utilities of jobs: their value to their owners by when, or by how far, they are trained. */
@NullMarked
package org.trainyard.env.workload.utility;

import org.jspecify.annotations.NullMarked;
