// Verdicts as metrics: one series per status for every Pacto that was judged, gone with the Pacto.
import { CONTRACT_STATUSES, type ContractStatus } from '../api/contract-status.ts';
import type { Gauge, Metrics } from '../runtime/metrics.ts';

export class OperatorMetrics {
  readonly #status: Gauge<'name' | 'namespace' | 'status'>;

  constructor(metrics: Metrics) {
    this.#status = metrics.gauge({
      name: 'pacto_contract_status',
      help: 'Contract status of each Pacto: 1 for the present one, 0 for the others.',
      labels: ['name', 'namespace', 'status'],
    });
  }

  judged(pacto: { readonly namespace: string; readonly name: string }, status: ContractStatus): void {
    const { namespace, name } = pacto;
    for (const word of CONTRACT_STATUSES) {
      this.#status.set({ name, namespace, status: word }, word === status ? 1 : 0);
    }
  }

  gone(namespace: string, name: string): void {
    for (const status of CONTRACT_STATUSES) this.#status.remove({ name, namespace, status });
  }
}
