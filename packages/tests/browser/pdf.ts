import { extractText, getDocumentProxy } from "unpdf";

/** The number of pages of a PDF document, and its text. */
export async function readPdf(bytes: Uint8Array): Promise<Readonly<{ pages: number; text: string }>> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document, { mergePages: true });
  return { pages: document.numPages, text };
}
