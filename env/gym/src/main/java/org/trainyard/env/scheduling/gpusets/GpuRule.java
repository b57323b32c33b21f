package org.trainyard.env.scheduling.gpusets;

/** Which of the free GPUs of a server a gang takes, where their links differ. */
public enum GpuRule {
    /** The GPUs of the socket that fits most tightly, whatever their links. */
    SOCKET,
    /** The GPUs with the widest ring; of equals those whose loss harms the next gangs least. */
    WIDEST,
    /**
     * The GPUs with the widest ring for a gang that narrow rings slow down; for another, those whose loss harms the
     * next gangs least (the rule of MAPA: K. Ranganath et al., SC 2021).
     */
    PRESERVE,
    /** The widest ring or the least loss, whichever is cheaper: both are candidates. */
    BOTH;

    /** The place among the rules, as settings have it. */
    @SuppressWarnings("EnumOrdinal")
    public int number() {
        return ordinal();
    }

    @SuppressWarnings("EnumOrdinal")
    public static GpuRule of(double number) {
        return values()[(int) number];
    }
}
