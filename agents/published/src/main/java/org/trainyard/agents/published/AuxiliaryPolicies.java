package org.trainyard.agents.published;

import java.util.List;
import org.trainyard.agents.heuristic.freezing.FreezeRules;
import org.trainyard.agents.heuristic.provisioning.ProvisioningRules;
import org.trainyard.env.gym.registry.AuxiliaryPolicy;
import org.trainyard.env.gym.registry.OwnFamily;
import org.trainyard.env.gym.registry.SchedulerPlugin;

/** Rules that decide about frozen layers, and about host CPU and memory, beside any scheduler. */
@OwnFamily(module = "agents/published")
public final class AuxiliaryPolicies implements SchedulerPlugin {
    @Override
    public List<AuxiliaryPolicy.Family> rules() {
        return List.of(
                new AuxiliaryPolicy.Family(
                        FreezeRules.PREFIX,
                        FreezeRules.names(),
                        FreezeRules::description,
                        "frozen layers matter only to jobs that allow them",
                        FreezeRules::beside),
                new AuxiliaryPolicy.Family(
                        ProvisioningRules.PREFIX,
                        ProvisioningRules.names(),
                        ProvisioningRules::description,
                        "cores and memory are decided for jobs that train on graphs alone",
                        ProvisioningRules::beside));
    }
}
