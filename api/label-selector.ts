// Label selectors with the meaning Kubernetes gives them.
import type { LabelSelector } from './meta.ts';

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/**
 * Whether `labels` satisfy every requirement of `selector`. An empty selector matches everything; what an absent one
 * means is the caller's business. A requirement that Kubernetes would refuse (see `labelSelectorProblem`) never holds.
 */
export function matchesLabels(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (labelOf(labels, key) !== value) return false;
  }
  return (selector.matchExpressions ?? []).every((requirement) => holds(requirement, labels));
}

/** Why Kubernetes would refuse `selector`, in one sentence, or undefined when it is well formed. */
export function labelSelectorProblem(selector: LabelSelector): string | undefined {
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (key === '') return 'a matchExpressions entry has an empty key';
    if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
      return `matchExpressions for ${JSON.stringify(key)}: operator ${operator} needs at least one value`;
    }
    if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
      return `matchExpressions for ${JSON.stringify(key)}: operator ${operator} takes no values`;
    }
  }
  return undefined;
}

function holds(requirement: Requirement, labels: Readonly<Record<string, string>> | undefined): boolean {
  const { key, operator, values = [] } = requirement;
  const value = labelOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return values.length > 0 && (value === undefined || !values.includes(value));
    case 'Exists':
      return values.length === 0 && value !== undefined;
    case 'DoesNotExist':
      return values.length === 0 && value === undefined;
    default:
      return false;
  }
}

/** Own properties only: a label called `constructor` is a label, an inherited member is none. */
function labelOf(labels: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
