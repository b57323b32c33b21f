package org.trainyard.experiments.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pages are short: their lines, sentences, the pages and all Markdown. Comments of the code stand alone. */
class ProseTest {
    private static final Path ROOT = Path.of(System.getProperty("trainyard.root", ".."));
    private static final Path DOCS = ROOT.resolve("experiments/docs");

    private static final int CHARACTERS_OF_A_LINE = 200;
    private static final int WORDS_OF_A_SENTENCE = 35;
    private static final int WORDS_OF_A_PAGE = 1_500;

    /** Ceilings of words, tables and code included; a page that is added takes its words from another. */
    private static final int WORDS_IN_ALL = 72_000;

    private static final int WORDS_OF_GUIDES = 14_000;
    private static final int WORDS_OF_NOTEBOOK = 10_500;

    /** Folders without pages of ours: what a build, a run or an environment writes, and frozen answers of commands. */
    private static final Set<String> LEFT_OUT = Set.of("target", "runs", "node_modules", "frozen", ".git", ".venv");

    /** Made from the code, a row or a section for each thing that there is. */
    private static final Path REFERENCE = DOCS.resolve("reference");

    /** A line for each change, and no page to read through. */
    private static final Path CHANGES = ROOT.resolve("CHANGELOG.md");

    /** A counted noun in the plural, in a format of Java's own. */
    private static final Pattern COUNTED =
            Pattern.compile("(\"(?:[^\"\\\\\n]|\\\\.)*%[,\\d]*d (?:accounts|agents|clusters|CPUs|episodes"
                    + "|GPUs|groups|jobs|layers|lines|nodes|pods|racks|rows|runs|schedulers|servers|tasks|users)\\b"
                    + "(?:[^\"\\\\\n]|\\\\.)*\")\\s*\\.formatted\\(");

    /** The first word of a Javadoc comment that points to another member, so that the comment says nothing alone. */
    private static final Pattern POINTER = Pattern.compile(
            "/\\*\\*\\s+(?:\\*\\s+)?((?:All of (?:it|them)|Another|As|It|Its|Likewise"
                    + "|Of|One (?:as|for|more|of|over|that)|So|Such|That|The same|Their|Them|These|They|Those|What|Who|Whom"
                    + "|Whose|With|Without|For how|(?:How often|When|Whether) (?:that|they)|(?:By|For|From|In|To) (?:which|whom))\\b|\\.\\.\\.|\u2026)[^\n]*");

