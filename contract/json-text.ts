// Strict JSON text to a value, as a value or a reason.
import type { Json } from './json.ts';

export type ParsedJson =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'invalid'; readonly reason: string };

/** No comments, no byte order mark, nothing after the value; a repeated key counts with its last value. */
export function parseJsonText(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    return { kind: 'value', value: value as Json };
  } catch (error) {
    // The engine's message can quote the content; its first line and 200 characters are enough to find the place.
    const [reason = 'not JSON'] = error instanceof Error ? error.message.split('\n', 1) : [];
    return { kind: 'invalid', reason: reason.slice(0, 200) };
  }
}
