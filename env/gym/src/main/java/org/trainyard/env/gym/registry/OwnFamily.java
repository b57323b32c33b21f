package org.trainyard.env.gym.registry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a {@link SchedulerPlugin} of this project. Families from outside have no mark, and are listed last. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OwnFamily {
    /** The module that holds it, such as {@code agents/production}. */
    String module();

    /** Place of its rows in lists: families go by this number, then by the names of their classes. */
    int position() default Integer.MAX_VALUE;
}
