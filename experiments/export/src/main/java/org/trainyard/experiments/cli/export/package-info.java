/** The command that exports a trained policy. */
@NullMarked
package org.trainyard.experiments.cli.export;

import org.jspecify.annotations.NullMarked;
