// Manifests as registries keep them: what a bundle's manifest says, and how ours are written (contract 3.2).
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { parseJsonText } from '../json-text.ts';
import { isDigest } from '../oci-reference.ts';
import { decodeText } from '../text.ts';

export const MEDIA_TYPES = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.pacto.bundle.layer.v1.tar+gzip',
} as const;

export type Descriptor = {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
};

export type ReadManifest =
  | { readonly kind: 'image'; readonly layer: Descriptor }
  /** An index of exactly one manifest. */
  | { readonly kind: 'index'; readonly manifest: Descriptor }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Reads the manifest of a bundle. Media types of config and layer are not looked at, labels neither. */
export function readManifest(bytes: Uint8Array): ReadManifest {
  const decoded = decodeText(bytes);
  const parsed = decoded.kind === 'text' ? parseJsonText(decoded.text) : undefined;
  const document = parsed?.kind === 'value' ? parsed.value : undefined;
  if (!isJsonObject(document)) return invalid('the manifest is not a JSON object');
  if (Array.isArray(document['manifests'])) {
    const manifests = document['manifests'].map(descriptorOf);
    const [manifest] = manifests;
    if (manifests.length !== 1 || manifest === undefined) {
      return invalid(`expected an index of 1 manifest, not of ${manifests.length}`);
    }
    return { kind: 'index', manifest };
  }
  const layers = Array.isArray(document['layers']) ? document['layers'] : [];
  if (layers.length === 0) return invalid('no layers');
  if (layers.length > 1) return invalid(`expected 1 layer, not ${layers.length}`);
  const layer = descriptorOf(layers[0]);
  return layer === undefined ? invalid('the layer has no usable descriptor') : { kind: 'image', layer };
}

/** JSON of a descriptor. */
export function descriptorJson({ mediaType, digest, size }: Descriptor): JsonObject {
  return { mediaType, digest, size };
}

function descriptorOf(value: Json | undefined): Descriptor | undefined {
  if (!isJsonObject(value)) return undefined;
  const { mediaType, digest, size } = value as Readonly<Record<keyof Descriptor, Json | undefined>>;
  if (typeof digest !== 'string' || !isDigest(digest)) return undefined;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined;
  return { mediaType: typeof mediaType === 'string' ? mediaType : '', digest, size };
}

function invalid(reason: string): ReadManifest {
  return { kind: 'invalid', reason };
}
