package org.trainyard.experiments.build;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Types of which other code reads something else than before: a signature, a constant, a supertype. Code that names none
 * of them, neither in its source nor in its classes, is compiled as before, except when supertypes or type parameters
 * changed, on which also code depends that does not name the type.
 */
final class ChangedTypes {
    /** As class files name them. */
    private final Set<String> types = new HashSet<>();

    /** Without package and outer type. */
    private final Set<String> names = new HashSet<>();

    private boolean areAllAffected;

    boolean isEmpty() {
        return names.isEmpty() && !areAllAffected;
    }

    void addName(String name) {
        names.add(name);
    }

    /** Adds the types that differ, and the types that inherit from them. */
    void compare(Map<String, TypeInterface> before, Map<String, TypeInterface> after) {
        Set<String> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        int known;
        do {
            known = types.size();
            for (String type : all) {
                TypeInterface was = before.getOrDefault(type, TypeInterface.NONE);
                TypeInterface is = after.getOrDefault(type, TypeInterface.NONE);
                boolean isLocal = was.isLocal() && is.isLocal();
                boolean differs = !was.equals(is) || is.supertypes().stream().anyMatch(types::contains);
                if (!isLocal && differs) {
                    types.add(type);
                    addName(type.substring(Math.max(type.lastIndexOf('/'), type.lastIndexOf('$')) + 1));
                    areAllAffected |= before.containsKey(type) && after.containsKey(type) && !was.hasHeaderOf(is);
                }
            }
        } while (known != types.size());
    }

    /** Whether code with this text, a source or a class file of a letter a byte, may read one of the types. */
    boolean mayBeReadBy(String text) {
        return areAllAffected || names.stream().anyMatch(name -> isNamedIn(text, name));
    }

    private static boolean isNamedIn(String text, String name) {
        for (int start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + 1)) {
            int end = start + name.length();
            boolean isWhole = (start == 0 || !isOfAName(text.charAt(start - 1)))
                    && (end == text.length() || !isOfAName(text.charAt(end)));
            if (isWhole) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfAName(char letter) {
        return letter == '_' || (letter < 128 && Character.isLetterOrDigit(letter));
    }
}
