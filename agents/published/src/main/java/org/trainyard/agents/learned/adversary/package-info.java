/**
 * The two-player game of online allocation: a pricing policy against an adversary that chooses the requests, both
 * learned.
 */
@NullMarked
package org.trainyard.agents.learned.adversary;

import org.jspecify.annotations.NullMarked;
