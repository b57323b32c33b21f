package org.trainyard.experiments.service.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names by which a server on the loopback address is called: a page of another name in a browser of this machine is
 * not answered, though its name may resolve to this address (DNS rebinding).
 */
public final class LoopbackNames {
    private final Set<String> names = new TreeSet<>(Set.of("localhost", "127.0.0.1", "::1"));

    /** @param more names and addresses, without port */
    public LoopbackNames(List<String> more) {
        more.forEach(name -> names.add(plain(name)));
    }

    /** Whether the value of a header Host, with any port, is one of them. */
    public boolean has(String host) {
        return names.contains(plain(host.replaceFirst(":\\d*$", ""))) || names.contains(plain(host));
    }

    private static String plain(String name) {
        String text = name.toLowerCase(Locale.ROOT);
        return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    }

    /** Accepted host names of a request, for messages. */
    public String expected() {
        return "one of %s, with any port".formatted(String.join(", ", names));
    }
}
