// The shape of a Pacto as this program reads it. The API server's schema checks it where that is installed as shipped; what
// comes without is told apart here, so that one object of a wrong shape is judged Invalid and disturbs no other.
import type { PactoSpec, PactoStatus } from '../../api/pacto.ts';
import * as read from '../../api/read.ts';

type Shape =
  | 'text'
  | 'number'
  /** A number or a text. */
  | 'port'
  /** An object with any texts in it. */
  | 'texts'
  | 'object'
  | { readonly list: Shape }
  | { readonly fields: Readonly<Record<string, Shape>>; readonly required?: readonly string[] };

const SPEC: Readonly<Record<keyof PactoSpec, Shape>> = {
  contractRef: { fields: { oci: 'text', inline: 'text', pullSecretRef: 'text' } },
  target: {
    fields: {
      serviceName: 'text',
      workloadRef: { fields: { name: 'text', kind: 'text' }, required: ['name'] },
      interfaceBindings: {
        list: { fields: { interface: 'text', servicePort: 'port' }, required: ['interface', 'servicePort'] },
      },
      configBindings: {
        list: {
          fields: { configuration: 'text', kind: 'text', name: 'text', key: 'text', format: 'text' },
          required: ['configuration', 'kind', 'name'],
        },
      },
    },
  },
  overrides: {
    fields: {
      configurations: {
        list: { fields: { name: 'text', values: 'texts' }, required: ['name', 'values'] },
      },
    },
  },
  checkIntervalSeconds: 'number',
};

/** Fields of a stored status that a pass starts from; the others are only replaced. */
const STATUS: Readonly<Partial<Record<keyof PactoStatus, Shape>>> = {
  contractStatus: 'text',
  contractStatusSince: 'text',
  currentRevision: 'text',
  lastReconciledAt: 'text',
  conditions: {
    list: {
      fields: { type: 'text', status: 'text', lastTransitionTime: 'text' },
      required: ['type', 'status', 'lastTransitionTime'],
    },
  },
  observationWindows: {
    list: {
      fields: { kind: 'text', subject: 'text', firstObservedNegativeAt: 'text' },
      required: ['kind', 'subject', 'firstObservedNegativeAt'],
    },
  },
  dependencies: { list: { fields: { ref: 'text' }, required: ['ref'] } },
  findings: { list: { fields: { evidenceRefs: { list: 'object' } } } },
};

export type SpecReading = {
  readonly spec: PactoSpec;
  /** Where a spec has a wrong shape and what belongs there; then of `spec` only the target's Service is left. */
  readonly malformed?: string;
};

export function readSpec(raw: unknown): SpecReading {
  const malformed = problem(raw ?? {}, { fields: SPEC }, 'spec');
  if (malformed === undefined) return { spec: withContractRef(raw) };
  const serviceName = read.string(read.object(raw, 'target'), 'serviceName');
  const target = serviceName === undefined ? {} : { target: { serviceName } };
  return { spec: { contractRef: {}, ...target }, malformed };
}

/** The status without fields of a wrong shape, which say nothing. */
export function readStatus(raw: unknown): PactoStatus {
  if (!read.isObject(raw)) return {};
  const wrong = Object.entries(STATUS).filter(
    ([key, shape]) => raw[key] !== undefined && problem(raw[key], shape, key) !== undefined,
  );
  if (wrong.length === 0) return raw;
  const left = new Set(wrong.map(([key]) => key));
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !left.has(key)));
}

function withContractRef(raw: unknown): PactoSpec {
  const spec = read.isObject(raw) ? raw : {};
  return { contractRef: {}, ...spec };
}

function problem(value: unknown, shape: Shape, path: string): string | undefined {
  switch (shape) {
    case 'text':
      return typeof value === 'string' ? undefined : `${path} must be a text`;
    case 'number':
      return typeof value === 'number' ? undefined : `${path} must be a number`;
    case 'port':
      return typeof value === 'number' || typeof value === 'string'
        ? undefined
        : `${path} must be a number or a text`;
    case 'object':
      return read.isObject(value) ? undefined : `${path} must be an object`;
    case 'texts':
      return read.isObject(value) && Object.values(value).every((item) => typeof item === 'string')
        ? undefined
        : `${path} must be an object of texts`;
  }
  if ('list' in shape)
    return Array.isArray(value) ? listProblem(value, shape.list, path) : `${path} must be a list`;
  if (!read.isObject(value)) return `${path} must be an object`;
  const missing = (shape.required ?? []).find((key) => read.field(value, key) === undefined);
  if (missing !== undefined) return `${path}.${missing} is missing`;
  for (const [key, inner] of Object.entries(shape.fields)) {
    const field = read.field(value, key);
    const found = field === undefined ? undefined : problem(field, inner, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function listProblem(items: readonly unknown[], shape: Shape, path: string): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = problem(item, shape, `${path}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}
