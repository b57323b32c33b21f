/** The families of schedulers that clusters run, as the registry lists them. */
@NullMarked
package org.trainyard.agents.production;

import org.jspecify.annotations.NullMarked;
