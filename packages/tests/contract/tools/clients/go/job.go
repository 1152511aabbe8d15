// Makes each request with the client that oapi-codegen makes, and prints the answer.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"

	api "clients/generated"
)

type request struct {
	Operation, Id, File, IdempotencyKey string
	Body                                json.RawMessage
	Query                               api.ListPaymentIntentsParams
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func read[Value any](text []byte) (value Value) {
	must(0, json.Unmarshal(text, &value))
	return value
}

// Prints the body of a success: the generated types have one field for each status.
func show[Body any](body *Body, answer []byte) {
	if body == nil {
		log.Fatal(string(answer))
	}
	must(0, json.NewEncoder(os.Stdout).Encode(body))
}

func form(file string) (string, io.Reader) {
	form := &bytes.Buffer{}
	writer := multipart.NewWriter(form)
	must(must(writer.CreateFormFile("file", file)).Write(must(os.ReadFile(file))))
	must(0, writer.Close())
	return writer.FormDataContentType(), form
}

func makeRequest(ctx context.Context, client *api.ClientWithResponses, asked request) {
	switch asked.Operation {
	case "createQuote":
		answer := must(client.CreateQuoteWithResponse(ctx, read[api.QuoteQuestion](asked.Body)))
		show(answer.JSON201, answer.Body)
	case "createStudent":
		answer := must(client.CreateStudentWithResponse(ctx, read[api.StudentInput](asked.Body)))
		show(answer.JSON201, answer.Body)
	case "uploadDocument":
		contentType, form := form(asked.File)
		answer := must(client.UploadDocumentWithBodyWithResponse(ctx, contentType, form))
		show(answer.JSON201, answer.Body)
	case "createPaymentIntent":
		answer := must(client.CreatePaymentIntentWithResponse(ctx, read[api.PaymentIntentInput](asked.Body)))
		show(answer.JSON201, answer.Body)
	case "dryRunPaymentIntent":
		answer := must(client.DryRunPaymentIntentWithResponse(ctx, asked.Id))
		show(answer.JSON200, answer.Body)
	case "submitPaymentIntent":
		params := api.SubmitPaymentIntentParams{IdempotencyKey: &asked.IdempotencyKey}
		answer := must(client.SubmitPaymentIntentWithResponse(ctx, asked.Id, &params))
		show(answer.JSON200, answer.Body)
	case "getPaymentIntent":
		answer := must(client.GetPaymentIntentWithResponse(ctx, asked.Id, nil))
		show(answer.JSON200, answer.Body)
	case "listPaymentIntents":
		answer := must(client.ListPaymentIntentsWithResponse(ctx, &asked.Query))
		show(answer.JSON200, answer.Body)
	default:
		log.Fatal(asked.Operation)
	}
}

func main() {
	key := os.Args[2]
	client := must(api.NewClientWithResponses(os.Args[1], api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", key)
		return nil
	})))
	requests := json.NewDecoder(os.Stdin)
	for requests.More() {
		var asked request
		must(0, requests.Decode(&asked))
		makeRequest(context.Background(), client, asked)
	}
}
