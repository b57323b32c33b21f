@NullMarked
package org.trainyard.experiments.drive.kubernetes;

import org.jspecify.annotations.NullMarked;
