/** Serves the environments of an experiment to programs in other languages, over a socket. */
@NullMarked
package org.trainyard.experiments.gym;

import org.jspecify.annotations.NullMarked;
