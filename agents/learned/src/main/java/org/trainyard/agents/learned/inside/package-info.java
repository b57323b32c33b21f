/**
 * The level inside servers of policies that bid: what the links allow, learned from drawn interiors, and with policies.
 */
@NullMarked
package org.trainyard.agents.learned.inside;

import org.jspecify.annotations.NullMarked;
