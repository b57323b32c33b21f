/** The files from which the clusters of a service come back. */
@NullMarked
package org.trainyard.experiments.service.journal;

import org.jspecify.annotations.NullMarked;
