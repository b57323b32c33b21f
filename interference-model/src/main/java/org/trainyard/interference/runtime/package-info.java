/** How long a job will run, guessed from its submission and from jobs that have finished. */
@NullMarked
package org.trainyard.interference.runtime;

import org.jspecify.annotations.NullMarked;
