package org.trainyard.env.topology;

/** The links of a data centre by tier. A link stands for one of possibly many in parallel, see {@link SwitchGraph}. */
public record Fabric(Link nvlink, Link pcie, Link nic, Link tor, Link spine) {

    /**
     * NVLink 150 GB/s, PCIe 12 GB/s, NICs of 100 Gb/s; a ring that leaves its rack gets 10 GB/s of the uplinks and 8
     * GB/s between pods (100 Gb/s less what hash collisions between flows cost). Round figures of a V100-class cluster,
     * chosen by us.
     */
    public static final Fabric DEFAULT =
            new Fabric(Link.of(150, 1), Link.of(12, 2), Link.of(12.5, 5), Link.of(10, 6), Link.of(8, 8));

    public Link of(LinkClass tier) {
        return switch (tier) {
            case NVLINK -> nvlink;
            case PCIE -> pcie;
            case NIC -> nic;
            case TOR -> tor;
            case SPINE -> spine;
        };
    }

    /** This fabric with equal links everywhere outside the servers. */
    public Fabric withNetwork(Link link) {
        return new Fabric(nvlink, pcie, link, link, link);
    }
}
