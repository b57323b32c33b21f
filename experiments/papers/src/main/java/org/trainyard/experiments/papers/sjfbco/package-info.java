/** The experiments of the SJF-BCO paper. */
@NullMarked
package org.trainyard.experiments.papers.sjfbco;

import org.jspecify.annotations.NullMarked;
