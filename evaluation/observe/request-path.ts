// A declared path as it goes into a request line: nothing in it can name another host, begin a query or end the line.

/** Whatever a path may not carry as it is; a percent sign may stay, so that what is escaped already stays so. */
const ESCAPED = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu;

/** Begins with one slash at least; everything else that is not plain is percent-encoded as UTF-8. */
export function requestPath(declared: string): string {
  const path = declared.toWellFormed().replace(ESCAPED, percentEncoded);
  return path.startsWith('/') ? path : `/${path}`;
}

function percentEncoded(character: string): string {
  return Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
