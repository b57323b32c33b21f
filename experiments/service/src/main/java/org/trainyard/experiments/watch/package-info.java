/**
 * Server of {@code watch}: a page that replays a recorded run, and the parts of the recording that the page requests.
 */
@NullMarked
package org.trainyard.experiments.watch;

import org.jspecify.annotations.NullMarked;
