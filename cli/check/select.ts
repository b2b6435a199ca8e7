// Which Pactos a check is about, read once from the API server.
import { KindsNotServedError } from '../../api/kinds-not-served.ts';
import { GATE_RESOURCES } from '../../gate/cache/resources.ts';
import { runningWorkload } from '../../gate/cache/projections.ts';
import { type MissingVerdict, type Verdict, verdictOf } from '../../gate/verdict.ts';
import { KubeApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { ResourceType } from '../../kube/resource.ts';
import { UsageError } from '../command.ts';

/** Named Pactos, or all of a namespace that a selector picks. */
export type Selection =
  | {
      readonly kind: 'named';
      readonly pactos: readonly { readonly namespace: string; readonly name: string }[];
    }
  | { readonly kind: 'selected'; readonly namespace: string; readonly labelSelector?: string };

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Reads operands and flags into a selection. Throws UsageError for words that name nothing. */
export function selectionOf(
  operands: readonly string[],
  flags: { readonly namespace: string; readonly selector: string | undefined },
): Selection {
  if (operands.length > 0 && flags.selector !== undefined) {
    throw new UsageError('give names or --selector, not both');
  }
  if (operands.length === 0) {
    return {
      kind: 'selected',
      namespace: flags.namespace,
      ...(flags.selector === undefined ? {} : { labelSelector: flags.selector }),
    };
  }
  return { kind: 'named', pactos: operands.map((operand) => named(operand, flags.namespace)) };
}

function named(operand: string, defaultNamespace: string): { namespace: string; name: string } {
  const parts = operand.split('/');
  const [namespace, name] = parts.length === 1 ? [defaultNamespace, parts[0]] : parts;
  if (parts.length > 2 || !NAME.test(namespace ?? '') || !NAME.test(name ?? '')) {
    throw new UsageError(`${JSON.stringify(operand)} is no Pacto: give NAME or NAMESPACE/NAME`);
  }
  return { namespace: namespace ?? '', name: name ?? '' };
}

/** The verdicts of a selection. What does not exist is `missing`; what may not be read throws. */
export async function readVerdicts(
  client: KubeClient,
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly (Verdict | MissingVerdict)[]> {
  if (selection.kind === 'named') {
    return Promise.all(selection.pactos.map((pacto) => readOne(client, pacto, signal)));
  }
  const { namespace, labelSelector } = selection;
  const page = await orNotServed(
    client.listAll(GATE_RESOURCES.pactos, {
      namespace,
      signal,
      ...(labelSelector === undefined ? {} : { labelSelector }),
    }),
  );
  const verdicts = page.items.flatMap((item) => listOf(verdictOf(item)));
  if (verdicts.length > 0) return verdicts;
  const which = labelSelector === undefined ? '' : ` matches ${labelSelector}`;
  return [
    { kind: 'missing', namespace, why: `no Pacto in namespace ${namespace}${which === '' ? '' : which}` },
  ];
}

/** Adds what runs now to each verdict about a kind that rolls out; used where a revision is asked for. What may not be read throws. */
export async function withRunning(
  client: KubeClient,
  verdicts: readonly (Verdict | MissingVerdict)[],
  signal: AbortSignal,
): Promise<readonly (Verdict | MissingVerdict)[]> {
  return Promise.all(
    verdicts.map(async (verdict) => {
      const type = verdict.kind === 'verdict' ? WORKLOADS[verdict.workload?.kind ?? ''] : undefined;
      if (verdict.kind !== 'verdict' || verdict.workload === undefined || type === undefined) return verdict;
      const object = await client.find(
        type,
        { namespace: verdict.namespace, name: verdict.workload.name },
        { signal },
      );
      return {
        ...verdict,
        running: object === undefined ? { kind: 'gone' as const } : runningWorkload(object),
      };
    }),
  );
}

const WORKLOADS: Readonly<Record<string, ResourceType | undefined>> = {
  Deployment: GATE_RESOURCES.deployments,
  StatefulSet: GATE_RESOURCES.statefulSets,
};

async function readOne(
  client: KubeClient,
  pacto: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Verdict | MissingVerdict> {
  const missing: MissingVerdict = { kind: 'missing', ...pacto, why: 'it does not exist' };
  try {
    return verdictOf(await orNotServed(client.get(GATE_RESOURCES.pactos, pacto, { signal }))) ?? missing;
  } catch (error) {
    if (error instanceof KubeApiError && error.isNotFound) return missing;
    throw error;
  }
}

export async function orNotServed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KubeApiError && error.isNotServed) {
      throw new KindsNotServedError(['Pacto'], { cause: error });
    }
    throw error;
  }
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
