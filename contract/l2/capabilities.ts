// Capabilities: bindings to declared interfaces, safe paths, namespaced extensions, no repetition (contract.md 9.2, 9.3).
import { quote } from '../json.ts';
import { capabilityKey, type ContractCapability } from '../model.ts';
import type { Check, CheckContext } from './context.ts';

export const capabilities: Check = (context) => {
  const interfaces = new Set(context.contract.interfaces.map(({ name }) => name));
  const seen = new Map<string, number>();
  for (const [index, capability] of context.contract.capabilities.entries()) {
    checkBinding(context, index, capability, interfaces);
    checkReference(context, index, capability);
    const key = capabilityKey(capability);
    const previous = seen.get(key);
    if (previous !== undefined) {
      const message = `capability ${quote(key)} is already declared at capabilities[${previous}]`;
      context.report('DUPLICATE_CAPABILITY', ['capabilities', index], message);
    }
    seen.set(key, index);
  }
};

/**
 * Whether a probe path can only ever lead to the service itself: absolute, no second slash in front even after
 * decoding, no fragment, no control characters, no backslash (which URL parsers turn into a slash).
 */
export function isSafePath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (!path.startsWith('/') || /[\u0000-\u001F\u007F\\]|#./s.test(path)) return false;
  const [pathname = ''] = path.split(/[?#]/, 1);
  return !/%(?![0-9a-fA-F]{2})/.test(pathname) && !/^\/(?:\/|%2f)/i.test(pathname);
}

function checkBinding(
  { report }: CheckContext,
  index: number,
  { binding }: ContractCapability,
  interfaces: ReadonlySet<string>,
): void {
  if (binding === undefined) return;
  const at = ['capabilities', index, 'binding'] as const;
  if (!interfaces.has(binding.interface)) {
    report(
      'CAPABILITY_INTERFACE_UNKNOWN',
      [...at, 'interface'],
      `no interface is named ${quote(binding.interface)}`,
    );
  }
  if (binding.path !== undefined && !isSafePath(binding.path)) {
    const rule = 'must begin with one slash and carry no host, fragment, backslash or control character';
    report('CAPABILITY_PATH_INVALID', [...at, 'path'], `path ${quote(binding.path)} ${rule}`);
  }
}

function checkReference(
  { report }: CheckContext,
  index: number,
  { type, ref = '' }: ContractCapability,
): void {
  if (type !== 'extension') return;
  const slash = ref.indexOf('/');
  if (slash !== -1 && ref.slice(0, slash).includes('.')) return;
  const message = `${quote(ref)} must be namespaced by a domain, for example example.com/tracing`;
  report('CAPABILITY_REF_INVALID', ['capabilities', index, 'ref'], message);
}
