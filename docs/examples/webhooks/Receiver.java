// Run: SECRET=whsec_… PORT=3000 java Receiver.java
// The standard library has no JSON parser: use the one of your program.

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final byte[] KEY =
      Base64.getDecoder().decode(System.getenv("SECRET").replaceFirst("^whsec_", ""));
  static final Set<String> handled = ConcurrentHashMap.newKeySet();

  static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
    String id = headers.getFirst("webhook-id");
    String timestamp = headers.getFirst("webhook-timestamp");
    String signatures = headers.getFirst("webhook-signature");
    if (id == null || signatures == null || timestamp == null) return false;
    if (!timestamp.matches("\\d{1,12}")) return false;
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    for (String signature : signatures.split(" ")) {
      if (MessageDigest.isEqual(signature.getBytes(), expected.getBytes())) return true;
    }
    return false;
  }

  static void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    int status = 401;
    try {
      if (isGenuine(exchange.getRequestHeaders(), body)) {
        String id = exchange.getRequestHeaders().getFirst("webhook-id");
        String text = new String(body, StandardCharsets.UTF_8);
        if (handled.add(id)) {
          System.out.println("Handled " + text.replaceFirst("^\\{\"id\":\\d+,\"type\":\"([a-z.]+)\".*", "$1"));
        }
        status = 204;
      }
    } catch (GeneralSecurityException failure) {
      status = 500;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", Receiver::receive);
    server.start();
    System.out.println("Listening");
  }
}
