@NullMarked
package org.trainyard.experiments.libraries;

import org.jspecify.annotations.NullMarked;
