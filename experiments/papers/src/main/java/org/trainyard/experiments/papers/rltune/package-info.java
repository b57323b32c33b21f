/** Windows of Philly's jobs under priorities, learned and not, in the environment that RLTune's authors released. */
@NullMarked
package org.trainyard.experiments.papers.rltune;

import org.jspecify.annotations.NullMarked;
