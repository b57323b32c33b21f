@NullMarked
package org.trainyard.experiments.truth;

import org.jspecify.annotations.NullMarked;
