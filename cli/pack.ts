// `pacto-gate pack`: turns a folder into the image of a bundle, with the digest it will have in every registry.
import { GATE_API_VERSION } from '../api/names.ts';
import { writeOciLayout } from '../contract/bundle/oci-layout.ts';
import { type PackedBundle, packBundle } from '../contract/bundle/pack-bundle.ts';
import { readFolder } from '../contract/bundle/read-folder.ts';
import { defineCommand, EXIT, UsageError } from './command.ts';

export const pack = defineCommand({
  name: 'pack',
  operands: 'DIR',
  description: `Packs the bundle in a folder and prints its digest. The same files give the same digest everywhere. With --to the
image is written as an OCI image layout, which oras and other tools copy to registries. What .pactoignore names, in the
syntax of .gitignore, stays out.

Exit codes: 0 packed, 1 not a bundle, 2 wrong usage.

Examples:
  pacto-gate pack services/ledger
  pacto-gate pack services/ledger --to build/ledger`,
  refusalCode: 2,
  flags: {
    to: { kind: 'string', help: 'Folder for the OCI image layout', placeholder: 'DIR' },
    tag: {
      kind: 'string',
      help: "Name of the image in the layout; default the contract's version",
      placeholder: 'TAG',
    },
    output: { kind: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', help: 'Output format' },
  },
  async run(flags, operands, context) {
    const packed = await packFolder(operands);
    if (packed.kind === 'refused') {
      context.stderr.write(`pacto-gate pack: ${packed.reason}\n`);
      return EXIT.deny;
    }
    const { manifest, contract } = packed.packed;
    const { name, version } = contract.service;
    if (flags.to !== undefined) await writeOciLayout(flags.to, packed.packed, flags.tag ?? version);
    const document = {
      apiVersion: GATE_API_VERSION,
      kind: 'Package',
      name,
      version,
      digest: manifest.digest,
    };
    context.stdout.write(
      flags.output === 'json' ? `${JSON.stringify(document, null, 2)}\n` : `${manifest.digest}\n`,
    );
    return EXIT.allow;
  },
});

export type PackedFolder =
  | { readonly kind: 'packed'; readonly packed: PackedBundle; readonly folder: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** Packs the one folder that was named. Throws UsageError when there is none. */
export async function packFolder([folder, ...more]: readonly string[]): Promise<PackedFolder> {
  if (folder === undefined || more.length > 0)
    throw new UsageError('give exactly one folder with a pacto.yaml');
  const read = await readFolder(folder).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(
      `${folder} cannot be read (${cause.code ?? cause.message}); give a folder with a pacto.yaml`,
      {
        cause,
      },
    );
  });
  if (read.kind === 'refused') return { kind: 'refused', reason: `${folder}: ${read.reason}` };
  const result = await packBundle(read.tree);
  if (result.kind === 'refused') return { kind: 'refused', reason: `${folder}: ${result.reason}` };
  return { kind: 'packed', packed: result.packed, folder };
}
