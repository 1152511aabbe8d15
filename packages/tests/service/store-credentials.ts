/** The credentials that a service's own stores ask for, from its running file. */
export const storeCredentials = (told: Readonly<Record<string, string>>) => ({
  accessKeyId: "local",
  secretAccessKey: "local",
  sessionToken: told["AWS_SESSION_TOKEN"] ?? "",
});
