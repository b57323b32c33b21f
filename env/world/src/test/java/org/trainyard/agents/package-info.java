/** What the tests of all agents share. */
@NullMarked
package org.trainyard.agents;

import org.jspecify.annotations.NullMarked;
