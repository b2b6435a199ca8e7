// Chooses among the tags of a repository by semantic version (contract 3.7).
import { parseRange, satisfies } from '../range.ts';
import { compareVersions, parseVersion, type Version } from '../version.ts';

export type SelectedTag =
  | { readonly kind: 'tag'; readonly tag: string }
  /** No tag is a semantic version. */
  | { readonly kind: 'none' }
  /** There are versions, but none lies in the range; or the range is none. */
  | { readonly kind: 'no-match'; readonly reason: string };

type VersionedTag = { readonly tag: string; readonly version: Version };

const PLAIN = /^[0-9]+\.[0-9]+\.[0-9]+$/;

/** Tags that are semantic versions, highest first, in their own spelling. */
export function versionTags(tags: readonly string[]): readonly string[] {
  return versioned(tags).map(({ tag }) => tag);
}

/** The highest version, within a range if one is given. Without a range prereleases take part. */
export function selectTag(tags: readonly string[], range?: string): SelectedTag {
  const candidates = versioned(tags);
  const [highest] = candidates;
  if (highest === undefined) return { kind: 'none' };
  if (range === undefined) return { kind: 'tag', tag: highest.tag };
  const parsed = parseRange(range);
  if (parsed === undefined)
    return { kind: 'no-match', reason: `${JSON.stringify(range)} is not a version range` };
  const match = candidates.find(({ version }) => satisfies(version, parsed));
  if (match === undefined) return { kind: 'no-match', reason: `no tag satisfies ${JSON.stringify(range)}` };
  return { kind: 'tag', tag: match.tag };
}

/** Of versions equal in precedence `X.Y.Z` comes first, then the smallest text. */
function versioned(tags: readonly string[]): readonly VersionedTag[] {
  return tags
    .flatMap((tag): readonly VersionedTag[] => {
      const version = parseVersion(tag);
      return version === undefined ? [] : [{ tag, version }];
    })
    .sort(
      (a, b) =>
        compareVersions(b.version, a.version) ||
        Number(PLAIN.test(b.tag)) - Number(PLAIN.test(a.tag)) ||
        (a.tag < b.tag ? -1 : 1),
    );
}
