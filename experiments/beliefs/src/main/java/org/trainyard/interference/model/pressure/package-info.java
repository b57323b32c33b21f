/** Sensitivity times pressure: with the pressures of job profiles, and with pressures fitted to measurements. */
@NullMarked
package org.trainyard.interference.model.pressure;

import org.jspecify.annotations.NullMarked;
