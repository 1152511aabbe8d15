/** The credentials that a service's own stores ask for, from its running file. */
export const storeCredentials = (running: Readonly<Record<string, string>>) => ({
  accessKeyId: "local",
  secretAccessKey: "local",
  sessionToken: running["AWS_SESSION_TOKEN"] ?? "",
});
