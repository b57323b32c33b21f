/** The experiments of the FGD paper, in which jobs arrive and never end. */
@NullMarked
package org.trainyard.experiments.papers.fgd;

import org.jspecify.annotations.NullMarked;
