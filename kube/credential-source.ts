// Who we are to the API server: the Authorization header or client certificate of the moment.

export type Credentials = {
  readonly authorization?: string;
  /** PEM texts; in place of the configuration's own client certificate. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
};

export type CredentialSource = {
  /** The credentials to send now; from memory while they are fresh. */
  current(): Promise<Credentials>;
  /**
   * The server refused these, which {@link current} gave (401). True when asking it again may give others, as when it
   * has others already: requests in flight are refused late, and must not drop what came after them.
   */
  rejected(refused: Credentials): boolean;
};
