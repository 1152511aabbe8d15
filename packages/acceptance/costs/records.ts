import { fileForm, payerBody, pdf, quoteBody, savedDocumentBody, studentBody } from "../service/client.ts";
import { request } from "./request.ts";
import type { Stage } from "./stage.ts";

const newStudent = async ({ client }: Stage) => `/v2/students/${(await client.newStudent())._id}`;
const newPayer = async ({ client }: Stage) => `/v2/payers/${(await client.newPayer())._id}`;
const withDocument = (rest: string, newParty: (stage: Stage) => Promise<string>) => async (stage: Stage) => {
  const party = await newParty(stage);
  const { legacyDocumentId } = await stage.client.saveDocument(party);
  return `${party}/documents/${legacyDocumentId}/${rest}`;
};
const savedDocument = (newParty: (stage: Stage) => Promise<string>) => async (stage: Stage) =>
  (await withDocument("", newParty)(stage)).replace(/\/$/, "");
const toSave = async ({ client }: Stage) => ({
  body: { ...savedDocumentBody, sourceDocumentId: await client.uploadPdf() },
});

/** Students, payers, payees, documents, quotes and what needs no record at all. */
export const recordOperations = {
  "who am I": request("getMe", "GET", "/v2/users/me"),
  "a payee is added": request("createPayee", "POST", "/v2/payees", () => ({
    body: { name: "Own Ltd", countryCode: "AU", currencyCode: "AUD" },
  })),
  "a payee": request("getPayee", "GET", async ({ client }) => `/v2/payees/${(await client.newPayee()).id}`),
  "a student is added": request("createStudent", "POST", "/v2/students", () => ({ body: studentBody() })),
  "a payer is added": request("createPayer", "POST", "/v2/payers", () => ({ body: payerBody() })),
  "a student": request("getStudent", "GET", newStudent),
  "a payer": request("getPayer", "GET", newPayer),
  "a student is changed": request("updateStudent", "PUT", newStudent, () => ({ body: { city: "Recife" } })),
  "a payer is changed": request("updatePayer", "PUT", newPayer, () => ({ body: { address: { city: "Recife" } } })),
  "a student is deleted": request("deleteStudent", "DELETE", newStudent),
  "a payer is deleted": request("deletePayer", "DELETE", newPayer),
  "a document is uploaded": request("uploadDocument", "POST", "/v2/documents", () => ({ form: fileForm(pdf()) })),
  "a student's document is saved": request(
    "saveStudentDocument",
    "POST",
    async (stage) => `${await newStudent(stage)}/documents`,
    toSave,
  ),
  "a payer's document is saved": request(
    "savePayerDocument",
    "POST",
    async (stage) => `${await newPayer(stage)}/documents`,
    toSave,
  ),
  "a student's saved documents": request("listStudentDocuments", "GET", async (stage) =>
    (await withDocument("", newStudent)(stage)).replace(/\/[^/]+\/$/, ""),
  ),
  "a payer's saved documents": request("listPayerDocuments", "GET", async (stage) =>
    (await withDocument("", newPayer)(stage)).replace(/\/[^/]+\/$/, ""),
  ),
  "a student's saved document is used": request("useStudentDocument", "POST", withDocument("use", newStudent)),
  "a payer's saved document is used": request("usePayerDocument", "POST", withDocument("use", newPayer)),
  "the bytes of a student's document": request("getStudentDocumentContent", "GET", withDocument("content", newStudent)),
  "the bytes of a payer's document": request("getPayerDocumentContent", "GET", withDocument("content", newPayer)),
  "who got a student's documents": request("listDocumentReads", "GET", async (stage) => {
    const content = await withDocument("content", newStudent)(stage);
    await stage.client.call("GET", content);
    return `/v2/document-reads?ownerId=${content.split("/")[3]}`;
  }),
  "a student's document is deleted": request("deleteStudentDocument", "DELETE", savedDocument(newStudent)),
  "a payer's document is deleted": request("deletePayerDocument", "DELETE", savedDocument(newPayer)),
  "an exchange rate": request("findFxRate", "POST", "/v2/fx-rate", () => ({
    body: {
      ...{ fromCurrency: "BRL", fromCountryCode: "BRA", toCurrency: "AUD", toCountryCode: "AUS" },
      ...{ amount: 1000, paymentType: "provider" },
    },
  })),
  "a quote is made": request("createQuote", "POST", "/v2/quotes", () => ({ body: quoteBody })),
  "a quote": request("getQuote", "GET", async ({ client }) => `/v2/quotes/${(await client.newQuote()).quoteId}`),
  "the countries": request("listCountries", "GET", "/v2/lookup/countries"),
  "the payment methods of a payee": request("listPaymentMethods", "GET", "/v2/lookup/payment-methods/5001"),
  "the purposes": request("listPurposes", "GET", "/v2/lookup/purposes/provider"),
  "the payer types": request("listPayerTypes", "GET", "/v2/lookup/payer-types/provider"),
  "the API's document": request("getOpenApi", "GET", "/v2/openapi.json"),
  "a probe is told": request("getHealth", "GET", "/health"),
};
