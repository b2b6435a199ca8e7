// Whether a text is a Prometheus or OpenMetrics exposition (evaluation.md 6.2).

const MEDIA_TYPES = ['text/plain', 'application/openmetrics-text'] as const;

const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"`;
const LABEL = String.raw`(?:[a-zA-Z_][a-zA-Z0-9_]*|${TEXT})[ \t]*=[ \t]*${TEXT}`;
/** Names outside the classic alphabet stand in quotes inside the braces. */
const LABELS = String.raw`\{[ \t]*(?:(?:${LABEL}|${TEXT})[ \t]*(?:,[ \t]*(?:${LABEL}|${TEXT})[ \t]*)*,?[ \t]*)?\}`;
const NUMBER = String.raw`[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`;
const VALUE = String.raw`(?:${NUMBER}|0[xX][0-9a-fA-F]+|[+-]?[iI]nf(?:inity)?|[nN]a[nN])`;
const EXEMPLAR = String.raw`[ \t]+#[ \t]+${LABELS}[ \t]+${VALUE}(?:[ \t]+${NUMBER})?`;
const SAMPLE = new RegExp(
  `^(?:[a-zA-Z_:][a-zA-Z0-9_:]*[ \\t]*(?:${LABELS})?|${LABELS})[ \\t]+${VALUE}(?:[ \\t]+${NUMBER})?(?:${EXEMPLAR})?[ \\t]*$`,
);

/**
 * Whether `text`, the beginning of a body, reads as samples. What follows its last line end may be cut and is left out;
 * every other line must be a sample, a comment or empty, and one at least a sample.
 */
export function isExposition(contentType: string, text: string): boolean {
  const type = contentType.toLowerCase();
  if (!MEDIA_TYPES.some((known) => type.includes(known))) return false;
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split(/\r?\n/)
    .map((line) => line.replace(/^[ \t]+/, ''))
    .filter((line) => line !== '');
  const samples = lines.filter((line) => !line.startsWith('#'));
  return samples.length > 0 && samples.every((line) => SAMPLE.test(line));
}
