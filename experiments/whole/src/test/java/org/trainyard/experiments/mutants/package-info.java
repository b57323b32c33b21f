@NullMarked
package org.trainyard.experiments.mutants;

import org.jspecify.annotations.NullMarked;
