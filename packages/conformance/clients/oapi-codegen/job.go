// Pays tuition by bank transfer, and lists what is completed, with the client that oapi-codegen makes.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	api "clients/oapi-codegen/generated"
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

// The body of an answer that must be a success: the generated types have one field for each status.
func data[Body any](body *Body, answer []byte) Body {
	if body == nil {
		log.Fatal(string(answer))
	}
	return *body
}

func passport() (string, io.Reader) {
	form := &bytes.Buffer{}
	writer := multipart.NewWriter(form)
	part := must(writer.CreateFormFile("file", "passport.pdf"))
	must(part.Write([]byte("%PDF-1.7 a passport")))
	must(0, writer.Close())
	return writer.FormDataContentType(), form
}

func pointerTo[Value any](value Value) *Value { return &value }

func tuitionRequest(quote api.Quote, studentId string, documentId string) api.PaymentIntentInput {
	variantId := api.ManualPaymentInput_SelectedQuoteVariantId{}
	for _, variant := range quote.Variants {
		if variant.Meta.Category == "bank-transfer" {
			must(0, variantId.FromManualPaymentInputSelectedQuoteVariantId0(variant.Id))
		}
	}
	recipients := []api.RecipientInput{}
	for _, payout := range quote.Payouts {
		recipients = append(recipients, api.RecipientInput{
			Role:             pointerTo(api.RecipientRoleEducationProvider),
			ConnectorPayeeId: &payout.PayeeId,
			Amount:           &api.RecipientAmountInput{PayerAmount: pointerTo(fmt.Sprintf("%.2f", payout.PayerAmount))},
		})
	}
	body := api.PaymentIntentInput{
		UseCase:       api.UseCaseEducationProviderTuition,
		DeliveryMode:  api.PaymentIntentInputDeliveryModeManual,
		AmountMode:    api.PayerFixed,
		Payer:         api.IntentPayerInput{Role: api.PayerRoleStudent, PartyId: &studentId},
		Recipients:    &recipients,
		TermsAccepted: true,
	}
	// The type of `instructions` has no name.
	manualPayment := api.ManualPaymentInput{
		QuoteId:                 pointerTo(quote.QuoteId.String()),
		SelectedQuoteVariantId:  &variantId,
		Purpose:                 pointerTo(api.PurposeUndergraduate),
		CountryCode:             pointerTo(api.BR),
		PayerIdentityDocumentId: &documentId,
	}
	instructions := must(json.Marshal(map[string]any{"manualPayment": manualPayment}))
	must(0, json.Unmarshal(instructions, &body.Instructions))
	return body
}

func untilItEnds(ctx context.Context, client *api.ClientWithResponses, id string) api.PaymentIntent {
	for {
		answer := must(client.GetPaymentIntentWithResponse(ctx, id, nil))
		intent := data(answer.JSON200, answer.Body).Data
		if intent.Status != api.PaymentIntentStatusExecuting {
			return intent
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func list(ctx context.Context, client *api.ClientWithResponses, params api.ListPaymentIntentsParams) ([]string, *string) {
	answer := must(client.ListPaymentIntentsWithResponse(ctx, &params))
	page := data(answer.JSON200, answer.Body)
	ids := []string{}
	for _, item := range page.Data.PaymentIntents {
		ids = append(ids, must(item.AsPaymentIntentItem()).Id)
	}
	return ids, page.NextCursor
}

// Small pages, so that there is a second one.
func completed(ctx context.Context, client *api.ClientWithResponses) []string {
	params := api.ListPaymentIntentsParams{
		FilterStatus: pointerTo(api.PaymentIntentStatusCompleted),
		Sort:         pointerTo("-createdAt"),
		Limit:        pointerTo(2),
	}
	all, cursor := list(ctx, client, params)
	for cursor != nil {
		params.Cursor = cursor
		var ids []string
		ids, cursor = list(ctx, client, params)
		all = append(all, ids...)
	}
	return all
}

func doJob(baseUrl string, apiKey string) outcome {
	ctx := context.Background()
	client := must(api.NewClientWithResponses(baseUrl, api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", apiKey)
		return nil
	})))

	question := api.QuoteQuestion{CountryCode: pointerTo(api.BR), PaymentType: api.PaymentTypeProvider}
	must(0, json.Unmarshal([]byte(`[{"payeeId":5001,"amount":1500}]`), &question.Payouts))
	quoted := must(client.CreateQuoteWithResponse(ctx, question))
	ana := api.StudentInput{FirstName: "Ana", LastName: "Silva", Email: "ana@example.com"}
	created := must(client.CreateStudentWithResponse(ctx, ana))
	contentType, form := passport()
	uploaded := must(client.UploadDocumentWithBodyWithResponse(ctx, contentType, form))
	student := data(created.JSON201, created.Body).Data.UnderscoreId
	document := data(uploaded.JSON201, uploaded.Body).Data.DocumentId.String()
	body := tuitionRequest(data(quoted.JSON201, quoted.Body).Data, student, document)
	drafted := must(client.CreatePaymentIntentWithResponse(ctx, body))
	id := data(drafted.JSON201, drafted.Body).Data.Id
	judged := must(client.DryRunPaymentIntentWithResponse(ctx, id))
	submitted := must(client.SubmitPaymentIntentWithResponse(ctx, id, &api.SubmitPaymentIntentParams{IdempotencyKey: pointerTo("key-" + id)}))
	data(submitted.JSON200, submitted.Body)
	intent := untilItEnds(ctx, client, id)

	found, _ := list(ctx, client, api.ListPaymentIntentsParams{
		Filter: pointerTo(fmt.Sprintf(`{"status":"completed","payer.partyId":"%s"}`, student)),
	})
	paymentIds := []int64{}
	for _, execution := range intent.Executions {
		paymentIds = append(paymentIds, execution.ConnectorPaymentIds...)
	}
	return outcome{
		Id:         id,
		Status:     string(intent.Status),
		Missing:    data(judged.JSON200, judged.Body).Data.Rule.MissingRequirements,
		Account:    intent.ConnectorPayment.TransactionBankDetails.AccountNumber,
		PaymentIds: paymentIds,
		Completed:  completed(ctx, client),
		Found:      found,
	}
}

func main() {
	must(0, json.NewEncoder(os.Stdout).Encode(doJob(os.Args[1], os.Args[2])))
}
