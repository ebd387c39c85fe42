// Java 17 and JUnit 5. Without a build tool:
// javac -cp junit-platform-console-standalone.jar -d out PetsTest.java
// java -jar junit-platform-console-standalone.jar --class-path out --select-class PetsTest

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

@ExtendWith(PetstoreExtension.class)
class PetsTest {
    @Test
    void aCreatedPetIsListed(Petstore store) throws Exception {
        store.call("POST", "/categories", "{\"name\":\"Cats\"}");
        var created = store.call("POST", "/pets", "{\"name\":\"Sunny, cream Maine Coon\",\"categoryId\":1}");

        assertEquals("[" + created + "]", store.call("GET", "/pets", null));
    }

    @Test
    void anotherTestBeginsWithAnEmptyStore(Petstore store) throws Exception {
        store.call("POST", "/categories", "{\"name\":\"Cats\"}");
        var created = store.call("POST", "/pets", "{\"name\":\"Percy, brown Birman\",\"categoryId\":1}");

        assertTrue(created.startsWith("{\"id\":1,"), created);
    }
}

/** Gives each test the store of the run, and empties it after the test. JUnit closes the store at the end of the run. */
class PetstoreExtension implements ParameterResolver, AfterEachCallback {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Petstore.class;
    }

    @Override
    public Petstore resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return storeOf(context);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        storeOf(context).reset();
    }

    private static Petstore storeOf(ExtensionContext context) {
        return context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(Petstore.class, type -> Petstore.start(), Petstore.class);
    }
}

record Petstore(Process process, String baseUrl, String key) implements CloseableResource {
    static Petstore start() {
        try {
            var process = new ProcessBuilder(
                            "bin/petstore", "serve", "--ephemeral", "--port", "0", "--json", "--until-stdin-ends")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var line = process.inputReader().readLine();
            if (line == null) throw new IOException("The store did not start.");
            return new Petstore(process, member("baseUrl", line), member("key", line));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static String member(String name, String json) {
        var matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        if (!matcher.find()) throw new IllegalStateException("No " + name + " in " + json);
        return matcher.group(1);
    }

    String call(String method, String path, String body) throws IOException, InterruptedException {
        return send(method, baseUrl + path, body);
    }

    void reset() throws IOException, InterruptedException {
        send("POST", baseUrl.replace("/v1", "/test-bench/reset"), null);
    }

    private String send(String method, String url, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + key);
        if (body == null) request.method(method, BodyPublishers.noBody());
        else request.header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body));
        var response = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() >= 400) throw new IOException(response.body());
        return response.body();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }
}
