@NullMarked
package org.trainyard.experiments.drive;

import org.jspecify.annotations.NullMarked;
