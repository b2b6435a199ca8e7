// The one reason for which a test may be skipped: something that a machine may lack, from a list that is counted at the end.
import type { TestContext } from 'node:test';

const WORDS = {
  proc: '/proc, which tells when a process started',
  permission: 'permission to run a real node, which PACTO_GATE_NODE=0 forbids',
  linux: 'Linux, whose namespaces hold a real node',
  root: 'root, which a real node needs',
  capabilities:
    'the capabilities CAP_SYS_ADMIN and CAP_NET_ADMIN, which a real node needs (a container may have dropped them)',
  cgroups: 'cgroups that can be written, which a real node needs',
  runc: 'gcc, pkg-config and libseccomp-dev, which the runc of a real node is built with (apt-get install gcc pkg-config libseccomp-dev)',
  nft: 'nft and a kernel with nf_tables, by which kube-proxy leads to Services (apt-get install nftables)',
  'user-namespaces': 'user namespaces, in which a test may mount a small disk',
} as const;

/** What a machine may lack and the project's CI machine does not. */
export type Lack = keyof typeof WORDS;

/** The reason in words. */
export const lacks = (what: Lack): string => `this machine lacks ${WORDS[what]}`;

/** Skips the test with the reason. The test still has to return. */
export function skipLacking(t: TestContext, what: Lack): void {
  t.skip(lacks(what));
}
