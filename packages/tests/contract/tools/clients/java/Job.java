import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.Scanner;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Makes the request of each line with the client that openapi-generator makes, and prints the answer. */
class Job {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("X-API-Key", args[1]));
    ObjectMapper mapper = client.getObjectMapper();
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      System.out.println(mapper.writeValueAsString(answer(client, mapper, mapper.readTree(lines.nextLine()))));
    }
  }

  private static Object answer(ApiClient client, ObjectMapper mapper, JsonNode request) throws Exception {
    PaymentIntentsApi intents = new PaymentIntentsApi(client);
    String body = request.path("body").toString();
    String id = request.path("id").asText();
    String operation = request.path("operation").asText();
    return switch (operation) {
      case "createQuote" -> new RatesApi(client).createQuote(mapper.readValue(body, QuoteQuestion.class));
      case "createStudent" -> new PartiesApi(client).createStudent(mapper.readValue(body, StudentInput.class));
      case "uploadDocument" -> new DocumentsApi(client).uploadDocument(new File(request.path("file").asText()));
      case "createPaymentIntent" -> intents.createPaymentIntent(mapper.readValue(body, PaymentIntentInput.class));
      case "dryRunPaymentIntent" -> intents.dryRunPaymentIntent(id);
      case "submitPaymentIntent" -> intents.submitPaymentIntent(id, request.path("idempotencyKey").asText(), null);
      case "getPaymentIntent" -> intents.getPaymentIntent(id, null);
      case "listPaymentIntents" -> list(intents, mapper, request.path("query"));
      default -> throw new IllegalArgumentException(operation);
    };
  }

  private static PaymentIntentPage list(PaymentIntentsApi intents, ObjectMapper mapper, JsonNode query) throws Exception {
    return intents.listPaymentIntents(
        mapper.treeToValue(query.get("filter[status]"), PaymentIntentStatus.class),
        null, null, null, null, null, null, null,
        mapper.treeToValue(query.get("filter"), String.class),
        null,
        mapper.treeToValue(query.get("cursor"), String.class),
        mapper.treeToValue(query.get("limit"), Integer.class),
        mapper.treeToValue(query.get("sort"), String.class),
        null, null, null);
  }
}
