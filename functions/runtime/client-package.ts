/** The client as npm installs it, put in by the bundling step (infra/bundle.ts). Its name has its version. */
declare const CLIENT_PACKAGE: Readonly<{ name: string; base64: string }>;

export const clientPackage = CLIENT_PACKAGE;
