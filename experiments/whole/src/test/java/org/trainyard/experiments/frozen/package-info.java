@NullMarked
package org.trainyard.experiments.frozen;

import org.jspecify.annotations.NullMarked;
