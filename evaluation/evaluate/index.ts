// The evaluator: a contract against evidence (evaluation.md 14). It knows no cluster, no window and no clock.
import type { Finding } from '../../api/finding.ts';
import type { EvaluationCoverage } from '../../api/pacto.ts';
import type { Contract } from '../../contract/model.ts';
import type { EvidenceSet } from '../evidence.ts';
import { evaluateCapabilities } from './capabilities.ts';
import { evaluateConfigurations } from './configurations.ts';
import { evaluateDependencies } from './dependencies.ts';
import { evaluateInterfaces } from './interfaces.ts';
import { Judgement } from './judgement.ts';
import { evaluatePersistence, evaluateWorkload } from './workload.ts';

export type Evaluation = {
  /** In the order of evaluation.md 14.1. */
  readonly findings: readonly Finding[];
  readonly coverage: EvaluationCoverage;
};

/** Judges every assertion of the contract. Total and deterministic; the order of evidence only orders undeclared peers. */
export function evaluate(contract: Contract, evidence: EvidenceSet): Evaluation {
  const judgement = new Judgement(evidence);
  evaluateInterfaces(judgement, contract.interfaces);
  evaluateCapabilities(judgement, contract.capabilities);
  evaluateDependencies(judgement, contract.dependencies);
  evaluateConfigurations(judgement, contract.configurations);
  evaluateWorkload(judgement, contract);
  evaluatePersistence(judgement, contract);
  return judgement.result();
}
