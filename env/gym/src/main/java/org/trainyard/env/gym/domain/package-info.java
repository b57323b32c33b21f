/** Domains of servers, one per agent, and their queues of waiting jobs. */
@NullMarked
package org.trainyard.env.gym.domain;

import org.jspecify.annotations.NullMarked;
