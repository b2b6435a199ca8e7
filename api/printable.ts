// Text from elsewhere on its way to a terminal, a log or a one-line answer.

/** The text on one line, without control characters, which a terminal would obey; runs of them become one space. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}
