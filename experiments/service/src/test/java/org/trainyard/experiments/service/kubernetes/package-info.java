/** The parts of the HTTP server by themselves. */
@NullMarked
package org.trainyard.experiments.service.kubernetes;

import org.jspecify.annotations.NullMarked;
