/** The experiments of the FGD paper: jobs that only arrive. */
@NullMarked
package org.trainyard.experiments.papers.fgd;

import org.jspecify.annotations.NullMarked;
