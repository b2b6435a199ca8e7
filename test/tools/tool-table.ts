// The table of foreign programs: what each is built from, and how.

/** How one program is built from the Go module in this folder. */
export type ToolSpec = {
  /** Package to build. The last element of its path is what go calls the program. */
  readonly package: string;
  /**
   * What decides over its bytes besides the flags: `std` the files of its own folder (it uses the standard library alone),
   * `module` those and the versions in go.mod and go.sum.
   */
  readonly sources: 'std' | 'module';
  /** `static` needs no C compiler; `seccomp` needs one and libseccomp. */
  readonly flavour: 'static' | 'seccomp';
  /** File with the versions of its modules, where it is not go.mod; its sums are beside it. */
  readonly modfile?: string;
};

const own = (name: string, sources: ToolSpec['sources']): ToolSpec => ({
  package: `./${name}`,
  sources,
  flavour: 'static',
});
const foreign = (path: string): ToolSpec => ({ package: path, sources: 'module', flavour: 'static' });

/** Every program by its name. */
export const TOOLS = {
  /** Runs the parts of a control plane and dies with its parent. */
  'cluster-up': own('cluster-up', 'std'),
  /** etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kubelet, kube-proxy, kubectl. */
  testcluster: own('testcluster', 'module'),
  /** The same of an older minor of Kubernetes. */
  'testcluster-1.34': { ...own('testcluster', 'module'), modfile: 'go.older.mod' },
  /** CNCF Distribution in memory, with faults on demand. */
  registry: own('registry', 'module'),
  /** Health check expressions as Flux evaluates them. */
  celeval: own('celeval', 'module'),
  /** Lua health checks as Argo CD runs them. */
  luarun: own('luarun', 'module'),
  /** Version ranges as github.com/Masterminds/semver/v3 has them. */
  ranges: own('ranges', 'module'),
  /** Caches and a client of controller-runtime, for benchmarks; go.mod has its version through Flux's libraries. */
  ctrlcache: own('ctrlcache', 'module'),
  /** A node in namespaces of its own; runs containerd, kubelet, kube-proxy. */
  node: own('node', 'module'),
  /** Something to observe in a pod; also the sandbox container. */
  workload: own('workload', 'std'),
  /** Packs images without a container engine. */
  image: own('image', 'std'),
  helm: foreign('helm.sh/helm/v3/cmd/helm'),
  oras: foreign('oras.land/oras/cmd/oras'),
  containerd: foreign('github.com/containerd/containerd/v2/cmd/containerd'),
  'containerd-shim-runc-v2': foreign('github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2'),
  ctr: foreign('github.com/containerd/containerd/v2/cmd/ctr'),
  bridge: foreign('github.com/containernetworking/plugins/plugins/main/bridge'),
  loopback: foreign('github.com/containernetworking/plugins/plugins/main/loopback'),
  'host-local': foreign('github.com/containernetworking/plugins/plugins/ipam/host-local'),
  runc: { package: 'github.com/opencontainers/runc', sources: 'module', flavour: 'seccomp' },
} as const satisfies Record<string, ToolSpec>;

/** Name of a foreign program. */
export type ToolName = keyof typeof TOOLS;

/** Whether a word names a foreign program. */
export const isToolName = (word: string): word is ToolName => Object.hasOwn(TOOLS, word);

/** All names, in the order of the table. */
export const TOOL_NAMES: readonly ToolName[] = Object.keys(TOOLS).filter(isToolName);

/** What only a real node needs, and what takes a C compiler and root to use. */
const OF_A_NODE: readonly ToolName[] = [
  ...(['node', 'containerd', 'containerd-shim-runc-v2', 'ctr'] as const),
  ...(['bridge', 'loopback', 'host-local', 'runc'] as const),
];

/** What only `make acceptance` needs. */
const OF_ACCEPTANCE: readonly ToolName[] = ['testcluster-1.34'];

/** What only `make bench` needs. */
const OF_BENCHMARKS: readonly ToolName[] = ['ctrlcache'];

/** Sets of names that go by one word. */
export const TOOL_SETS = {
  /** Whatever tests need on any machine. */
  common: TOOL_NAMES.filter((name) => ![...OF_A_NODE, ...OF_ACCEPTANCE, ...OF_BENCHMARKS].includes(name)),
  /** A real node. */
  'real-node': OF_A_NODE,
} as const satisfies Record<string, readonly ToolName[]>;
