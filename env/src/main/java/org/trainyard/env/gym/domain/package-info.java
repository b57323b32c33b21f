/** The servers that each agent owns and the jobs that wait for them. */
@NullMarked
package org.trainyard.env.gym.domain;

import org.jspecify.annotations.NullMarked;
