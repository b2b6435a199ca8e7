// The present time as Kubernetes writes it.

/** RFC 3339 in UTC with whole seconds. */
export const nowSeconds = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
