/** The text of docs/openapi.json, put in by the bundling step (infra/bundle.ts): it always is that of the deployment. */
declare const OPENAPI_DOCUMENT: string;

export const openApiDocument = OPENAPI_DOCUMENT;
