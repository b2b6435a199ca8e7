// A declared path as it goes into a request line: nothing in it can name another host, begin a query or end the line.

/** Characters a path may carry as they are; a percent sign too, so that what is escaped already stays so. */
const PLAIN = /[A-Za-z0-9\-._~!$&'()*+,;=:@/%]/;

/** Begins with one slash at least; everything else that is not plain is percent-encoded as UTF-8. */
export function requestPath(declared: string): string {
  const escaped = [...declared.toWellFormed()].map((character) =>
    PLAIN.test(character) ? character : percentEncoded(character),
  );
  const path = escaped.join('');
  return path.startsWith('/') ? path : `/${path}`;
}

function percentEncoded(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
