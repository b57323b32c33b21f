package org.trainyard.experiments.cli.options;

/** A block of commands in the help of the whole command line. */
public enum HelpBlock {
    OPERATE("Operate a cluster"),
    TRAIN("Train policies and predictors"),
    COMPARE("Compare schedulers"),
    LOOK("Look at files and runs");

    private final String title;

    HelpBlock(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
