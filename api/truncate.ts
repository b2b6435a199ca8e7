// Cuts text that would otherwise be refused by a length rule of the API server.

/** Longest message a Kubernetes condition may carry, in code points. */
export const MAX_CONDITION_MESSAGE = 32_768;

/**
 * `text` unchanged when it has at most `max` code points, else its beginning followed by how much was cut; the result
 * never has more than `max` code points. Code points are what the API server's `maxLength` counts.
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = Array.from(text);
  if (points.length <= max) return text;
  const note = (cut: number): string => ` … (${cut} more characters)`;
  const kept = Math.max(0, max - note(points.length).length);
  return Array.from(points.slice(0, kept).join('') + note(points.length - kept))
    .slice(0, max)
    .join('');
}
