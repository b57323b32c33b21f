package org.trainyard.experiments.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.trainyard.env.InputException;
import org.trainyard.experiments.io.JsonText;

/**
 * Runs {@code sacct}, {@code sacctmgr show}, {@code squeue} and {@code sinfo}, which only read, and {@code scontrol},
 * each within a time limit.
 *
 * @param user for messages, which command of ours asks
 * @param before words in front of each command, such as {@code ssh head}; may be empty
 */
public record SlurmCommands(String user, List<String> before, int limitSeconds) {
    /** The columns of accounting that are followed. */
    public static final String COLUMNS =
            "JobID,JobIDRaw,JobName,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,"
                    + "Timelimit,AllocTRES,ReqTRES,NNodes,NodeList,Reservation,Priority";

    private static final Set<String> OUT =
            Set.of("DOWN", "DRAIN", "DRAINED", "DRAINING", "FAIL", "FAILING", "MAINT", "ERROR", "UNKNOWN", "FUTURE");

    /** Words with which {@code scontrol} says that nobody has refused anything: the controller was not reached. */
    private static final Pattern UNREACHED = Pattern.compile(
            "(?i)unable to contact|timed out|connection refused|communication|controller is.*standby" + "|zero bytes");

    /**
     * Words with which a command that ran out of time says that its configuration is wrong, which another try does not
     * mend.
     */
    private static final Pattern MISCONFIGURED = Pattern.compile("(?i)cannot stat file|configuration file");

    /** Exit code of {@code ssh} where it has not reached the other machine. */
    private static final int NO_SSH = 255;

