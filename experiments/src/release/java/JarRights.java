import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes a jar again without the rights of its files, which are those that the mask of the building account
 * happened to leave. Names, order, dates and contents stay.
 */
final class JarRights {
    private JarRights() {}

    /** Argument: the jar; nothing happens when there is none. */
    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        if (!Files.exists(jar)) {
            return;
        }
        Path written = jar.resolveSibling(jar.getFileName() + ".part");
        try (ZipFile from = new ZipFile(jar.toFile());
                OutputStream file = Files.newOutputStream(written);
                ZipOutputStream to = new ZipOutputStream(file)) {
            for (ZipEntry entry : List.copyOf(from.stream().toList())) {
                ZipEntry plain = new ZipEntry(entry.getName());
                plain.setTimeLocal(entry.getTimeLocal());
                to.putNextEntry(plain);
                try (InputStream content = from.getInputStream(entry)) {
                    content.transferTo(to);
                }
                to.closeEntry();
            }
        }
        Files.move(written, jar, StandardCopyOption.REPLACE_EXISTING);
    }
}
