package org.trainyard.env;

import java.util.EnumSet;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A constant of an enum with a label, by which files and command lines call it: {@code split-rows} of SPLIT_ROWS. */
public interface Labelled {
    String name();

    /** The name in lower case, its words joined by hyphens. */
    default String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant of a label; null for none. */
    static <E extends Enum<E> & Labelled> @Nullable E parse(Class<E> type, String label) {
        return EnumSet.allOf(type).stream()
                .filter(one -> one.label().equals(label))
                .findFirst()
                .orElse(null);
    }

    /**
     * The constant of a label, whatever its case.
     *
     * @param place the option or key that has the label
     * @throws InputException that lists all labels, for another text
     */
    static <E extends Enum<E> & Labelled> E named(String place, Class<E> type, String text) {
        E found = parse(type, text.toLowerCase(Locale.ROOT));
        if (found == null) {
            throw InputException.at(
                    place,
                    text,
                    EnumSet.allOf(type).stream().map(Labelled::label).collect(Collectors.joining(", ")));
        }
        return found;
    }
}
