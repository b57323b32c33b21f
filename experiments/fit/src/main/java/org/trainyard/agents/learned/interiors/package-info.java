/** Training of an encoder of servers' insides on random servers. */
@NullMarked
package org.trainyard.agents.learned.interiors;

import org.jspecify.annotations.NullMarked;
