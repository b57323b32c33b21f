/** The experiments of the Dally paper. */
@NullMarked
package org.trainyard.experiments.papers.dally;

import org.jspecify.annotations.NullMarked;
