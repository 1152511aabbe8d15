// Pays tuition by bank transfer, and lists what is completed, with the client that openapi-generator makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	api "clients/go/generated"
)

type outcome struct {
	Id         string   `json:"id"`
	Status     string   `json:"status"`
	Missing    []string `json:"missing"`
	Account    string   `json:"account"`
	PaymentIds []int64  `json:"paymentIds"`
	Completed  []string `json:"completed"`
	Found      []string `json:"found"`
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func answer[Body any](body Body, _ *http.Response, err error) Body {
	return must(body, err)
}

func passport() *os.File {
	must(0, os.WriteFile("passport.pdf", []byte("%PDF-1.7 a passport"), 0o600))
	return must(os.Open("passport.pdf"))
}

func tuitionRequest(quote api.Quote, studentId string, documentId string) api.PaymentIntentInput {
	var variantId int64
	for _, variant := range quote.Variants {
		if variant.Meta.Category == "bank-transfer" {
			variantId = variant.Id
		}
	}
	recipients := []api.RecipientInput{}
	for _, payout := range quote.Payouts {
		recipients = append(recipients, api.RecipientInput{
			Role:             api.RECIPIENTROLE_EDUCATION_PROVIDER.Ptr(),
			ConnectorPayeeId: &payout.PayeeId,
			Amount:           &api.RecipientAmountInput{PayerAmount: api.PtrString(fmt.Sprintf("%.2f", payout.PayerAmount))},
		})
	}
	return api.PaymentIntentInput{
		UseCase:      api.USECASE_EDUCATION_PROVIDER_TUITION,
		DeliveryMode: "manual",
		AmountMode:   api.AMOUNTMODE_PAYER_FIXED,
		Payer:        api.IntentPayerInput{Role: api.PAYERROLE_STUDENT, PartyId: &studentId},
		Recipients:   recipients,
		Instructions: &api.PaymentIntentInputInstructions{ManualPayment: &api.ManualPaymentInput{
			QuoteId:                 &quote.QuoteId,
			SelectedQuoteVariantId:  &api.ManualPaymentInputSelectedQuoteVariantId{Int64: &variantId},
			Purpose:                 api.PURPOSE_UNDERGRADUATE.Ptr(),
			CountryCode:             api.COUNTRYCODE_BR.Ptr(),
			PayerIdentityDocumentId: &documentId,
		}},
		TermsAccepted: true,
	}
}

func untilItEnds(ctx context.Context, client *api.APIClient, id string) api.PaymentIntent {
	for {
		intent := answer(client.PaymentIntentsAPI.GetPaymentIntent(ctx, id).Execute()).Data
		if intent.Status != api.PAYMENTINTENTSTATUS_EXECUTING {
			return intent
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func idsOf(page *api.PaymentIntentPage) []string {
	ids := []string{}
	for _, item := range page.Data.PaymentIntents {
		ids = append(ids, item.PaymentIntentItem.Id)
	}
	return ids
}

// Small pages, so that there is a second one.
func completed(ctx context.Context, client *api.APIClient) []string {
	request := client.PaymentIntentsAPI.ListPaymentIntents(ctx).
		FilterStatus(api.PAYMENTINTENTSTATUS_COMPLETED).Sort("-createdAt").Limit(2)
	page := answer(request.Execute())
	ids := idsOf(page)
	for page.NextCursor != nil {
		page = answer(request.Cursor(*page.NextCursor).Execute())
		ids = append(ids, idsOf(page)...)
	}
	return ids
}

func doJob(baseUrl string, apiKey string) outcome {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: baseUrl}}
	client := api.NewAPIClient(configuration)
	keys := map[string]api.APIKey{"ApiKey": {Key: apiKey}}
	ctx := context.WithValue(context.Background(), api.ContextAPIKeys, keys)

	question := api.NewQuoteQuestion([]api.QuoteQuestionPayoutsInner{{PayeeId: 5001, Amount: 1500}}, api.PAYMENTTYPE_PROVIDER)
	question.SetCountryCode(api.COUNTRYCODE_BR)
	quote := answer(client.RatesAPI.CreateQuote(ctx).QuoteQuestion(*question).Execute()).Data
	ana := api.NewStudentInput("Ana", "Silva", "ana@example.com")
	student := answer(client.PartiesAPI.CreateStudent(ctx).StudentInput(*ana).Execute()).Data
	document := answer(client.DocumentsAPI.UploadDocument(ctx).File(passport()).Execute()).Data
	body := tuitionRequest(quote, student.RecordId, document.DocumentId)
	id := answer(client.PaymentIntentsAPI.CreatePaymentIntent(ctx).PaymentIntentInput(body).Execute()).Data.Id
	evaluation := answer(client.PaymentIntentsAPI.DryRunPaymentIntent(ctx, id).Execute()).Data
	answer(client.PaymentIntentsAPI.SubmitPaymentIntent(ctx, id).IdempotencyKey("key-" + id).Execute())
	intent := untilItEnds(ctx, client, id)

	filter := fmt.Sprintf(`{"status":"completed","payer.partyId":"%s"}`, student.RecordId)
	found := answer(client.PaymentIntentsAPI.ListPaymentIntents(ctx).Filter(filter).Execute())
	paymentIds := []int64{}
	for _, execution := range intent.Executions {
		paymentIds = append(paymentIds, execution.ConnectorPaymentIds...)
	}
	return outcome{
		Id:         intent.Id,
		Status:     string(intent.Status),
		Missing:    evaluation.Rule.MissingRequirements,
		Account:    intent.ConnectorPayment.TransactionBankDetails.AccountNumber,
		PaymentIds: paymentIds,
		Completed:  completed(ctx, client),
		Found:      idsOf(found),
	}
}

func main() {
	must(0, json.NewEncoder(os.Stdout).Encode(doJob(os.Args[1], os.Args[2])))
}
