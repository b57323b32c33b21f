package org.trainyard.env.workload.log;

import java.util.List;
import java.util.stream.Stream;
import org.trainyard.env.PluginKind;

/** Formats of logs that jars from outside the project add. */
public final class PluggedLogs implements PluginKind<LogPlugin> {
    @Override
    public Class<LogPlugin> service() {
        return LogPlugin.class;
    }

    @Override
    public void plug(List<LogPlugin> plugins) {
        LogFormats.plug(plugins);
    }

    @Override
    public Stream<String> names(LogPlugin plugin) {
        return plugin.formats().stream().map(format -> "format of logs " + format.label());
    }
}
