/** The families of schedulers that papers describe, as the registry lists them. */
@NullMarked
package org.trainyard.agents.published;

import org.jspecify.annotations.NullMarked;
