// Gson reads a number into a Map as a Double, unless told otherwise.

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;

public class Int64 {
    static final Gson GSON = new GsonBuilder()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();

    static String send(String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("BASE_URL") + path))
                .header("Authorization", "Bearer " + System.getenv("KEY"))
                .header("Content-Type", "application/json");
        if (body != null) request.POST(BodyPublishers.ofString(body));
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
    }

    public static void main(String[] args) throws Exception {
        var first = (Map<?, ?>) GSON.fromJson(send("/pets?limit=1", null), List.class).get(0);
        var body = GSON.toJson(Map.of("name", "Sunny, cream Maine Coon", "categoryId", first.get("categoryId")));
        var created = GSON.fromJson(send("/pets", body), Map.class);
        System.out.println(first.get("id") + " " + created.get("categoryId"));
    }
}
