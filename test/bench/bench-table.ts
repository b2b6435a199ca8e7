// The table a bench prints: without colours, since it is kept in files as well.
import Table from 'cli-table3';

export function benchTable(...head: readonly string[]): InstanceType<typeof Table> {
  return new Table({ head: [...head], style: { head: [], border: [] } });
}
