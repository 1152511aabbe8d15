/** What the functions that orval writes call instead of the global fetch: at the service, with the key. */
export async function serviceFetch<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const { baseUrl, apiKey } = service;
  const headers = new Headers(init.headers);
  headers.set("X-API-Key", apiKey);
  const response = await fetch(`${baseUrl}${path}`, { ...init, headers });
  return { status: response.status, data: await response.json(), headers: response.headers } as Answer;
}

export const service = { baseUrl: "", apiKey: "" };
