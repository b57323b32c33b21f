/** The command that replays a real cluster. */
@NullMarked
package org.trainyard.experiments.cli.twin;

import org.jspecify.annotations.NullMarked;
