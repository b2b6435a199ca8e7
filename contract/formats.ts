// The formats of JSON Schema that assert up to draft-07. Each check takes time linear in its text.
import { isIPv4, isIPv6 } from 'node:net';
import { parseDay } from './calendar-day.ts';
import { safeRegExp } from './safe-regexp.ts';

type FormatCheck = (text: string) => boolean;

const TIME =
  /^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?(?:[zZ]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
/** What a URI may hold, escapes included. */
const URI_TEXT = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const TEMPLATE = /^(?:[^\s"'<>\\^`{|}]|\{[^{}\s]+\})*$/;

const isHostname: FormatCheck = (text) =>
  text.length <= 253 && text.split('.').every((label) => LABEL.test(label));

const isDateTime: FormatCheck = (text) => {
  const separator = text[10] ?? '';
  return (
    'tT'.includes(separator) &&
    separator !== '' &&
    parseDay(text.slice(0, 10)) !== undefined &&
    TIME.test(text.slice(11))
  );
};

const isEmail: FormatCheck = (text) => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (
    at < 1 ||
    !LOCAL_PART.test(local) ||
    local.startsWith('.') ||
    local.endsWith('.') ||
    local.includes('..')
  )
    return false;
  const domain = text.slice(at + 1);
  return domain.startsWith('[') && domain.endsWith(']') ? isAddress(domain.slice(1, -1)) : isHostname(domain);
};

function isAddress(text: string): boolean {
  return text.startsWith('IPv6:') ? isIPv6(text.slice('IPv6:'.length)) : isIPv4(text);
}

const isRegex: FormatCheck = (text) => {
  try {
    safeRegExp(text);
    return true;
  } catch {
    return false;
  }
};

/** By name, in the shape ajv takes. Formats that are not here assert nothing. */
export const FORMATS: Readonly<Record<string, FormatCheck>> = {
  date: (text) => parseDay(text) !== undefined,
  time: (text) => TIME.test(text),
  'date-time': isDateTime,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  uri: (text) => SCHEME.test(text) && URI_TEXT.test(text),
  'uri-reference': (text) => URI_TEXT.test(text),
  'uri-template': (text) => TEMPLATE.test(text),
  'json-pointer': (text) => POINTER.test(text),
  'relative-json-pointer': (text) => {
    const number = /^(?:0|[1-9][0-9]*)/.exec(text)?.[0];
    const rest = number === undefined ? undefined : text.slice(number.length);
    return rest !== undefined && (rest === '#' || POINTER.test(rest));
  },
  regex: isRegex,
};
