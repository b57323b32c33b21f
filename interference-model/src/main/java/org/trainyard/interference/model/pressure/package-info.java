/** Pressure and sensitivity of job types, fitted to measurements. */
@NullMarked
package org.trainyard.interference.model.pressure;

import org.jspecify.annotations.NullMarked;