    private static final Pattern FENCE = Pattern.compile("\\s*```.*");
    private static final Pattern NO_PROSE = Pattern.compile("\\s*[|#<].*");
    private static final Pattern ITEM = Pattern.compile("^\\s*([-*]|\\d+\\.)\\s+");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]*]\\([^)]*\\)");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern END = Pattern.compile("(?<=[.!?])[\")*]*\\s+(?=[A-Z0-9`*\"({\\[])");
    private static final Pattern WORD = Pattern.compile("\\S*\\w\\S*");

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> StreamSupport.stream(ROOT.relativize(file).spliterator(), false)
                            .noneMatch(part -> LEFT_OUT.contains(part.toString())))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void no_line_is_longer_than_a_screen(Path page) throws IOException {
        assertThat(lines(Files.readString(page))).allMatch(line -> line.length() <= CHARACTERS_OF_A_LINE);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void no_sentence_takes_two_breaths(Path page) throws IOException {
        assertThat(sentences(Files.readString(page))).allMatch(sentence -> words(sentence) <= WORDS_OF_A_SENTENCE);
    }

    @Test
    void no_page_outside_the_reference_takes_longer_than_ten_minutes() throws IOException {
        assertThat(pages().stream().filter(page -> !page.startsWith(REFERENCE) && !page.equals(CHANGES)))
                .allSatisfy(page -> assertThat(wordsOf(page)).as("%s", page).isLessThanOrEqualTo(WORDS_OF_A_PAGE));
    }

    @Test
    void all_pages_have_no_more_words_than_their_ceilings() throws IOException {
        List<Path> pages = pages();
        assertThat(sum(pages, page -> page.startsWith(DOCS.resolve("notebook"))))
                .as("words of the notebook")
                .isPositive()
                .isLessThanOrEqualTo(WORDS_OF_NOTEBOOK);
        assertThat(sum(pages, page -> page.startsWith(DOCS.resolve("guides"))))
                .as("words of the guides")
                .isPositive()
                .isLessThanOrEqualTo(WORDS_OF_GUIDES);
        assertThat(sum(pages, page -> true)).as("words of all Markdown").isLessThanOrEqualTo(WORDS_IN_ALL);
    }

    /** A limit is more than one, and what only a programmer sees may be as it is. */
    @Test
    void what_is_counted_is_said_by_the_one_class_that_knows_singulars() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : sources()) {
            String source = Files.readString(file);
            COUNTED.matcher(source)
                    .results()
                    .filter(found -> !found.group(1).startsWith("\"at most ")
                            && !source.substring(Math.max(0, found.start() - 120), found.start())
                                    .contains("new Illegal"))
                    .forEach(found -> wrong.add(file + ": " + found.group(1)));
        }
        assertThat(wrong).as("formats for Counted.say").isEmpty();
    }

    @Test
    void no_javadoc_of_main_code_begins_with_a_word_that_only_its_neighbour_explains() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : sources()) {
            POINTER.matcher(Files.readString(file)).results().forEach(found -> wrong.add(file + ": " + found.group()));
        }
        assertThat(wrong).as("comments to begin with their noun").isEmpty();
    }

    @Test
    void a_comment_begins_on_its_first_or_second_line() {
        assertThat(POINTER.matcher("/** The same for machines. */").find()).isTrue();
        assertThat(POINTER.matcher("    /**\n     * Those of a log.\n     */").find())
                .isTrue();
        assertThat(POINTER.matcher("/** Thoseness. */ /** Jobs.\n * Those that wait. */")
                        .find())
                .isFalse();
    }

    @Test
    void code_and_tables_are_no_prose_and_a_sentence_ends_before_a_capital() {
        String text = """
                # A heading

                One `code span with words`. Two is [a link](a/very/long/path.md) of
                two lines, e.g. this.

                    an indented command of code

                - an item
                | a | table |
                ```
                fenced
                ```
                """;

        assertThat(sentences(text)).containsExactly("One CODE.", "Two is a link of two lines, e.g. this.", "an item");
        assertThat(lines(text)).contains("- an item").doesNotContain("fenced", "| a | table |");
        assertThat(words("Two is -4.3 % of 8 GPUs.")).isEqualTo(6);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file ->
                            file.toString().endsWith(".java") && file.toString().contains("src/main/java"))
                    .toList();
        }
    }

    private static int sum(List<Path> pages, Predicate<Path> chosen) throws IOException {
        int sum = 0;
        for (Path page : pages) {
            sum += chosen.test(page) ? wordsOf(page) : 0;
        }
        return sum;
    }

    /** As {@code wc -w} counts. */
    private static int wordsOf(Path page) throws IOException {
        return Files.readString(page).strip().split("\\s+").length;
    }

    private static int words(String sentence) {
        return (int) WORD.matcher(sentence).results().count();
    }

    /** The lines of a page outside its code and its tables; an empty one stands for each part that is left out. */
    private static List<String> lines(String page) {
        List<String> lines = new ArrayList<>();
        boolean isFenced = false;
        boolean isCode = false;
        String before = "";
        for (String line : page.lines().toList()) {
            boolean isFence = FENCE.matcher(line).matches();
            isFenced ^= isFence;
            isCode = line.startsWith("    ") && (isCode || before.isBlank());
            boolean isLeftOut =
                    isFence || isFenced || isCode || NO_PROSE.matcher(line).matches();
            lines.add(isLeftOut ? "" : line);
            before = line;
        }
        return lines;
    }

    private static List<String> sentences(String page) {
        List<String> sentences = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        for (String line : lines(page + "\n\n")) {
            boolean isItem = ITEM.matcher(line).find();
            if (line.isBlank() || isItem) {
                split(paragraph.toString(), sentences);
                paragraph.setLength(0);
            }
            paragraph.append(ITEM.matcher(line).replaceFirst("").strip()).append(' ');
        }
        split(paragraph.toString(), sentences);
        return sentences;
    }

    private static void split(String paragraph, List<String> sentences) {
        String plain = IMAGE.matcher(paragraph).replaceAll("");
        plain = LINK.matcher(plain).replaceAll("$1");
        plain = CODE.matcher(plain).replaceAll("CODE");
        END.splitAsStream(plain.strip()).filter(sentence -> !sentence.isBlank()).forEach(sentences::add);
    }
}
