// What a registry said, fit to be shown: a registry can say anything, also what it was just sent.

/** Without a space, so that a URL it stands in is still seen as one. */
const LEFT_OUT = '***';
/** Signatures of storage and tokens stand behind the question mark, names and passwords before the at sign. */
const QUERY = /(\bhttps?:\/\/[^\s"'?]*)\?[^\s"']*/gi;
const USER_INFO = /(\bhttps?:\/\/)[^\s"'/@]*@/gi;
/** Not a word of small letters: "basic credential not found" is what tells a person the cause. */
const AUTHORIZATION = /\b([Bb]earer|[Bb]asic)\s+(?=[a-z]*[A-Z0-9+/=._~-])[A-Za-z0-9+/=._~-]{8,}/g;

/** A shorter text is found everywhere; leaving it out would only tell where it is. */
const SHORTEST_SECRET = 4;

/** Takes out the given texts, and whatever looks like credentials. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET) shown = shown.replaceAll(secret, LEFT_OUT);
  return shown
    .replaceAll(QUERY, `$1?${LEFT_OUT}`)
    .replaceAll(USER_INFO, `$1${LEFT_OUT}@`)
    .replaceAll(AUTHORIZATION, `$1 ${LEFT_OUT}`);
}
