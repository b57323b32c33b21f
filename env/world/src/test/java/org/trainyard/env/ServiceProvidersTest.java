package org.trainyard.env;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServiceProvidersTest {
    /** Offered by two classes, the later one by name first. */
    public interface Door {}

    /** One of them. */
    public static final class First implements Door {}

    /** The other. */
    public static final class Second implements Door {}

    /** Offered by nobody. */
    public interface Wall {}

    @Test
    void implementations_come_in_the_order_of_their_names_whatever_that_of_the_file() {
        assertThat(ServiceProviders.all(Door.class)).hasExactlyElementsOfTypes(First.class, Second.class);
        assertThat(ServiceProviders.first(Door.class)).containsInstanceOf(First.class);
    }

    @Test
    void an_interface_that_nobody_offers_has_none() {
        assertThat(ServiceProviders.all(Wall.class)).isEmpty();
        assertThat(ServiceProviders.first(Wall.class)).isEmpty();
    }
}
