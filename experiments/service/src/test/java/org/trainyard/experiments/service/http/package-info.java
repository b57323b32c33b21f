/** The parts of the HTTP server by themselves. */
@NullMarked
package org.trainyard.experiments.service.http;

import org.jspecify.annotations.NullMarked;