    /** Names become words of commands, which a shell may see. */
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]*");

    private static final String SLURM = "Slurm";
    private static final int MOST_BYTES = 1 << 28;
    private static final int MOST_WORDS = 300;

    /** A thread for each stream, since one may wait for as long as a process lives that nobody ends. */
    private static final Executor READERS = task -> {
        Thread thread = new Thread(task, "output of a command");
        thread.setDaemon(true);
        thread.start();
    };

    public SlurmCommands {
        before = List.copyOf(before);
    }

    /** Accounting since a day, a header and rows separated by bars. */
    public String accounting(String since) {
        return run("sacct", "-a", "-X", "-P", "-D", "-S", since, "-o", COLUMNS);
    }

    /** Names of a kind that accounting knows; none where there is no accounting. */
    public Set<String> accounted(String kind, String column) {
        Ended ended = ended(List.of("sacctmgr", "-nP", "show", kind, "format=" + column));
        Set<String> names = new TreeSet<>();
        if (ended.code() == 0) {
            ended.printed()
                    .lines()
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .forEach(names::add);
        }
        return names;
    }

    /** Whether the machine of Slurm's commands knows a user. */
    public boolean hasUser(String name) {
        return USER.matcher(name).matches() && ended(List.of("id", "-u", name)).code() == 0;
    }

    /** The configuration in force, beginning with the time. */
    public String configuration() {
        return run("scontrol", "show", "config");
    }

    /**
     * Output of a command with {@code --json}, which ends with code 0 and empty lists where it has not reached the
     * controller: an answer with errors is none.
     *
     * @throws UnansweredException where there is no answer
     */
    public JsonNode json(String command) {
        List<String> words = List.of(command, "--json");
        Ended ended = ended(words);
        ended.requireSuccess(user, words);
        String text = ended.printed();
        JsonNode answer = read(command, text);
        List<String> errors = new ArrayList<>();
        answer.path("errors")
                .forEach(error -> errors.add("%s: %s"
                        .formatted(
                                error.path("source").asText("an error"),
                                error.path("description")
                                        .asText(error.path("error").asText("without words")))));
        if (!errors.isEmpty()) {
            errors.add(ended.complained());
            errors.removeIf(String::isEmpty);
            throw new UnansweredException(SLURM, words, String.join("; ", errors));
        }
        return answer;
    }

    private JsonNode read(String command, String text) {
        try {
            return JsonText.read(text);
        } catch (IllegalArgumentException e) {
            throw new UnreadableAnswerException(InputException.at(
                    user,
                    "%s --json: %s".formatted(command, text.substring(0, Math.min(60, text.length()))),
                    "JSON, which Slurm prints from 21.08 on"));
        }
    }

    /** Runs {@code scontrol}; returns why Slurm refuses it, in its words, or an empty text. */
    public String control(List<String> words) {
        List<String> command = new ArrayList<>(List.of("scontrol"));
        command.addAll(words);
        Ended ended = ended(command);
        if (ended.code() == 1 && !UNREACHED.matcher(ended.complained()).find()) {
            return ended.complained().isEmpty() ? "code 1 without a word" : ended.complained();
        }
        ended.requireSuccess(user, command);
        return "";
    }

    /** Whether a node, as {@code sinfo --json} prints it, takes no jobs. */
    public static boolean isOut(JsonNode node) {
        Set<String> states = words(node.path("state"));
        states.addAll(words(node.path("state_flags")));
        return states.stream().anyMatch(OUT::contains);
    }

    /** The words of a text or a list in capitals. */
    public static Set<String> words(JsonNode node) {
        Set<String> words = new TreeSet<>();
        if (node.isArray()) {
            node.forEach(one -> words.add(one.asText().toUpperCase(Locale.ROOT)));
        } else if (node.isTextual()) {
            words.add(node.asText().toUpperCase(Locale.ROOT));
        }
        return words;
    }

    /** How a command ended. */
    private record Ended(int code, String printed, String complained) {
        void requireSuccess(String user, List<String> words) {
            if (code == NO_SSH || (code != 0 && UNREACHED.matcher(complained).find())) {
                throw new UnansweredException(SLURM, words, complained.isEmpty() ? "code " + code : complained);
            }
            if (code != 0) {
                throw new UnreadableAnswerException(InputException.at(
                        user, String.join(" ", words), "success, not code %d (%s)".formatted(code, complained)));
            }
        }
    }

    private String run(String... words) {
        Ended ended = ended(List.of(words));
        ended.requireSuccess(user, List.of(words));
        return ended.printed();
    }

    private Ended ended(List<String> words) {
        List<String> command = new ArrayList<>(before);
        command.addAll(words);
        String said = String.join(" ", command);
        Process process;
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            // Users may have times written relative to today.
            builder.environment().put("SLURM_TIME_FORMAT", "standard");
            process = builder.start();
        } catch (IOException e) {
            throw new UnreadableAnswerException(
                    InputException.at(user, command.get(0), "a command that runs here (%s)".formatted(e.getMessage())));
        }
        try (InputStream out = process.getInputStream();
                InputStream err = process.getErrorStream()) {
            CompletableFuture<String> printed = CompletableFuture.supplyAsync(() -> printed(out), READERS);
            Complaint complaint = new Complaint(err);
            if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
                end(process);
                throw late(words, said, complaint.line());
            }
            String text = printed.completeOnTimeout(null, limitSeconds, TimeUnit.SECONDS)
                    .join();
            if (text == null) {
                throw late(words, said, complaint.line());
            }
            return new Ended(process.exitValue(), text, complaint.line());
        } catch (IOException e) {
            throw new UnreadableAnswerException(
                    InputException.at(user, said, "output that can be read (%s)".formatted(e.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnreadableAnswerException(InputException.at(user, said, "time to end"));
        } finally {
            end(process);
        }
    }

    /** The command first: a shell would complain of the end of its child. */
    private static void end(Process process) {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    private InputException late(List<String> words, String said, String complained) {
        String limit = "within %d s (--timeout)".formatted(limitSeconds);
        return MISCONFIGURED.matcher(complained).find()
                ? new UnreadableAnswerException(
                        InputException.at(user, said, "an answer %s, not %s".formatted(limit, complained)))
                : new UnansweredException(
                        SLURM, words, complained.isEmpty() ? limit : "%s: %s".formatted(limit, complained));
    }

    private static String printed(InputStream in) {
        try {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * The first characters of an error stream; the rest is read, too, for a command blocks when nothing drains its
     * output. A process that the command leaves behind, such as the master of {@code ssh}, may hold the stream open.
     */
    private static final class Complaint {
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
        private final CompletableFuture<Void> heard;

        Complaint(InputStream in) {
            heard = CompletableFuture.runAsync(() -> hear(in), READERS);
        }

        private void hear(InputStream in) {
            try {
                for (int next = in.read(); next >= 0; next = in.read()) {
                    if (begun.size() < MOST_WORDS) {
                        begun.write(next);
                    }
                }
            } catch (IOException e) {
                // The command has ended, or was ended.
            }
        }

        /** Text so far when the stream ends, or a second after the command. */
        String line() {
            heard.completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
            return begun.toString(StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
        }
    }
}
