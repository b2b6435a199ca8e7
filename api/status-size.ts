// Keeps a Pacto status small enough that its write can never be refused for size, whatever a contract contains.
import type { Finding } from './finding.ts';
import type { PactoStatus } from './pacto.ts';
import { truncate } from './truncate.ts';

/**
 * Most bytes a status may take as JSON. An API server refuses objects of about 1.5 MiB, and the rest of that belongs to
 * the spec, which can hold a whole contract as text.
 */
export const MAX_STATUS_BYTES = 512 * 1024;

const SHORT_TEXT = 1_024;

/** Parts that only inform, the most expendable first. The verdict needs none of them. */
const INFORMATIONAL = [
  'policies',
  'configurations',
  'metadata',
  'readiness',
  'capabilities',
  'dependencies',
  'interfaces',
  'contract',
  'observedRuntime',
  'resources',
] as const satisfies readonly (keyof PactoStatus)[];

/**
 * `status` itself when its JSON fits into `maxBytes`, else a copy that does. Long messages are shortened first, then
 * informational parts are left out, then lists are cut from the end; the last entry that stays says how many went, and
 * `summary` keeps the counts of the whole list. contractStatus, summary and times are never touched.
 */
export function capStatusSize(status: PactoStatus, maxBytes: number = MAX_STATUS_BYTES): PactoStatus {
  if (sizeOf(status) <= maxBytes) return status;
  let capped = shortenMessages(status);
  for (const part of INFORMATIONAL) {
    if (sizeOf(capped) <= maxBytes) return capped;
    capped = without(capped, part);
  }
  for (const cut of CUTS) {
    if (sizeOf(capped) <= maxBytes) return capped;
    capped = cutToFit(capped, maxBytes, cut);
  }
  return capped;
}

type Cut = {
  readonly length: (status: PactoStatus) => number;
  readonly keep: (status: PactoStatus, n: number) => PactoStatus;
};

/** Lists in the order in which they are given up. Open windows go last: losing one only restarts its wait. */
const CUTS: readonly Cut[] = [
  {
    length: ({ validation }) => validation?.warnings?.length ?? 0,
    keep: (status, n) =>
      status.validation === undefined
        ? status
        : {
            ...status,
            validation: { ...status.validation, warnings: keepNoted(status.validation.warnings, n) },
          },
  },
  {
    length: ({ evaluationCoverage }) => evaluationCoverage?.unverified?.length ?? 0,
    keep: (status, n) =>
      status.evaluationCoverage === undefined
        ? status
        : {
            ...status,
            evaluationCoverage: {
              ...status.evaluationCoverage,
              unverified: status.evaluationCoverage.unverified?.slice(0, n) ?? [],
            },
          },
  },
  {
    length: ({ validation }) => validation?.errors?.length ?? 0,
    keep: (status, n) =>
      status.validation === undefined
        ? status
        : { ...status, validation: { ...status.validation, errors: keepNoted(status.validation.errors, n) } },
  },
  {
    length: ({ findings }) => findings?.length ?? 0,
    keep: (status, n) => ({ ...status, findings: keepNoted(status.findings, n) }),
  },
  {
    length: ({ observationWindows }) => observationWindows?.length ?? 0,
    keep: (status, n) => ({ ...status, observationWindows: status.observationWindows?.slice(0, n) ?? [] }),
  },
];

/** The longest beginning of one list with which the status fits; found by halving, since a probe costs a whole encode. */
function cutToFit(status: PactoStatus, maxBytes: number, cut: Cut): PactoStatus {
  let fits = 0;
  let tooMany = cut.length(status) + 1;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (sizeOf(cut.keep(status, middle)) <= maxBytes) fits = middle;
    else tooMany = middle;
  }
  return cut.keep(status, fits);
}

function keepNoted<T extends { readonly message: string }>(
  list: readonly T[] | undefined,
  n: number,
): readonly T[] {
  const all = list ?? [];
  const last = all[n - 1];
  if (n >= all.length || last === undefined) return all.slice(0, n);
  const note = `${last.message} (${all.length - n} more not shown: the status would be too large)`;
  return [...all.slice(0, n - 1), { ...last, message: note }];
}

function shortenMessages(status: PactoStatus): PactoStatus {
  const { findings, validation, conditions, contractVersion } = status;
  return {
    ...status,
    ...(contractVersion !== undefined && { contractVersion: truncate(contractVersion, SHORT_TEXT) }),
    ...(findings !== undefined && { findings: findings.map(shortenFinding) }),
    ...(validation !== undefined && {
      validation: {
        ...validation,
        ...(validation.errors !== undefined && { errors: validation.errors.map(shortenItem) }),
        ...(validation.warnings !== undefined && { warnings: validation.warnings.map(shortenItem) }),
      },
    }),
    ...(conditions !== undefined && { conditions: conditions.map(shortenItem) }),
  };
}

function shortenFinding(finding: Finding): Finding {
  return {
    ...shortenItem(finding),
    ...(finding.subject !== undefined && { subject: truncate(finding.subject, SHORT_TEXT) }),
    ...(finding.contractPath !== undefined && { contractPath: truncate(finding.contractPath, SHORT_TEXT) }),
  };
}

function shortenItem<T extends { readonly message: string }>(item: T): T {
  return { ...item, message: truncate(item.message, SHORT_TEXT) };
}

function without(status: PactoStatus, part: keyof PactoStatus): PactoStatus {
  const { [part]: _dropped, ...rest } = status;
  return rest;
}

function sizeOf(status: PactoStatus): number {
  return new TextEncoder().encode(JSON.stringify(status)).byteLength;
}
