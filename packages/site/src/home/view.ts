/** The data of the page at `/`: the server renders it, and the script in the browser continues from it. */
export type HomeView = Readonly<{
  stage: "local" | "sandbox" | "production";
  /** The API's own address, at which its callers find it. */
  apiUrl: string;
  /** The address that payers use, where it is another one: keys are not passed on from there. */
  payersUrl?: string;
  /** Whether the stage has the documentation at `/docs`. */
  hasDocs: boolean;
  /** Keys that everybody knows; only a local service has some. */
  demoKeys: readonly string[];
}>;
