/** The parts of the HTTP server by themselves. */
@NullMarked
package org.trainyard.experiments.service.journal;

import org.jspecify.annotations.NullMarked;
