// What an event costs the operator with 2,000 Pactos in a namespace beside 20, against a scripted API server that counts what
// is asked: CPU time of the whole process, one pass for each event and no write.
import { loadavg } from 'node:os';
import { ScriptedApiServer } from '../faults/scripted-api-server.ts';
import type { Raw } from '../faults/object-store.ts';
import { type BenchProgram, median, Workshop } from './operator-programs.ts';
import { benchTable } from './bench-table.ts';

const FEW = 20;
const MANY = 2_000;
const ROUNDS = 9;
const BURSTS = 20;
const GOAL = 1.2;

const namespace = 'shop';
const LABELS = { app: 'x' };
const inline = `pactoVersion: "2.0"
service: { name: app, version: 1.0.0 }
interfaces: [{ name: http, type: openapi, ref: api.yaml }]
workload: service
`;

type Place = { readonly resource: string; readonly object: Raw };

function app(name: string): readonly Place[] {
  const target = {
    serviceName: name,
    workloadRef: { name, kind: 'Deployment' },
    interfaceBindings: [{ interface: 'http', servicePort: 'http' }],
  };
  const metadata = { namespace, name };
  return [
    {
      resource: 'pactos.pacto.trianalab.io',
      object: {
        kind: 'Pacto',
        metadata: { ...metadata, generation: 1 },
        spec: { contractRef: { inline }, target, checkIntervalSeconds: 36_000 },
      },
    },
    { resource: 'services', object: service(name, '0') },
    {
      resource: 'deployments.apps',
      object: {
        kind: 'Deployment',
        metadata,
        spec: { selector: { matchLabels: LABELS }, template: { spec: { containers: [{ image: 'a' }] } } },
      },
    },
    {
      resource: 'endpointslices.discovery.k8s.io',
      object: {
        kind: 'EndpointSlice',
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': name } },
        ports: [{ name: 'http', port: 8_080, protocol: 'TCP' }],
        endpoints: [{ conditions: { ready: true } }],
      },
    },
  ];
}

/** A Service that differs in nothing a verdict depends on. */
function service(name: string, note: string): Raw {
  return {
    kind: 'Service',
    metadata: { namespace, name, annotations: { note } },
    spec: { selector: LABELS, ports: [{ name: 'http', port: 80, targetPort: 8_080, protocol: 'TCP' }] },
  };
}

/** An operator with so many Pactos, all of them judged. */
class Side {
  readonly #server: ScriptedApiServer;
  readonly #program: BenchProgram;
  readonly #count: number;
  #passes = 0;
  #note = 0;
  readonly us: number[] = [];
  readonly passesPerEvent: number[] = [];
  writes = 0;

  private constructor(server: ScriptedApiServer, program: BenchProgram, count: number) {
    this.#server = server;
    this.#program = program;
    this.#count = count;
  }

  static async start(workshop: Workshop, count: number): Promise<Side> {
    const server = await ScriptedApiServer.start();
    for (let i = 0; i < count; i += 1) {
      for (const { resource, object } of app(`app-${i}`))
        server.store.write({ resource, namespace }, 'create', object);
    }
    // This cluster has none of the kinds that may be missing.
    server.intercept(({ path }) =>
      path === '/apis'
        ? { kind: 'bytes', bytes: '{"kind":"APIGroupList","groups":[]}', end: 'whole' }
        : undefined,
    );
    const program = workshop.start('subject', ['operator', await workshop.kubeconfig(server)]);
    const side = new Side(server, program, count);
    await side.#judged();
    return side;
  }

  async round(): Promise<void> {
    const [before, wrote] = [await this.#settled(), this.#writesSeen()];
    for (let burst = 0; burst < BURSTS; burst += 1) {
      this.#note += 1;
      for (let i = 0; i < FEW; i += 1) {
        // Spread over all of them, so that no processor cache flatters the few.
        const name = `app-${(burst * FEW + i) % this.#count}`;
        this.#server.store.write(
          { resource: 'services', namespace },
          'replace',
          service(name, String(this.#note)),
        );
      }
      this.#passes += FEW;
      await this.#program.ask(`passes ${this.#passes}`);
    }
    const after = await this.#settled();
    const events = BURSTS * FEW;
    this.us.push(((after.cpuMs - before.cpuMs) * 1_000) / events);
    this.passesPerEvent.push((after.passes - before.passes) / events);
    this.writes += this.#writesSeen() - wrote;
  }

  async close(): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    await this.#server.close();
  }

  async #judged(): Promise<void> {
    await this.#program.ask(`passes ${this.#count}`);
    await this.#settled();
  }

  /** Passes and processor time once no more passes come. */
  async #settled(): Promise<{ readonly passes: number; readonly cpuMs: number }> {
    for (;;) {
      const { passes = 0 } = await this.#program.ask('passes 0');
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { passes: again = 0, cpuMs = 0 } = await this.#program.ask('passes 0');
      if (again !== passes) continue;
      this.#passes = again;
      return { passes: again, cpuMs };
    }
  }

  #writesSeen(): number {
    return this.#server.seen.filter(({ method }) => method !== 'GET').length;
  }
}

await using workshop = await Workshop.open();
const few = await Side.start(workshop, FEW);
const many = await Side.start(workshop, MANY);
// The first round of each compiles the code.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const side of round % 2 === 0 ? [few, many] : [many, few]) await side.round();
}
const warm = (values: readonly number[]): readonly number[] => values.slice(1);
const ratios = warm(many.us).map((us, i) => us / (warm(few.us)[i] ?? Number.NaN));
const table = benchTable('', 'measured', 'goal', '');
const row = (what: string, measured: string, goal = '', isMet?: boolean): void => {
  if (isMet === false) process.exitCode = 1;
  table.push([what, measured, goal, isMet === undefined ? '' : isMet ? 'met' : 'missed']);
};
const spread = (values: readonly number[]): string =>
  `${median(values).toFixed(0)} µs (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
row(`processor time of an event, ${FEW} Pactos`, spread(warm(few.us)));
row(`processor time of an event, ${MANY} Pactos`, spread(warm(many.us)));
row('ratio, median of rounds', median(ratios).toFixed(2), String(GOAL), median(ratios) <= GOAL);
const passes = Math.max(...few.passesPerEvent, ...many.passesPerEvent);
row('passes of an event, most', passes.toFixed(2), '1', passes <= 1);
row('writes', String(few.writes + many.writes), '0', few.writes + many.writes === 0);
process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n${table.toString()}\n`);
await few.close();
await many.close();
