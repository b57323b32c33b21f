/** Where independent tasks run: threads of this process, or machines. */
@NullMarked
package org.trainyard.experiments.distributed;

import org.jspecify.annotations.NullMarked;
