/** Clusters and arriving jobs as clients of the service describe them. */
@NullMarked
package org.trainyard.experiments.service.input;

import org.jspecify.annotations.NullMarked;
