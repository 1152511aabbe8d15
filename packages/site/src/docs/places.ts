/** The text of every page in whose place a function puts what it knows of its stage: JSON, its quotation marks escaped. */
export const SETTINGS_PLACE = "__SETTINGS__";

/** The name of the page that is shown where there is none; nobody asks for it by that. */
export const MISSING_PAGE = "404";

/**
 * The words of samples and of the served document in whose place a function puts the address of its stage, and a key.
 * Search results show them as they are.
 */
export const BASE_URL_PLACE = "{base_url}";
export const API_KEY_PLACE = "{api_key}";

/** The address and key in the repository's samples, which run as they are against a local service. */
const LOCAL_URL = "http://127.0.0.1:3000";
const LOCAL_KEY = /(?<=["' ])demo:demo-secret(?=["'])/g;

/** The client package's name in guides, because its version follows from its content. */
const PACKAGE = "client-<version>.tgz";

/**
 * A guide's Markdown with places instead of the address and the key of a service on one's own machine, and with the name
 * of the client's package.
 */
export const withPlaces = (markdown: string, clientPackage: string): string =>
  markdown
    .replaceAll(LOCAL_URL, BASE_URL_PLACE)
    .replaceAll(LOCAL_KEY, API_KEY_PLACE)
    .replaceAll(PACKAGE, clientPackage || PACKAGE);

/** The text of a stage, which a setting describes, and never a header of the request. */
export const fillPlaces = (text: string, baseUrl: string, apiKey: string): string =>
  text.replaceAll(BASE_URL_PLACE, () => baseUrl).replaceAll(API_KEY_PLACE, () => apiKey);
