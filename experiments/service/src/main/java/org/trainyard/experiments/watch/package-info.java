/** What {@code watch} serves: a page that replays a recorded run, and the parts of the recording that it asks for. */
@NullMarked
package org.trainyard.experiments.watch;

import org.jspecify.annotations.NullMarked;
