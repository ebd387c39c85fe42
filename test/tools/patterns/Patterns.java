import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Reads lines of a pattern, a text (UTF-8 in hexadecimal) and 1 or 0; says where java.util.regex disagrees. */
class Patterns {
    public static void main(String[] args) throws Exception {
        boolean isWrong = false;
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] parts = line.split(",", -1);
            String pattern = decode(parts[0]);
            String text = decode(parts[1]);
            if (Pattern.compile(pattern).matcher(text).find() == parts[2].equals("1")) continue;
            System.err.println(pattern + " on '" + text + "'");
            isWrong = true;
        }
        System.exit(isWrong ? 1 : 0);
    }

    static String decode(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal), StandardCharsets.UTF_8);
    }
}
