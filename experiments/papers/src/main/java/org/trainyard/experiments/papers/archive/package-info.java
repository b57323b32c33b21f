/** Files of published archives. */
@NullMarked
package org.trainyard.experiments.papers.archive;

import org.jspecify.annotations.NullMarked;
