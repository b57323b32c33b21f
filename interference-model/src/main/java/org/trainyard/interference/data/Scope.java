package org.trainyard.interference.data;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trainyard.env.InputException;

/** The resource that two jobs share, from the nearest to the farthest. */
public enum Scope {
    /** The time and memory of one GPU. */
    GPU,
    /** A switch of the server's PCIe tree. */
    PCIE,
    /** A CPU socket, its memory and its NVLinks. */
    SOCKET,
    /** The server's memory and host cores. */
    SERVER,
    /** The network cards of the servers. */
    NIC,
    /** The link of a rack to the rest. */
    UPLINK;

    /** Name of the scope on a command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scope of that name; {@code place} is the option or file that holds the name. */
    public static Scope named(String place, String text) {
        for (Scope scope : values()) {
            if (scope.label().equals(text.toLowerCase(Locale.ROOT))) {
                return scope;
            }
        }
        throw InputException.at(
                place, text, Arrays.stream(values()).map(Scope::label).collect(Collectors.joining(", ")));
    }
}
