import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DocumentsApi;
import org.openapitools.client.api.PartiesApi;
import org.openapitools.client.api.PaymentIntentsApi;
import org.openapitools.client.api.RatesApi;
import org.openapitools.client.model.*;

/** Pays tuition by bank transfer, and lists what is completed, with the client that openapi-generator makes. */
class Job {
  private final ApiClient client = new ApiClient();
  private final PaymentIntentsApi intents;

  private Job(String baseUrl, String apiKey) {
    client.updateBaseUri(baseUrl);
    client.setRequestInterceptor(request -> request.header("X-API-Key", apiKey));
    intents = new PaymentIntentsApi(client);
  }

  public static void main(String[] args) throws Exception {
    System.out.println(new ObjectMapper().writeValueAsString(new Job(args[0], args[1]).run()));
  }

  private Map<String, Object> run() throws Exception {
    QuoteQuestion question = new QuoteQuestion()
        .payouts(List.of(new QuoteQuestionPayoutsInner().payeeId(5001L).amount(1500.0)))
        .countryCode(CountryCode.BR)
        .paymentType(PaymentType.PROVIDER);
    Quote quote = new RatesApi(client).createQuote(question).getData();
    StudentInput ana = new StudentInput().firstName("Ana").lastName("Silva").email("ana@example.com");
    String student = new PartiesApi(client).createStudent(ana).getData().getRecordId();
    String document = new DocumentsApi(client).uploadDocument(passport()).getData().getDocumentId().toString();
    String id = intents.createPaymentIntent(tuitionRequest(quote, student, document)).getData().getId();
    DryRun evaluation = intents.dryRunPaymentIntent(id).getData();
    intents.submitPaymentIntent(id, "key-" + id, null);
    PaymentIntent intent = untilItEnds(id);

    String filter = new ObjectMapper().writeValueAsString(Map.of("status", "completed", "payer.partyId", student));
    return Map.of(
        "id", intent.getId(),
        "status", intent.getStatus().getValue(),
        "missing", evaluation.getRule().getMissingRequirements(),
        "account", intent.getConnectorPayment().getTransactionBankDetails().getAccountNumber(),
        "paymentIds", intent.getExecutions().stream().flatMap(one -> one.getConnectorPaymentIds().stream()).toList(),
        "completed", completed(),
        "found", idsOf(list(null, filter, null, null, null)));
  }

  private static File passport() throws Exception {
    return Files.writeString(Path.of("passport.pdf"), "%PDF-1.7 a passport").toFile();
  }

  private static PaymentIntentInput tuitionRequest(Quote quote, String studentId, String documentId) {
    QuoteVariant variant = quote.getVariants().stream()
        .filter(one -> one.getMeta().getCategory() == VariantMeta.CategoryEnum.BANK_TRANSFER)
        .findFirst()
        .orElseThrow();
    List<RecipientInput> recipients = quote.getPayouts().stream()
        .map(payout -> new RecipientInput()
            .role(RecipientRole.EDUCATION_PROVIDER)
            .connectorPayeeId(payout.getPayeeId())
            .amount(new RecipientAmountInput().payerAmount(String.format(Locale.ROOT, "%.2f", payout.getPayerAmount()))))
        .toList();
    ManualPaymentInput manualPayment = new ManualPaymentInput()
        .quoteId(quote.getQuoteId().toString())
        .selectedQuoteVariantId(new ManualPaymentInputSelectedQuoteVariantId(variant.getId()))
        .purpose(Purpose.UNDERGRADUATE)
        .countryCode(CountryCode.BR)
        .payerIdentityDocumentId(documentId);
    return new PaymentIntentInput()
        .useCase(UseCase.EDUCATION_PROVIDER_TUITION)
        .deliveryMode(PaymentIntentInput.DeliveryModeEnum.MANUAL)
        .amountMode(AmountMode.PAYER_FIXED)
        .payer(new IntentPayerInput().role(PayerRole.STUDENT).partyId(studentId))
        .recipients(recipients)
        .instructions(new PaymentIntentInputInstructions().manualPayment(manualPayment))
        .termsAccepted(true);
  }

  private PaymentIntent untilItEnds(String id) throws Exception {
    while (true) {
      PaymentIntent intent = intents.getPaymentIntent(id, null).getData();
      if (intent.getStatus() != PaymentIntentStatus.EXECUTING) return intent;
      Thread.sleep(100);
    }
  }

  /** Small pages, so that there is a second one. */
  private List<String> completed() throws ApiException {
    List<String> ids = new ArrayList<>();
    String cursor = null;
    do {
      PaymentIntentPage page = list(PaymentIntentStatus.COMPLETED, null, cursor, 2, "-createdAt");
      ids.addAll(idsOf(page));
      cursor = page.getNextCursor();
    } while (cursor != null);
    return ids;
  }

  private PaymentIntentPage list(PaymentIntentStatus status, String filter, String cursor, Integer limit, String sort)
      throws ApiException {
    return intents.listPaymentIntents(
        status, null, null, null, null, null, null, null, filter, null, cursor, limit, sort, null, null, null);
  }

  private static List<String> idsOf(PaymentIntentPage page) {
    return page.getData().getPaymentIntents().stream().map(one -> one.getPaymentIntentItem().getId()).toList();
  }
}
