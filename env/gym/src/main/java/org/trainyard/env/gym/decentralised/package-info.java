/** Agents that decide apart, each on the jobs and servers of its own domain. */
@NullMarked
package org.trainyard.env.gym.decentralised;

import org.jspecify.annotations.NullMarked;
